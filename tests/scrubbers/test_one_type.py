from scrubbers.finding import Finding
from scrubbers.one_type import one_type


def types(*given: tuple[str, str, str, float]) -> list[str]:
    """The types of findings that each cover a whole text."""
    texts = {i: text for i, (text, *_) in enumerate(given)}
    found = {
        i: [Finding(0, len(text), kind, score, detector)]
        for i, (text, kind, detector, score) in enumerate(given)
    }
    return [group[0].type for group in one_type(texts, found).values()]


def test_a_rules_type_goes_before_a_models() -> None:
    told, guessed = ("884213", "OTHER_ID", "rules", 0.85), ("884213", "ADDRESS", "onnx", 0.99)
    assert types(told, guessed) == ["OTHER_ID", "OTHER_ID"]
    assert types(guessed, told) == ["OTHER_ID", "OTHER_ID"]


def test_separators_make_no_other_number() -> None:
    one = ("884-213", "OTHER_ID", "rules", 0.9)
    assert types(one, ("884 213", "PHONE_NUMBER", "rules", 0.6)) == ["OTHER_ID", "OTHER_ID"]


def test_words_and_house_numbers_keep_their_types() -> None:
    assert types(("12", "ADDRESS", "rules", 0.8), ("12", "OTHER_ID", "rules", 0.9)) == [
        "ADDRESS",
        "OTHER_ID",
    ]
    assert types(("reyes7", "USERNAME", "rules", 0.8), ("reyes7", "PASSWORD", "rules", 0.9)) == [
        "USERNAME",
        "PASSWORD",
    ]
    assert types(("884213", "DATE_TIME", "rules", 0.8), ("884213", "OTHER_ID", "rules", 0.9)) == [
        "DATE_TIME",
        "OTHER_ID",
    ]
