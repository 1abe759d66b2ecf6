"""Short word lists: what is no name, and what a surrogate must never be."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


def ordered(text: str) -> tuple[str, ...]:
    """The words of a text, in their order."""
    return tuple(text.split())


TITLES = words("""
    mr mrs ms mx miss mister dr doctor prof professor sir madam maam lord lady dame rev reverend
    hon judge justice capt captain col gen lt sgt officer nurse
    herr herrn frau hr fr fräulein dipl ing mag med phil rer nat iur jur habil stb rain ra
    sr sra srta sres señor señora señorita don doña dña dn lic licda lcdo arq
    mme mlle mm mgr maitre monsieur madame mademoiselle docteur professeur
    sig sigra sigrina signor signore signora signorina dott dottssa dottoressa dottor avv avvocato
    geom rag egr gent spett prof.ssa
    dhr mevr mw mej drs ir mevrouw meneer heer
    pan pani panna mgr inż dra doutor doutora senhor senhora dona eng engo enga
    phd md dds dvm jr junior snr senior ii iii iv esq bsc msc mba cpa rn ing
    г-н г-жа господин госпожа κ κος κα さん 様 先生 氏 선생님 씨 先生 女士 小姐
    """)

PARTICLES = words("""
    v st ste de da do dos das del della dello delle dei degli di la las los lo le les du des d l
    van von vom vander vanden vande vonder zu zum zur der den dem ten ter te t het op aan in
    bin ibn bint binti binte ben al el abu abd y e i u und et and af av of dela delos delas s
    dal dall dalla dalle dallo dai dagli tot ul ur saint sainte sankt sint
    """)
BETWEEN = PARTICLES - {"ben"}  # what is a particle also in front; Ben may be a given name there
SAINTS = {"saint": ("st",), "sainte": ("ste",), "sankt": ("st",), "sint": ("st",)}
NOBLE = words(
    "freiherr freifrau freiin graf gräfin fürst fürstin prinz prinzessin baron baronin ritter edler"
)
# Written together with the name in mailbox and user names, longest first.
JOINED = (
    "vander", "vanden", "vonder", "delos", "delas", "vande", "della", "dela", "van", "von", "del",
    "dos", "das", "de", "di", "da", "du", "al", "el",
)  # fmt: skip
# An initial of two letters: Th. for Theodora.
DIGRAPHS = ordered("th ch ph sh kh zh sz cz dz gh rh ts wh yu")
# What a shortened name may end on beside its own letters: Rosi, Pierrot, Juanito.
SHORT_ENDINGS = ordered(
    "i y ie ey ito ita inho inha ot otte ette chen lein le li el ke ka tje je z za nie ny ko ek us sia sha cho cha"
)
CAMEL_HEADS = frozenset(("mc", "mac", "de", "di", "du", "da", "la", "le", "van", "von", "o", "st"))

ROLES = words("""
    info sales support service services help helpdesk hello hola hallo contact contacto kontakt
    contatto contato office admin administrator administration administracion root webmaster
    postmaster hostmaster abuse noreply reply no do not donotreply mailer daemon team jobs careers
    hr rrhh billing invoice invoices rechnung rechnungen facturas factura facturation fattura
    fatture accounts accounting buchhaltung comptabilite contabilidad amministrazione orders order
    pedidos bestellung bestellungen commandes ordini marketing press presse prensa media news
    newsletter feedback legal privacy datenschutz security dpo it dev ops oncall ledger test user
    users guest customer customers client clients clientes kunden kundenservice service ventas
    vendite verkauf reservas booking bookings reservations reception rezeption recepcion shop store
    mail email web www api app bot svc system backup scan scanner print server db git ci build
    schaden sinistres siniestros official the real com org net
    """)

# In camel case beside a name: getAnaReyesInvoice.
CODE_WORDS = words("""
    get set is has load save fetch create update delete find send make new old my the by for of to
    on from with and user customer client invoice account order profile data info id name email
    mail address phone record test list item key value url file path order payment report handler
    service controller model view page form object type class fn func method do run copy tmp temp
    """)

# Never a surrogate: they read as ordinary words, months or places in the middle of a sentence.
COMMON = words("""
    will grace may june july april august rose mark art bill bob rob jack frank hope joy faith
    summer autumn dawn eve ivy lily daisy violet ruby pearl jade amber crystal ginger heather iris
    olive sage rich chase drew pat sue gene dean earl duke king prince guy guys jean dale glen
    cliff clay cash chance chip dick don max miles norm page paige penny piper price ray reed rusty
    sandy skip stone sunny tab teddy van wade ward wayne wood woods young white black brown green
    gray grey long short small little good best rice bush bell berry bird fish fox wolf lamb banks
    bond bowman butler carpenter cook cooper farmer fisher fuller gardener hunter mason miller
    parker porter potter shepherd smith taylor turner walker weaver wright day week month winter
    spring snow rain storm hill field ford lake rivers brooks park parks house hall church castle
    street lane major general church law love power case case cross hand head foot hart moon star
    sun sky north west east south england france paris london austin dallas houston phoenix
    savannah brooklyn sydney florence vienna geneva lorraine israel jordan chad india china asia
    america carolina georgia virginia dakota montana alba sol luz paz cruz blanca dolores angel
    jesus mercedes pilar rocio consuelo amparo remedios socorro esperanza caridad leon lobo mayo
    abril julio rey reyes prado serrano montes campo flor flores ros pino pena casas iglesia bello
    bueno blanco rubio moreno calvo delgado gordo rojo leal guerra cuesta vega rivera soler luna
    roman vera salas mora soto pastor ramos peso toro mata gallo bosch marin salud gloria victoria
    claire blanche aime aimee constance prudence noel pascal olivier marin marine mercier
    lang klein gross kurz wolf koch bauer fuchs vogel sommer winter kaiser koenig konig jung alt
    rot weiss schwarz braun stark ernst frei gut lieb engel horn stein berg busch wald sonntag
    freitag montag bach bock hahn haase hase fink krause rose lilie
    rosa bianca bianchi rossi neri verdi conti costa villa gatti leone longo grasso basile sala
    serra valle bruno ferro marino fiore mare sole bella dora alma anima vita
    branco pinto leite coelho pereira oliveira pinheiro lima cunha machado ribeiro barros matos
    reis rocha moura neves campos mel vale prata cardoso carneiro cordeiro leal
    jong groot bos berg dijk vos visser bakker kok smit mulder boer haan
    null none true false test user name info admin data date anon unknown
    """)
