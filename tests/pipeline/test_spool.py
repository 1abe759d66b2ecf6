"""The spool: what a killed scan leaves is used, and nothing else is."""

from dataclasses import replace
from pathlib import Path

from pipeline.spool import Entry, Mark, Spool

ENTRY = Entry(
    file=0, number=1, line=1, key="ab", settled="cd", reasons=(), notes=("bom",),
    format="messages", language="en", turns=2, characters=90,
    faults=(("answer-empty", "messages[1].content", "is empty", "missing_content"),),
    marks=(Mark(3, 0, 4, "PERSON", 0.9, "rules", None, (0, 1), "ee"),),
    units=(("name:given:en:f", "00" * 16, 0), ("name:surname:es", "11" * 16, 2)), names=((0, 1),),
    duplicate="22" * 16, groups=(), identities=("33" * 16,), values=("44" * 16,),
    unscanned=(("leaf 2", "no-name-detector:fi"),),
)  # fmt: skip


def filled(path: Path, header: dict[str, object], count: int) -> Spool:
    spool = Spool(path, header)
    assert spool.resume() == 0
    spool.append([replace(ENTRY, number=n) for n in range(1, count + 1)])
    spool.close()
    return spool


def test_entries_come_back_equal(tmp_path: Path) -> None:
    spool = filled(tmp_path / "spool", {"config": "a"}, 1)
    assert list(spool) == [ENTRY]


def test_a_scan_goes_on_after_the_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    filled(path, {"config": "a"}, 3)
    with path.open("ab") as file:
        file.write(b'{"file": 0, "num')
    spool = Spool(path, {"config": "a"})
    assert spool.resume() == 3
    spool.append([replace(ENTRY, number=4)])
    spool.close()
    assert [entry.number for entry in spool] == [1, 2, 3, 4]


def test_a_spool_of_other_settings_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    filled(path, {"config": "a"}, 3)
    spool = Spool(path, {"config": "b"})
    assert spool.resume() == 0
    spool.close()
    assert list(spool) == []
