"""The guides' troubleshooting, each entry a sentence with the setting to change, said when it happens."""

from __future__ import annotations

from collections.abc import Mapping

ADVICE: Mapping[str, str] = {
    "out-of-memory": (
        "Out of memory on the device. Rows are already as short as they can be and layers are "
        "recomputed: lower tokens.max_length (1024 if your records are short) and prepare again, "
        "lower train.lora.r, take a smaller base, or a larger card (`privatune plan`). In the "
        "padded layout also set train.batch_size to 1 and raise train.gradient_accumulation in "
        "proportion, so that their product stays."
    ),
    "nan": (
        "The loss is no longer a number, so the run was stopped. The learning rate is too high: "
        "set train.learning_rate to 1e-4. On a card without bfloat16, float16 overflows sooner: "
        "take a newer card if it goes on."
    ),
    "no-signal": (
        "There is nothing to learn from in this step: the loss or every gradient is zero. Look at "
        "the answers of the set: they may be empty, or the template may leave them out."
    ),
    "not-falling": (
        "The loss does not fall. The learning rate may be too low (try train.learning_rate 5e-4), "
        "or the prompt format is not the model's: look at two or three records of ship/train.jsonl "
        "as the template writes them (`contract.template`)."
    ),
    "over-fitting": (
        "The holdout's loss rises while the training loss falls: the model learns the records by "
        "heart. Train fewer epochs (train.epochs), or raise train.lora.dropout (to "
        "0.05, or 0.1 where it is that already). The epoch "
        "with the lowest holdout loss is the one that is kept."
    ),
    "no-holdout": (
        "There is no holdout, so nothing shows over-fitting and the last epoch is kept. A set of "
        "20 records or more gets one from `privatune prep` (holdout.fraction)."
    ),
    "few-records": (
        "Fewer than 300 records: enough to see an effect at most. 1,000 to 5,000 are a solid set; "
        "a hundred right ones are worth more than thousands of noisy ones."
    ),
    "thinks-apart": (
        "The template writes earlier answers otherwise once they are history, so those answers are "
        "trained in rows of their own, as production asks for them."
    ),
}


def advice(code: str) -> str:
    """The sentence for a code; KeyError for one that is not in the table."""
    return ADVICE[code]
