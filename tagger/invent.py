"""Invented names: syllables by several sound patterns, so that no list holds what is a name."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sounds:
    """What syllables begin with, what they sound like, what they and the name end with."""

    onset: tuple[str, ...]
    vowel: tuple[str, ...]
    coda: tuple[str, ...]
    last: tuple[str, ...]


def sounds(onset: str, vowel: str, coda: str, last: str) -> Sounds:
    """Sounds of lists with spaces; "-" is nothing."""
    parts = (
        tuple("" if p == "-" else p for p in row.split()) for row in (onset, vowel, coda, last)
    )
    return Sounds(*parts)


PATTERNS = (  # of no language; the names only have to be spoken somehow
    sounds("b d f g k l m n s t w y j z ch sh ny ng mb nd", "a e i o u a o u", "- - - -", "- - - la wa ni ye ra"),
    sounds("b d k l m n r t sh gh kh q z h f j", "a i u a aa ee ou", "- - - l m n r h d z", "- an i eh ullah in ad ar a"),
    sounds("br kr tr gr st str v z d l m n p sl zd pr", "a e i o u y", "- - l n r s v k", "ov ska ek ic an il ena aw ko enko - ik"),
    sounds("b d f g h k l m n r s t w th br gr cl fl wh", "a e i o u ea oo ay", "- - ck ll n r rt sh ld x", "- er ley ton by ett ine elle ie y son"),
    sounds("b c d f g l m n p r s t v j ll ñ ch", "a e i o u ia ue", "- - - n r s l", "- o a es ez ito ina al or e"),
    sounds("x q zh j sh w y l h ch g d t m n b", "a e i o u ia ao ei uo", "- - n ng", "- -"),
    sounds("k h s t n m y r sh ts w b g", "a i u e o", "- - - n", "- ko to mi ka ro e -"),
    sounds("h j k l m n p r s t v", "a e i o u ä ö aa ii uu ei ie", "- - n s l", "- nen la kka ri o u -"),
    sounds("t k p m n l v s r f h", "a e i o u ua oa ai", "- - - -", "- - ni lau tua fo"),
    sounds("b g ll d m n rh tr g c p", "a e o w y ei ae", "- n r dd th l", "- wen yn ion an ydd"),
    sounds("b g p ch k th t s d n m v r kr pr j", "a e i o u aa", "- - n sh r l", "- a an esh athi endra av ini ya pal"),
    sounds("a e o i ad ol em yem tem ay", "d b k l m n r s f", "- a e i o u", "de la yi wa bi olu emi -"),
)  # fmt: skip
MARKS = str.maketrans("aeiouAEIOUcszngl", "áéíóúÁÉÍÓÚčšžňğł")
LONGEST, SHORTEST = 11, 3


def invented(rng: random.Random) -> str:
    """A name nobody listed, with a capital; now and then with an accent, an apostrophe, a hyphen."""
    for _ in range(20):
        name = syllables(rng, rng.choice(PATTERNS), rng.choice((1, 1, 1, 2, 2, 2)))
        if SHORTEST <= len(name) <= LONGEST:
            break
    dice = rng.random()
    if dice < 0.12:
        at = rng.randrange(len(name))
        name = name[:at] + name[at].translate(MARKS) + name[at + 1 :]
    elif dice < 0.15:
        return rng.choice(("O'", "D'", "N'", "Mc", "Mac", "Al-", "El-")) + name.capitalize()
    elif dice < 0.18:
        other = syllables(rng, rng.choice(PATTERNS), 1)
        return f"{name.capitalize()}-{other.capitalize()}" if len(other) > 1 else name.capitalize()
    return name[0].upper() + name[1:]


def syllables(rng: random.Random, of: Sounds, number: int) -> str:
    """So many syllables and an ending."""
    out = "".join(
        rng.choice(of.onset) + rng.choice(of.vowel) + rng.choice(of.coda) for _ in range(number)
    )
    end = rng.choice(of.last)
    if end and out[-1] in "aeiouäöy" and end[0] in "aeiouy":
        out = out[:-1]
    return out + end
