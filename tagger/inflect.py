"""Cases of names, roughly: Polish, Finnish and Romanian endings, the genitive -s elsewhere."""

from __future__ import annotations

from tagger.pieces import Pieces

POLISH_F = {  # endings of women's names in -a; stems that soften are handled before
    "gen": "y", "dat": "ie", "acc": "ę", "ins": "ą", "voc": "o",
}  # fmt: skip
POLISH_M = {"gen": "a", "dat": "owi", "acc": "a", "ins": "em", "voc": "ie"}
ADJECTIVE_M = {"gen": "iego", "dat": "iemu", "acc": "iego", "ins": "im", "voc": "i"}
ADJECTIVE_F = {"gen": "iej", "dat": "iej", "acc": "ą", "ins": "ą", "voc": "a"}
SOFT_DATIVE = {"k": "ce", "g": "dze", "ch": "sze", "r": "rze", "t": "cie", "d": "dzie", "ł": "le",
               "l": "li", "sz": "szy", "cz": "czy", "rz": "rzy", "ż": "ży", "c": "cy", "j": "i"}  # fmt: skip
FINNISH = {"gen": "n", "acc": "n", "dat": "lle", "ins": "lla", "voc": ""}
BACK = set("aou")
GENITIVE_S = ("de", "nl", "sv", "no", "da")


def inflected(word: str, case: str, language: str, gender: str) -> str:
    """One word of a name in a case; as it is where the engine knows no form."""
    if len(word) < 3 or not word[-1].isalpha():
        return word
    if language == "pl":
        return polish(word, case, gender)
    if language == "fi":
        return finnish(word, case)
    if language == "ro":
        return romanian(word, case, gender)
    if case == "gen" and language in GENITIVE_S:
        return with_s(word, language)
    return word


def with_s(word: str, language: str) -> str:
    """Genitive with -s: Annas, Hans', Anna's where Dutch needs the apostrophe."""
    if word[-1].lower() in "sxzß":
        return word if language in ("sv", "fi") else word + "'"
    if language == "nl" and word[-1].lower() in "aiouy":
        return word + "'s"
    return word + "s"


def polish(word: str, case: str, gender: str) -> str:
    """Polish forms of given names and surnames."""
    low = word.lower()
    if low.endswith(("ski", "cki", "dzki")):
        return word[:-1] + ADJECTIVE_M[case]
    if low.endswith(("ska", "cka", "dzka")):
        return word[:-1] + ADJECTIVE_F[case]
    if low.endswith("a"):
        return polish_a(word[:-1], case)
    if gender == "f" or low[-1] in "oóu":
        return word
    if low[-1] in "iy":
        return word + {"gen": "ego", "dat": "emu", "acc": "ego", "ins": "m", "voc": ""}[case]
    if low[-1] == "e":
        return word
    return polish_consonant(word, case)


def polish_a(stem: str, case: str) -> str:
    """Names in -a: Anna, Anny, Annie, Annę, Anną, Anno."""
    low = stem.lower()
    if case == "gen":
        return stem + ("i" if low[-1] in "kgjl" else "" if low.endswith("i") else "y")
    if case == "dat":
        if low.endswith("i"):
            return stem + ("i" if low[-2:-1] in "rl" else "")
        for end in ("ch", "sz", "cz", "rz"):
            if low.endswith(end):
                return stem[:-2] + SOFT_DATIVE[end]
        return stem[:-1] + SOFT_DATIVE[low[-1]] if low[-1] in SOFT_DATIVE else stem + "ie"
    if case == "voc" and low.endswith(("si", "zi", "ni")):
        return stem + "u"
    return stem + POLISH_F[case]


def polish_consonant(word: str, case: str) -> str:
    """Men's names in a consonant: Jan, Jana; Marek, Marka; Paweł, Pawła."""
    low = word.lower()
    stem = word
    if len(word) > 4 and low.endswith(("ek", "eł", "er")) and low not in ("peter", "werner"):
        stem = word[:-2] + word[-1]
    if low.endswith("iec") and len(word) > 4:
        stem = word[:-3] + "c"
    if case == "ins":
        return stem + ("iem" if stem[-1] in "kg" else "em")
    if case == "voc":
        return stem + "u" if stem[-1] in "kghlszcżj" else stem + "ie"
    return stem + POLISH_M[case]


def finnish(word: str, case: str) -> str:
    """Finnish forms: Virtanen, Virtasen; Matti, Matin; Ville, Villen."""
    ending = FINNISH.get(case, "")
    if not ending:
        return word
    low = word.lower()
    if ending == "lla" and not BACK & set(low):
        ending = "llä"
    if low.endswith("nen"):
        return word[:-3] + "se" + ending
    if low[-1] in "aeiouyäöå":
        for double in ("kk", "pp", "tt"):
            if low[-3:-1] == double:
                return word[:-2] + word[-1] + ending
        return word + ending
    return word + "i" + ending


def romanian(word: str, case: str, gender: str) -> str:
    """Romanian genitive-dative of women's names: Maria, Mariei; Ana, Anei."""
    if case not in ("gen", "dat") or gender != "f" or word[-1] != "a":
        return word
    stem = word[:-1]
    return stem + ("ăi" if stem[-1] in "cg" else "ei")


def possessive(pieces: Pieces, language: str, gender: str) -> Pieces:
    """A name that owns something: English 's outside the span, the genitive elsewhere."""
    text, label = pieces[-1]
    if language == "en":
        return [*pieces, ("'" if text.endswith("s") and len(text) % 2 else "'s", None)]
    if language in GENITIVE_S:
        return [*pieces[:-1], (with_s(text, language), label)]
    return in_case(pieces, "gen", language, gender)


def in_case(pieces: Pieces, case: str, language: str, gender: str) -> Pieces:
    """Every word of a name in the case; Romanian men's names take "lui" before the span."""
    if language in GENITIVE_S:
        text, label = pieces[-1]
        return [*pieces[:-1], (inflected(text, case, language, gender), label)]
    out: Pieces = []
    for text, label in pieces:
        if label is None:
            out.append((text, label))
            continue
        words = text.split(" ")
        last = len(words) - 1
        if language == "fi":  # only the last word takes the ending
            words[last] = inflected(words[last], case, language, gender)
        elif language == "ro":
            words[0] = inflected(words[0], case, language, gender)
        else:
            words = [inflected(word, case, language, gender) for word in words]
        if language == "ro" and gender == "m" and case in ("gen", "dat") and not out:
            out.append(("lui ", None))
        out.append((" ".join(words), label))
    return out
