"""What stands behind a house number: floors, stairs, doors, lots of a trailer park, rural routes."""

from __future__ import annotations

import random

FLOORS = {  # a part of the house behind the number; # is a number from 1 to 9, ~ a letter
    "en": (", #th floor", ", 3rd Floor", " Bldg ~", ", Lot #", ", Rear", ", Room #0#", ", Unit ~#", " 1st fl"),
    "de": (", #. OG", " #. OG links", ", EG rechts", " Hinterhaus", ", Top #", ", Hs. ~", ", Whg. #", " #. Stock"),
    "fr": (", # étage", ", escalier ~", " esc. ~", ", appt #", ", porte #", ", résidence ~", ", #e ét."),
    "es": (", #.º~", ", #º #ª", " portal #", ", bloque #, #.º~", ", esc. #, #º~", ", local #", ", ático"),
    "it": (", piano #", ", scala ~", ", int. #", " pal. ~", ", scala ~ int. #"),
    "pt": (", #.º~", ", #º ~", ", #.º Dto.", ", bloco ~, apto #0#", ", cave", ", loja #", " Lt #, #.º ~"),
    "nl": (" #hoog", ", # hoog", "-~#", " huis", ", app. #", " unit #"), "pl": (" lok. #", "/#, #. piętro", ", kl. ~"),
    "ro": (", sc. ~, et. #, ap. #", ", bl. ~#", ", parter", ", interfon #"), "sv": (", # tr", " uppg ~", ", nb"),
    "no": (", #. etg.", " oppg. ~"), "da": (", #. sal", ", #. ~", ", kld."), "fi": (" ~ #", ", #. krs"),
}  # fmt: skip


def with_floor(rng: random.Random, line: str, language: str, country: str) -> str:
    """The line with floor, stair or door; in English also trailer parks and rural routes."""
    if language == "en" and country == "US" and rng.random() < 0.3:
        park = rng.choice(("Mobile Home Park", "Trailer Park", "MHP", "RV Park"))
        number = rng.randint(1, 190)
        return rng.choice((f"{line}, {park} Lot {number}", f"RR {number % 9 + 1} Box {number}"))
    part = rng.choice(FLOORS[language])
    return line + "".join(
        str(rng.randint(1, 9)) if c == "#" else rng.choice("ABCDE") if c == "~" else c for c in part
    )
