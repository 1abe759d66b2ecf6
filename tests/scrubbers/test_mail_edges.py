"""Where a mailbox begins when a URL or a query runs into it."""

from __future__ import annotations

import pytest

from scrubbers.detect import DetectorSettings, build
from scrubbers.mail_edges import local_start
from scrubbers.passage import Passage
from scrubbers.surrogates.ranges import in_range

# in front of the at sign -> the local part
LOCAL = {
    "shop.acme.example/account?email=ana.reyes": "ana.reyes",
    "acme.example/?next=%2Fuser%3Fmail%3Dana.reyes": "ana.reyes",
    "acme.example/?next=%252Fuser%253Fmail%253Dana.reyes": "ana.reyes",
    "acme.example/u/ana.reyes": "ana.reyes",
    "acme.example/a#ana.reyes": "ana.reyes",
    "a=1&ana": "ana",
    "a=1&to=ana%2Btag": "ana%2Btag",
    "key|ana": "ana",
    "mailto:ana": "ana",
    "o'brien+tag": "o'brien+tag",
    "ana&eva": "ana&eva",
    "user=maria.it": "maria.it",
    "bounces+12=ana=mail.example": "bounces+12=ana=mail.example",
    "to=ana=mail.example": "ana=mail.example",
    "SRS0=ab=de=mail.example=ana": "SRS0=ab=de=mail.example=ana",
    "acme.example/?m=prvs=12=ana": "prvs=12=ana",
    "/G=ana/S=reyes/": "/G=ana/S=reyes/",
    '"a/b"': '"a/b"',
    "Ana Reyes <ana": "Ana Reyes <ana",
}


@pytest.mark.parametrize("text", LOCAL)
def test_the_local_part_begins_behind_what_is_none(text: str) -> None:
    assert text[local_start(text, 0, len(text)) :] == LOCAL[text]


@pytest.mark.parametrize("at", ["@", "%40", "%2540"])
def test_no_detector_takes_a_url_for_a_mailbox(at: str) -> None:
    text = f"see https://shop.acme.com/account?email=ana.reyes{at}web.de"
    (found,) = build(DetectorSettings(("rules", "presidio")))([Passage(text, "en")])
    mails = [text[f.start : f.end] for f in found if f.type == "EMAIL_ADDRESS"]
    assert mails == [f"ana.reyes{at}web.de"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("shop.moorloft.com/a?email=karlom@moorloft.example", False),
        ("https://shop.moorloft.com:8080/karlom%40moorloft.example", False),
        ("a@moorloft.example,https://moorloft.com/b@moorloft.example", False),
        ("shop.moorloft.example/a?email=karlom@moorloft.example", True),
        ("karl.om/b@moorloft.example", False),
        ("karl.om@moorloft.example", True),
    ],
)
def test_hosts_in_front_of_the_at_sign_are_judged(text: str, told: bool) -> None:
    assert in_range("EMAIL_ADDRESS", text, None, valid=False) is told
