"""What `train` says on the way, where there is no terminal."""

from pathlib import Path

from pipeline.train_words import Told, summary, teller


def test_a_log_gets_a_line_now_and_then(capsys):
    with teller(Told()) as tick:
        for step in range(1, 1001):
            tick(step, 1000, 1 / step)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "privatune: step 1 of 1,000, loss 1.000"
    assert lines[-1] == "privatune: step 1,000 of 1,000, loss 0.001"
    assert 20 <= len(lines) <= 25


def test_quiet_is_quiet(capsys):
    with teller(Told(quiet=True)) as tick:
        tick(1, 1, 1.0)
    assert capsys.readouterr().err == ""


def test_the_next_commands_can_be_pasted_whatever_the_folder_is_called():
    result = {"steps": 1, "tokens": 9, "tokens_per_second": 1.0, "train_loss": 1.0,
              "holdout_losses": [2.0], "best_epoch": None}  # fmt: skip
    body = {"result": result, "data": {"train": {"rows": 1}},
            "seal": {"level": "namespace", "attempts": []}}  # fmt: skip
    said = summary(Path("mein Lauf ß"), body)
    assert "privatune compare 'mein Lauf ß', then privatune export 'mein Lauf ß'" in said
    assert "1 step over 1 record\n" in said
    assert "None" not in said
