"""Numbers and letters in words, in nine languages: what a dictated code consists of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from scrubbers.surrogates.text import fold

# 0 to 19; 20, 30, ... 90 ("-": the ten before and 10 to 19); 100, 200, ... 900 ("_" a space).
BASICS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
    " diecisiete dieciocho diecinueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " dix-sept dix-huit dix-neuf",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
    " sechzehn siebzehn achtzehn neunzehn",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici"
    " quindici sedici diciassette diciotto diciannove",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis"
    " dezessete dezoito dezenove",
    "nl": "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien"
    " zestien zeventien achttien negentien",
    "pl": "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście"
    " trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
}
TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante - quatre-vingt -",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pl": "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt"
    " dziewięćdziesiąt",
}
HUNDREDS = {
    "en": "one_hundred two_hundred three_hundred four_hundred five_hundred six_hundred seven_hundred"
    " eight_hundred nine_hundred",
    "es": "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    "fr": "cent deux_cent trois_cent quatre_cent cinq_cent six_cent sept_cent huit_cent neuf_cent",
    "de": "hundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert"
    " neunhundert",
    "it": "cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento",
    "pt": "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    "nl": "honderd tweehonderd driehonderd vierhonderd vijfhonderd zeshonderd zevenhonderd achthonderd"
    " negenhonderd",
    "pl": "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset",
}
BEHIND_HUNDREDS = {"de": "", "it": "", "nl": "", "pt": " e "}
# Other words for 1 to 19 and the tens, also inside longer numbers; the last row: for that number alone.
OTHERS = {
    "en": "0=oh 0=nought 0=naught 0=nil 9=niner 40=fourty",
    "es": "1=un 1=una",
    "fr": "1=une 70=septante 80=huitante 80=octante 90=nonante",
    "de": "1=ein 1=eine 2=zwo 5=fuenf 12=zwoelf 15=fuenfzehn 30=dreissig 50=fuenfzig",
    "it": "1=un 1=una",
    "pt": "1=uma 2=duas 6=meia 14=quatorze 16=dezasseis 17=dezassete 19=dezanove",
    "nl": "",
    "pl": "",
}
ALONE = {
    "en": "100=hundred",
    "es": "100=cien",
    "fr": "80=quatre-vingts",
    "pt": "100=cem",
    "de": "100=einhundert",
}
DOUBLE = {
    "en": "double=2 triple=3", "es": "doble=2 triple=3", "fr": "double=2 triple=3",
    "de": "doppel=2 doppelt=2 dreimal=3 zweimal=2", "it": "doppio=2 triplo=3", "pt": "duplo=2 dobro=2 triplo=3",
    "nl": "dubbel=2 dubbele=2 driemaal=3", "pl": "podwójne=2 podwójny=2 potrójne=3",
}  # fmt: skip
SIGNS = {
    "en": "-=dash -=hyphen -=minus _=underscore /=slash /=stroke +=plus .=dot @=at",
    "es": "-=guion -=menos _=guion_bajo _=subguion _=barra_baja /=barra +=más .=punto @=arroba",
    "fr": "-=tiret -=trait_d_union _=tiret_bas _=souligné _=underscore _=tiret_du_bas /=barre +=plus .=point"
    " @=arobase @=arrobase @=arobas",
    "de": "-=bindestrich -=minus -=strich _=unterstrich /=schrägstrich /=slash +=plus .=punkt @=at @=ät"
    " @=klammeraffe",
    "it": "-=trattino -=meno _=trattino_basso _=underscore /=barra /=slash +=più .=punto @=chiocciola @=at",
    "pt": "-=hífen -=traço -=tracinho _=underline _=sublinhado _=traço_baixo /=barra +=mais .=ponto @=arroba",
    "nl": "-=streepje -=koppelteken -=min _=underscore _=laag_streepje /=schuine_streep /=slash +=plus .=punt"
    " @=apenstaartje @=at",
    "pl": "-=myślnik -=minus -=kreska _=podkreślnik _=podkreślenie /=ukośnik +=plus .=kropka @=małpa",
}  # fmt: skip
# Names of letters, a to z, "-" where the letter itself is said; then other names.
LETTERS = {
    "en": "- bee cee dee - eff gee aitch - jay kay ell em en - pee cue - ess tee - vee double_u ex wye zed"
    " c=see q=queue z=zee",
    "es": "- be ce de - efe ge hache - jota ka ele eme ene - pe cu ere ese te - uve uve_doble equis ye zeta"
    " r=erre v=ve w=doble_ve w=doble_u y=i_griega b=be_larga v=ve_corta",
    "fr": "- bé cé dé - effe gé hache - ji ka elle emme enne - pé - erre esse té - vé double_vé ixe i_grec zède"
    " i=ji",
    "de": "- be ce de - ef ge ha - jot ka el em en - pe ku er es te - vau we ix ypsilon zett",
    "it": "- bi ci di - effe gi acca - i_lunga kappa elle emme enne - pi cu erre esse ti - vu doppia_vu ics"
    " ipsilon zeta v=vi w=doppia_vi w=doppio_vu w=vu_doppia y=i_greca x=ix",
    "pt": "- bê cê dê - efe gê agá - jota cá ele eme ene - pê quê erre esse tê - vê dáblio xis ípsilon zê"
    " w=duplo_vê k=capa",
    "nl": "- bee cee dee - ef gee haa - jee kaa el em en - pee kuu er es tee - vee wee iks ij zet y=ypsilon",
    "pl": "- be ce de - ef gie ha - jot ka el em en - pe ku er es te - fau wu iks igrek zet",
}  # fmt: skip
NATO = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa"
    " quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu"
)
# Words between a letter and the word that explains it, written together.
LINKS = {
    "en": "for asin like", "es": "de como comoen", "fr": "comme de", "de": "wie", "it": "come di",
    "pt": "de como", "nl": "van als", "pl": "jak",
}  # fmt: skip
LANGUAGES = tuple(BASICS)
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of one language mean, folded and written together -> digits, letter or sign."""

    numbers: dict[str, str]
    letters: dict[str, str]
    nato: dict[str, str]
    signs: dict[str, str]
    doubles: dict[str, int]
    links: frozenset[str]


@cache
def words_of(lang: str) -> Words:
    """The table of a language."""
    listed = LETTERS[lang].split()
    letters = dict(zip(map(together, listed[:26]), ALPHABET, strict=True))
    letters.pop("", None)
    pairs = (item.split("=") for item in listed[26:])
    letters |= {together(name): letter for letter, name in pairs}
    nato = dict(zip(map(together, NATO.split()), ALPHABET, strict=True))
    nato |= {"alpha": "a", "juliet": "j", "whisky": "w"}
    signs = {together(name): sign for sign, name in (i.split("=") for i in SIGNS[lang].split())}
    doubles = {together(w): int(n) for w, n in (i.split("=") for i in DOUBLE[lang].split())}
    return Words(numbers(lang), letters, nato, signs, doubles, frozenset(LINKS[lang].split()))


def together(words: str) -> str:
    """Words folded and written together, as the reader looks them up."""
    return "".join(char for char in fold(words) if char.isalpha())


@cache
def numbers(lang: str) -> dict[str, str]:
    """Every way to say 0 to 999 -> the digits."""
    found = {}
    for number, word in (*pairs(OTHERS[lang]), *pairs(ALONE.get(lang, ""))):
        found[together(word)] = str(number)
    for number, word in pairs(OTHERS[lang]):
        basics, tens = swapped(lang, number, word)
        found |= {together(below(lang, n, basics, tens)): str(n) for n in range(20, 100)}
    for n in range(999, -1, -1):
        found[together(say(lang, n))] = str(n)
        if lang == "en" and n > 100 and n % 100:
            found[together(say(lang, n // 100 * 100) + "and" + say(lang, n % 100))] = str(n)
    return found


def pairs(items: str) -> list[tuple[int, str]]:
    """Numbers and words of a row like "1=un 2=zwo"."""
    split = (item.split("=") for item in items.split())
    return [(int(number), word) for number, word in split]


def swapped(lang: str, number: int, word: str) -> tuple[list[str], list[str]]:
    """The tables of a language with another word for one number."""
    basics, tens = BASICS[lang].split(), TENS[lang].split()
    if number < 20:
        basics[number] = word
    else:
        tens[number // 10 - 2] = word
    return basics, tens


def say(lang: str, number: int) -> str:
    """0 to 999 in words."""
    hundred, rest = divmod(number, 100)
    tail = (
        below(lang, rest, BASICS[lang].split(), TENS[lang].split()) if rest or not hundred else ""
    )
    if not hundred:
        return tail
    head = HUNDREDS[lang].split()[hundred - 1].replace("_", " ")
    return head + (BEHIND_HUNDREDS.get(lang, " ") + tail if tail else "")


def below(lang: str, number: int, basics: list[str], tens: list[str]) -> str:
    """0 to 99 in words."""
    if number < 20:
        return basics[number]
    ten, unit = tens[number // 10 - 2], number % 10
    if ten == "-":
        ten, unit = tens[number // 10 - 3], unit + 10
    if not unit:
        return ten
    return join_tens(lang, ten, basics[unit], unit)


def join_tens(lang: str, ten: str, one: str, unit: int) -> str:
    """The words for a ten and a unit put together."""
    ways = {
        "fr": f"{ten} et {one}" if unit in (1, 11) and ten != "quatre-vingt" else f"{ten}-{one}",
        "es": f"veinti{one}" if ten == "veinte" else f"{ten} y {one}",
        "it": (ten[:-1] if unit in (1, 8) else ten) + ("tré" if unit == 3 else one),
        "de": ("ein" if one == "eins" else one) + "und" + ten,
        "nl": one + ("ën" if one[-1] == "e" and unit > 1 else "en") + ten,
        "pt": f"{ten} e {one}",
    }
    return ways.get(lang, f"{ten} {one}")
