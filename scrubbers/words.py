"""Small word lists for names: particles, titles, mailbox roles, and names that are words."""

from __future__ import annotations


def word_list(text: str) -> list[str]:
    """The words of a block of text: how long literal lists are written here."""
    return text.split()


def phrases(text: str) -> frozenset[str]:
    """The comma-separated phrases of a block of text, spaces evened."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


PARTICLES: frozenset[str] = frozenset(
    word_list("""de del della di da do dos das du des la le las los el les van von vom zu zur zum den der ten
    ter het bin binti ibn al y e i und et and d l t v san santa saint sankt mac""")
)
TITLES: frozenset[str] = frozenset(
    word_list("""mr mrs ms miss mx dr prof sir madam sr sra srta don dona dna d m mm mme mlle me monsieur madame
    mademoiselle herr herrn frau fraulein mag med sig signor signora dott dottssa avv ing senhor
    senhora dom dra meneer mevrouw mw dhr heer encik puan cik jr senior junior md phd""")
)
ROLES: frozenset[str] = frozenset(
    word_list("""info sales support admin contact hello office help service billing accounts hr jobs noreply
    no-reply webmaster postmaster mail team orders press marketing security abuse root customer
    kontakt rechnung buchhaltung verwaltung contacto ventas soporte clientes administracion comptabilite
    service-client accueil direction amministrazione vendite assistenza geral atendimento vendas
    financeiro klantenservice verkoop administratie reservations booking bookings payments""")
)
# Given names and surnames that are also everyday words, in the seven languages.
COMMON: frozenset[str] = frozenset(
    word_list("""will may grace hope mark rose frank bill art dawn faith joy june april august summer autumn
    iris ivy lily daisy olive ruby pearl amber jade crystal ginger violet heather sky star sunny
    bob rob jack pat drew chase grant wade miles penny dean duke earl king prince bishop pope abbot
    baker cook carpenter smith mason miller turner walker fisher hunter parker porter potter shepherd
    taylor tailor ward wright young old long short black white brown green gray grey gold silver stone
    wood woods field fields hill hills lake rivers brook banks bridge church hall house park street
    price rich sharp small strong swift wise bright best good day night knight winter snow frost rain
    fox wolf bear bird finch crane drake hawk lamb bull rush reed moss berry cherry apple case page
    paige read reader bell bond cash chance charity constance prudence patience temperance felicity
    clement earnest ernest major mercy modesty noble pleasant point power rose sage see sun van
    jordan paris london austin dallas chelsea sydney israel china india france german major early
    paz luz sol mar flor flores rosa cruz leon angel angeles dolores milagros pilar remedios socorro
    consuelo soledad esperanza caridad fe gracia nieves rocio segura lagos rios campos iglesias
    delgado bueno blanco blanca moreno rubio calvo rey reyes guerra cuesta vega valle castillo torres
    puente prado pastor guerrero caballero escudero herrero zapatero hidalgo marques conde barba
    cabeza america victoria gloria alba aurora estrella perla mercedes ventura casado cortes
    pierre rose marguerite violette olive clemence prudence constance aime desire juste fort petit
    grand gros roux blanc noir brun boulanger boucher charpentier meunier berger chevalier leroy roi
    prevost garcon mercier maire moulin fontaine roche rousseau marchand page abeille bonnet leblanc
    ernst kurz lang lange klein gross groß schwarz weiss weiß braun roth rot jung alt neu graf furst
    konig kaiser herzog bauer bader becker fischer fleischer forster gerber jager kaufmann koch kramer
    kruger lehmann maier meier muller richter schafer schmidt schneider schreiber schuster schulz
    wagner weber zimmermann fuchs hahn vogel wolf hase lowe baum berg stein feld wald winter sommer
    herbst sonntag freitag mai pfarrer probst engel frohlich reich stark sauer suss wolke stern max
    rossi bianchi neri bruno felice letizia serena fortunato grazia gioia stella luce sole bella
    pace vittoria costanza clemente santo pio leone gallo ricci grasso longo greco conti fontana
    monti riva serra ferrari fabbri barbieri pastore sarti vita viola margherita perla
    neves leao cruz luz dores anjos reis santos pereira oliveira carvalho pinheiro silva costa
    ferreira ribeiro rocha ramos campos matos moreira nogueira figueira coelho lobo pinto pato vitoria
    ceu gloria fatima conceicao jesus
    bakker visser smit kuiper mulder meijer koning keizer prins graaf boer berg bos dijk vos haan
    storm sterre roos linde fleur wit zwart groot klein lang dekker kok slager jager ad daan""")
)
