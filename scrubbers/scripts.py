"""Runs in other scripts than the Latin one: whose language they are, and which can hold a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.words import word_list

# Runs with the language that uses each most. A run is two characters where one is a word, else
# three letters (a Greek letter in a formula is none).
SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff][\u3040-\u30ff\u4e00-\u9fff]+")),
    ("ko", re.compile(r"[\u1100-\u11ff\uac00-\ud7af]{2,}")),
    ("zh", re.compile(r"[\u3400-\u9fff]{2,}")),
    ("th", re.compile(r"[\u0e00-\u0e7f]{3,}")),
    ("el", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{3,}")),
    ("he", re.compile(r"[\u0590-\u05ff]{3,}")),
    ("hi", re.compile(r"[\u0900-\u097f]{3,}")),
    ("ar", re.compile(r"[\u0600-\u06ff]{3,}")),
    ("ru", re.compile(r"[\u0400-\u04ff]{3,}")),
)
_EAST = frozenset({"ja", "ko", "zh"})
_CASED = frozenset({"el", "ru"})
# A run of up to so many characters is a word that is spoken of, unless it can be a name.
SHORT = 4
# How Chinese, Korean and Japanese full names begin: the commonest surnames, which cover some
# nine in ten people in China and Korea and are cut short for Japan.
_SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾萧蕭田董袁潘于蒋蔣蔡余杜"
    "叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫段雷侯龙龍史陶黎贺賀顾顧毛"
    "郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯김이박최정강조윤장임한오서신권황안송류전홍유고문양손배백허남심노하곽성차주우구나민진지엄채원천방공현함변염"
)
_JAPANESE = word_list(
    """佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田 山田 佐々 山口 松本 井上 木村 斎藤 斉藤 清水 山崎 阿部 森田 池田
    橋本 石川 山下 中島 小川 前田 岡田 長谷 藤田 後藤 近藤 村上 遠藤 青木 坂本 福田 太田 西村 藤井 岡本 藤原 三浦 中野 原田 中川
    松田 竹内 小野 田村 中山 和田 石田 上田 森本 原口 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 安藤 島田 谷口 大野 丸山 今井 高田"""
)
_QUOTES = "\"'`“”‘’«»「」『』()（）"


def foreign_scripts(text: str) -> list[str]:
    """The languages of runs in other scripts than the Latin one, in a fixed order."""
    if text.isascii():
        return []
    found = [language for language, script in SCRIPTS if script.search(text)]
    return [language for language in found if not (language == "zh" and "ja" in found)]


def unread_scripts(text: str) -> list[str]:
    """Those of the foreign scripts in which a name could stand.

    A word of up to four characters, or a single word in quotes, that a Latin text speaks of is
    none; one that begins like a full name of its language always counts.
    """
    found = foreign_scripts(text)
    return [language for language in found if any(_counts(text, language))]


def _counts(text: str, language: str) -> Iterator[bool]:
    shares = SCRIPTS[:3] if language == "ja" else [(language, dict(SCRIPTS)[language])]
    for _, script in shares:
        for run in script.finditer(text):
            yield _can_be_name(text, run.start(), run.end(), language)


def _can_be_name(text: str, start: int, end: int, language: str) -> bool:
    word = text[start:end]
    short = end - start <= SHORT
    before, after = text[start - 1 : start], text[end : end + 1]
    quoted = bool(before and after) and before in _QUOTES and after in _QUOTES
    if language in _EAST:
        return _begins_like_name(word) or not (short or quoted)
    if language in _CASED:
        return not word.islower() or not (short or quoted)
    return not quoted


def _begins_like_name(word: str) -> bool:
    """Whether a run begins with a common surname and has room for a given name."""
    return len(word) > 1 and (word[0] in _SURNAMES or word[:2] in _JAPANESE)
