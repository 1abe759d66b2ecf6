"""`privatune.yaml`: what is taken, what is refused and how it is said."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline.config import Config, ConfigError, load, schema_text
from pipeline.config_faults import _unknown_key, all_keys
from pipeline.fields import GATES
from scrubbers.entities import BALANCED, ENTITY_TYPES

DOCS = Path(__file__).parents[2] / "docs"
CANARY = "Quillon Zebrawood"


def write(folder: Path, text: str) -> Path:
    path = folder / "privatune.yaml"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(write(folder, text))
    assert caught.value.__cause__ is None
    assert caught.value.exit_code == 2
    prefix = f"{folder / 'privatune.yaml'}:"
    assert all(one.startswith(prefix) for one in caught.value.faults)
    return [one.removeprefix(prefix) for one in caught.value.faults]


# what is taken


def test_inputs_alone_are_enough(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").touch()
    (tmp_path / "a.jsonl").touch()
    config = load(write(tmp_path, 'data: {inputs: [b.jsonl, "*.jsonl"]}'))
    assert config.input_files() == (tmp_path / "b.jsonl", tmp_path / "a.jsonl")
    assert config.data.output == tmp_path / "prepared"
    assert config.dataset == "prepared"
    assert {name for name, action in config.actions.items() if action == "replace"} == set(BALANCED)


def test_paths_count_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tmp_path / "data[1]"
    odd.mkdir()
    (odd / "x.jsonl").touch()
    write(odd, 'data: {inputs: ["*.jsonl"], output: out}')
    monkeypatch.chdir(tmp_path)
    config = load("data[1]/privatune.yaml")
    assert config.input_files() == (Path("data[1]/x.jsonl"),)
    assert config.data.output == Path("data[1]/out")


def test_command_line_takes_the_place_of_inputs_and_output(tmp_path: Path) -> None:
    config = load(write(tmp_path, "data: {inputs: [a], output: b}"))
    changed = config.with_data(["c.jsonl"], Path("d"))
    assert (changed.data.inputs, changed.data.output) == (("c.jsonl",), Path("d"))
    assert changed.dataset == "d"
    assert config.with_data() == config
    with pytest.raises(ConfigError, match="inside the output"):
        config.with_data(["d/c.jsonl"], Path("d"))


def test_yaml_means_what_it_says(tmp_path: Path) -> None:
    text = """
    privacy:
    gates: {volume: off}
    train: {learning_rate: 2e-4, epochs: 010, lora: {alpha: }}
    accept: &twice
      - {violation: volume, reason: "yes"}
    """
    config = load(write(tmp_path, text))
    assert config.checks["volume"] == "off"
    assert config.train.learning_rate == 2e-4
    assert config.train.epochs == 10
    assert config.train.lora.alpha is None
    assert config.privacy == Config().privacy


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    assert load(write(tmp_path, "# nothing\n")).checks == {k: v[0] for k, v in GATES.items()}


def test_anchors_and_merges_work(tmp_path: Path) -> None:
    text = """
    privacy:
      types: &t {PERSON: keep}
      thresholds: {PERSON: 0.5}
    gates: {<<: {volume: fail}, turns: fail}
    """
    config = load(write(tmp_path, text))
    assert config.checks["volume"] == config.checks["turns"] == "fail"
    assert config.actions["PERSON"] == "keep"


def test_texts_lists_and_schemas_are_read(tmp_path: Path) -> None:
    (tmp_path / "system.txt").write_text("Extract the fields.\n", encoding="utf-8")
    (tmp_path / "answer.json").write_text('{"type": "object"}', encoding="utf-8")
    (tmp_path / "allow.txt").write_text("\ufeffAcme\n\n Beta \n", encoding="utf-8")
    (tmp_path / "deny.txt").write_text("Gamma\n", encoding="utf-8")
    text = """
    contract: {system: {file: system.txt}, answer_schema: answer.json}
    privacy:
      allow: [{file: allow.txt, reason: ours}, {value: Delta, reason: public}]
      deny: [{file: deny.txt}]
    """
    config = load(write(tmp_path, text))
    assert config.system_text() == "Extract the fields."
    assert config.answer_schema() == {"type": "object"}
    assert config.allow_values() == (("Acme", "ours"), ("Beta", "ours"), ("Delta", "public"))
    assert config.deny_values() == ("Gamma",)


def test_files_that_stay_at_home_are_not_asked_for_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path, "privacy: {deny: [{file: gone.txt}]}\ntokens: {tokenizer: gone}")
    with pytest.raises(ConfigError):
        load(path)
    config = load(path, files=False)
    with pytest.raises(ConfigError, match=r"privacy.deny\[0\].file"):
        config.deny_values()


def test_defaults_count_from_the_file_too(tmp_path: Path) -> None:
    assert load(write(tmp_path, "gates: {}")).data.output == tmp_path / "prepared"
    assert load(write(tmp_path, "gates: {}")).train.output == tmp_path / "run"


# what is refused


def test_every_fault_at_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    text = """\
    data:
      format: alpca
      max_quarantine: 2
    privacy:
      polcy: strict
      types: {EMAIL: replace, PERSN: keep, PERSON: drop}
      dates: shifty
      deny: [someone]
      languages: []
    policy: strict
    contract: {system: "", template: jinja}
    tokens: {over_length: split-turns, max_length: 2.5}
    holdout: {fraction: 0.2}
    gates: {volum: warn}
    train: {lora: {rr: 3}}
    """
    formats = "auto, messages, alpaca, sharegpt, prompt-completion, preference, text"
    assert faults(tmp_path, text) == [
        f"2: data.format: must be one of {formats}; did you mean `alpaca`?",
        "3: data.max_quarantine: must be at most 1",
        "5: privacy.polcy: unknown key; did you mean `privacy.policy`?",
        "6: privacy.types.EMAIL: is not an entity type; did you mean `EMAIL_ADDRESS`?",
        "6: privacy.types.PERSN: is not an entity type; did you mean `PERSON`?",
        "6: privacy.types.PERSON: must be one of replace, keep, quarantine",
        "7: privacy.dates: must be one of keep, shift, generalise; did you mean `shift`?",
        "8: privacy.deny[0]: takes file references only, as `file: PATH`; its values stay at home",
        "9: privacy.languages: must not be empty",
        "10: policy: unknown key here; it belongs at `privacy.policy`",
        "11: contract.system.text: must not be empty",
        "11: contract.template.name: must be one of chat, alpaca, alpaca-fr, plain",
        "12: tokens.max_length: must be a whole number",
        "12: tokens.over_length: this version does only `fail` or `drop`; the others come later",
        "13: holdout.fraction: must be from 0.05 to 0.10, or 0 for no holdout",
        "14: gates.volum: is not a check; did you mean `volume`?",
        "15: train.lora.rr: unknown key; did you mean `train.lora.r`?",
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"data: [x", "line 1, column 9"),
        (b"data:\n\t- x", "line 2, column 1: a tab"),
        (b"data: a: b", "line 1, column 8"),
        (b"gates: {}\ntrust: []\ngates: {}", "line 3, column 1: this key stands on line 1"),
        (b"1: x", "line 1, column 1: a key must be text"),
        (b"data: !!python/object/apply:os.getcwd []", "line 1, column 7: a YAML tag"),
        (b"data: *gone", "line 1, column 7: an alias"),
        (b"a: 1\n---\nb: 2", "line 2, column 1: a second document"),
        (b"a: \xff", "line 1: is not UTF-8"),
        (b"a: b\nc: \x07", "line 2, column 4: a control character"),
        (b'a: "\\ud800"', "not valid Unicode"),
        (b"- 1", "must be a mapping"),
        (b"just words", "must be a mapping"),
        (b"[" * 4000, "nested too deeply"),
        (b"tokens: {max_length: " + b"9" * 6000 + b"}", "too long"),
        (b"#" * (1 << 20) + b"#", "larger than 1 MiB"),
        (b"data: &a [*a]", "too large"),
    ],
)
def test_wrong_yaml_is_placed_and_not_quoted(tmp_path: Path, text: bytes, place: str) -> None:
    path = tmp_path / "privatune.yaml"
    path.write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert place in str(caught.value)


def test_a_billion_laughs_are_refused_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]" for n in range(12)]
    assert "too large" in faults(tmp_path, "\n".join(lines))[0]


@pytest.mark.parametrize(
    ("text", "place", "keys"),
    [
        ("accept: [collision]", "accept[0]", "violation, reason"),
        ("privacy: {allow: [Delta]}", "privacy.allow[0]", "value, file, reason"),
        ("holdout: 0.1", "holdout", "fraction, group_by, stratify"),
    ],
)
def test_a_name_in_place_of_a_mapping_is_told_the_keys(
    tmp_path: Path, text: str, place: str, keys: str
) -> None:
    words = f"must be a mapping: lines of `key: value`; keys here: {keys}"
    assert faults(tmp_path, text) == [f"1: {place}: {words}"]


@pytest.mark.parametrize("name", ["gone.yaml", "."])
def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"init|folder"):
        load(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("privacy: {deny: [{file: prepared/x.txt}]}", "privacy.deny[0].file: lies inside"),
        ("contract: {requests: prepared/x.txt}", "contract.requests: lies inside"),
        ("data: {inputs: [prepared/*.txt]}", "data.inputs[0]: lies inside"),
        ("privacy: {deny: [{file: prepared}]}", "a folder, not a file"),
        ("contract: {requests: gone.txt}", "contract.requests: the file is not there"),
        (
            "contract: {answer_schema: prepared/x.txt}",
            "contract.answer_schema: the file is not JSON",
        ),
        ("privacy: {policy: custom}", "add `types`"),
        ("privacy: {allow: [{reason: x}]}", "needs either `value` or `file`"),
        ("trust: [abc]", "trust[0]: must be a public key's fingerprint"),
        ("data: {output: ''}", "data.output: must name"),
        ("privacy: {dataset: a/b}", "privacy.dataset: may hold only"),
        ("privacy: {dataset: 2024}", "must be text; put it in quotes"),
        ("holdout: {stratify: [source]}", "does not stratify yet"),
    ],
)
def test_places_and_contents_are_checked(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "prepared").mkdir()
    (tmp_path / "prepared" / "x.txt").write_text("x", encoding="utf-8")
    assert place in "\n".join(faults(tmp_path, text))


def test_patterns_that_match_nothing_are_told_together(tmp_path: Path) -> None:
    config = load(write(tmp_path, 'data: {inputs: [gone.jsonl, "*.parquet"]}'))
    with pytest.raises(ConfigError) as caught:
        config.input_files()
    assert len(caught.value.faults) == 2
    with pytest.raises(ConfigError, match="--input"):
        Config().input_files()


# silence

PLACES = [
    "privacy: {allow: [CANARY]}",
    "privacy: {allow: [{value: CANARY}]}",
    "privacy: {allow: [{CANARY: 1, reason: x}]}",
    "privacy: {allow: {CANARY: 1}}",
    "privacy: {deny: [CANARY]}",
    "privacy: {deny: [{file: CANARY}]}",
    "privacy: {deny: {CANARY: CANARY}}",
    "privacy: {types: {CANARY: keep}}",
    "privacy: {policy: CANARY}",
    "contract: {system: {CANARY: 1}}",
    "contract: {system: [CANARY]}",
    "contract: {template: CANARY}",
    "gates: {CANARY: off}",
    "CANARY: 1",
    "data: CANARY",
    "tokens: {max_length: CANARY}",
    "privacy: {allow: [{value: CANARY, reason: x, reason: y}]}",
    "privacy: {allow: [{value: CANARY, reason: x}]",
    "privacy: {allow: [{value: *CANARY, reason: x}]}",
    "privacy: {allow: [{value: !CANARY x, reason: x}]}",
    "CANARY: &CANARY x: y",
]


@pytest.mark.parametrize("text", PLACES)
def test_no_message_repeats_a_value(tmp_path: Path, text: str) -> None:
    assert CANARY not in "".join(faults(tmp_path, text.replace("CANARY", CANARY)))


@pytest.mark.parametrize("text", [one for one in PLACES if "allow" in one or "deny" in one])
def test_in_lists_of_values_no_single_word_is_repeated_either(tmp_path: Path, text: str) -> None:
    assert "Zebrawood" not in "".join(faults(tmp_path, text.replace("CANARY", "Zebrawood")))


def test_a_configuration_does_not_show_allowed_values(tmp_path: Path) -> None:
    text = (
        f"privacy: {{allow: [{{value: {CANARY}, reason: ours}}]}}\ncontract: {{system: {CANARY}}}"
    )
    config = load(write(tmp_path, text))
    assert CANARY not in f"{config!r} {config} {config.privacy.allow[0]}"


def outcome(path: Path) -> tuple[str, ...]:
    """No faults, or their sentences; anything else than ConfigError breaks the test."""
    try:
        load(path)
    except ConfigError as exc:
        return exc.faults or ("nothing said",)
    return ()


KEYS = st.sampled_from([*Config.model_fields, "inputs", "types", "allow", "reason", "x"]) | st.text(
    max_size=5
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(KEYS, JSON, max_size=4))
@example({"[key]": None})  # what pydantic calls the key of a mapping
def test_whatever_the_file_holds_it_is_a_config_or_a_sentence(
    tmp_path: Path, value: dict[str, Any]
) -> None:
    path = tmp_path / "privatune.yaml"
    path.write_text(json.dumps(value), encoding="utf-8")
    told = outcome(path)
    assert all(str(path) in one and len(one) < 600 for one in told)
    assert "docs/configuration.md" not in "".join(told), "a kind of fault has no words of its own"


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_config_or_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "privatune.yaml"
    path.write_bytes(data)
    assert all(str(path) in one for one in outcome(path))


@given(st.sampled_from(all_keys(Config)), st.data())
def test_one_slip_in_a_long_key_finds_its_name(place: str, data: st.DataObject) -> None:
    *parents, key = place.split(".")
    cut = data.draw(st.integers(0, len(key) - 1))
    slip = key[:cut] + key[cut + 1 :]
    if len(key) >= 6 and slip not in {one.split(".")[-1] for one in all_keys(Config)}:
        assert f"`{place}`" in _unknown_key((*parents, slip), Config)


# fingerprint


def test_the_fingerprint_is_of_the_effective_settings(tmp_path: Path) -> None:
    base = load(write(tmp_path, "{}")).fingerprint()
    assert len(base) == 64
    for same in (
        "privacy: {policy: balanced}",
        "gates: {volume: warn}",
        "data: {inputs: [x]}",
        "train: {epochs: 7}",
        "privacy: {dataset: prepared}",
    ):
        assert load(write(tmp_path, same)).fingerprint() == base, same
    for other in (
        "privacy: {policy: strict}",
        "gates: {volume: off}",
        "data: {output: other}",
        "tokens: {max_length: 99}",
        "contract: {system: x}",
    ):
        assert load(write(tmp_path, other)).fingerprint() != base, other


def test_the_fingerprint_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    prints = set()
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "s.txt").write_text("System.", encoding="utf-8")
        config = load(write(folder, "contract: {system: {file: s.txt}}"))
        prints.add(config.fingerprint())
    assert len(prints) == 1


def test_files_enter_by_content_and_lists_of_originals_only_with_a_key(tmp_path: Path) -> None:
    path = write(tmp_path, "privacy: {deny: [{file: d.txt}]}\ncontract: {system: {file: s.txt}}")

    def prints(deny: str, system: str) -> tuple[str, str, str]:
        (tmp_path / "d.txt").write_text(deny, encoding="utf-8")
        (tmp_path / "s.txt").write_text(system, encoding="utf-8")
        config = load(path)
        return config.fingerprint(), config.fingerprint(b"k" * 32), config.fingerprint(b"l" * 32)

    first, denied, prompted = prints("a", "s"), prints("b", "s"), prints("a", "t")
    assert first[0] == denied[0], "a plain hash of a phone number is the phone number"
    assert first[1] != denied[1]
    assert first[0] != prompted[0]
    assert len(set(first)) == 3


# published


def test_the_published_schema_is_this_one() -> None:
    text = (DOCS / "privatune.schema.json").read_text(encoding="utf-8")
    assert text == schema_text(), (
        "run: python -c 'from pipeline.config import schema_text; print(schema_text(), end=\"\")' "
        "> docs/privatune.schema.json"
    )
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("data: {inputs: [x]}", True),
        ("contract: {system: Hello, template: alpaca}", True),
        ("contract: {system: {file: x}, template: {file: x}}", True),
        ("holdout: {fraction: 0}", True),
        ("holdout: {fraction: 0.2}", False),
        ("privacy: {types: {PERSON: keep}}", True),
        ("privacy: {types: {PERSN: keep}}", False),
        ("gates: {volum: warn}", False),
        ("privacy: {polcy: strict}", False),
    ],
)
def test_the_schema_judges_as_load_does(tmp_path: Path, text: str, good: bool) -> None:
    (tmp_path / "x").touch()
    schema = json.loads(schema_text())
    assert jsonschema.Draft202012Validator(schema).is_valid(yaml.safe_load(text)) is good
    try:
        load(write(tmp_path, text))
    except ConfigError:
        assert not good
    else:
        assert good


def test_every_key_check_and_type_is_documented() -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    missing = [name for name in all_keys(Config) if f"`{name}`" not in text]
    missing += [name for name in (*GATES, *ENTITY_TYPES) if f"`{name}`" not in text]
    assert missing == []
    for name, (default, _) in GATES.items():
        assert f"| `{name}` | `{default}` |" in text
