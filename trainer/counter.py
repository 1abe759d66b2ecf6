"""Token counts of records, and why the trainer would refuse one: what `prep` and `check` ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.labels import find_ending, label
from trainer.templates import RenderError, make_template, render
from trainer.tokenizer import TokenizerError, count_tokens, load_tokenizer
from validators.duplicates import canonical
from validators.record import turns
from validators.shapes import detect_format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from trainer.labels import Ending
    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer
    from validators.faults import Fault


class TokenCounter:
    """Counts the tokens of records' training texts with one tokenizer and one template."""

    def __init__(self, folder: str | Path, template: str = "chat") -> None:
        self.tokenizer = load_tokenizer(folder)
        self.template = make_template(template, self.tokenizer)
        self._ending = _ending(self.tokenizer, self.template)

    def __call__(self, values: Sequence[object]) -> list[int]:
        """Count each record; one that cannot be rendered counts as its texts, or its JSON."""
        texts = [self._text(value, detect_format(value)) for value in values]
        plain = [text if isinstance(text, str) else text[0] for text in texts]
        return count_tokens(plain, self.tokenizer, special=self.template.special)

    def faults(self, values: Sequence[object]) -> Iterator[Fault | None]:
        """Tell for each record why the trainer would refuse it, None where it would not.

        Where the template ends no answer, which the trainer says of all records at once, only
        what cannot be rendered is told.
        """
        for value in values:
            yield self._fault(value, detect_format(value))

    def _fault(self, value: object, form: str) -> Fault | None:
        try:
            if self._ending is None:
                render(value, form, self.tokenizer, self.template)
            else:
                label(value, form, self.tokenizer, self.template, ending=self._ending)
        except RenderError as error:
            return error.fault
        return None

    def _text(self, value: object, form: str) -> str | tuple[str, Fault]:
        try:
            return render(value, form, self.tokenizer, self.template)
        except RenderError as error:
            bare = "\n".join(turn.text for turn in turns(value, form))
            return bare or canonical(value), error.fault


def _ending(tokenizer: Tokenizer, template: Template) -> Ending | None:
    try:
        return find_ending(tokenizer, template)
    except TokenizerError:
        return None
