"""Words of addresses and of organisations that say what something is, not which."""

from __future__ import annotations

from scrubbers.surrogates.words import words

STREET_WORDS = words("""
    street st str road rd avenue ave av avda avd lane ln drive dr way wy court ct place pl square
    sq terrace ter boulevard blvd bv bvd close crescent cres gardens gdns park parkway pkwy highway
    hwy route rte rr trail trl trlr trailer circle cir loop row mews walk hill view bend bnd shore
    ridge rdg alley aly plaza plz pike bypass expressway mount mt unit apt apartment suite ste flat
    floor fl room rm building bldg block blk lot po box pob house way villa studio basement
    north south east west n s w ne nw se sw nord sud ouest est ovest süd ost sur norte este oeste northwest
    northeast southwest southeast
    calle c avenida paseo plaza pza plza pasaje pje camino carretera ctra ronda travesia travesía
    glorieta urbanizacion urb colonia col barrio piso pta puerta planta escalera esc izq izda izquierda
    dcha dch derecha bajo atico ático entresuelo local nave portal bloque no num núm número nº n º int
    ext interior exterior depto departamento dpto cp manzana mz lote casa edificio torre sector
    rue r avenue quai chemin impasse allée allee allées cours place passage sentier faubourg route
    lieu dit lieudit bis ter quater bât bâtiment batiment étage etage appartement appt escalier cedex
    bp résidence residence villa square pont
    straße strasse str weg platz gasse allee ring damm ufer hof chaussee steig stiege wohnung whg
    hinterhaus vorderhaus etage eg og dg stock top am an auf im in hinter hinterm unter unterm vor ob
    via viale piazza pzza zza za so go piazzale corso vicolo largo strada contrada scala interno sc fraz località
    loc snc palazzina
    rua avenida travessa praça praca largo alameda estrada rodovia andar bloco apto fundos esq dto
    lote quadra
    straat laan weg plein gracht kade singel dijk steeg hof bus toev verdieping etage noord zuid oost pad dreef
    ulica ul al aleja aleje plac os osiedle m lok mieszkanie
    """)
STREET_ENDS = (
    "strasse", "straße", "str", "allee", "platz", "gasse", "damm", "ring", "ufer", "chaussee",
    "steig", "straat", "laan", "plein", "gracht", "singel", "kade", "dijk", "steeg", "gatan",
    "vagen", "vägen", "gata", "vej", "gade", "veien", "gaten", "katu", "weg", "pad", "dreef",
    "markt", "graben", "brücke", "kaai", "steenweg",
)  # fmt: skip
ORGANISATION_WORDS = words("""
    gmbh ag kg ohg ug gbr ev eg se partg mbb kgaa inc incorporated ltd limited llc llp lp plc corp
    corporation co company sa sas sarl eurl sl slu sal cv ltda lda srl spa snc sas bv nv vof cv ab as
    asa oy oyj aps a/s zoo sp z o s.a. de group gruppe grupo groupe gruppo holding holdings bank banco
    banca banque hospital clinic klinik clinica clinique hôpital krankenhaus university universität
    universidad université università school college institute institut instituto stiftung foundation
    fundación ministry department agency services service consulting solutions systems software
    technologies technology tech insurance seguros versicherung assurance assicurazioni verzekeringen
    the of and for y e et und und und i cía cia compagnie söhne sohne sons bros brothers fils figlio figli
    hijos partners associates mobile media energy energie pharma logistics freight marine services
    international global national north south east west
    hotel inn restaurant café cafe bakery
    """)
# Countries stay beside a town: they fit its postcode. Alone they are replaced by a made-up place.
COUNTRIES = frozenset(name.strip() for name in """
    spain|españa|espagne|spanien|spagna|espanha|spanje|hiszpania|france|francia|frankreich|frança
    frankrijk|francja|germany|alemania|allemagne|deutschland|germania|alemanha|duitsland|niemcy
    italy|italia|italie|italien|itália|italië|włochy|portugal|portogallo|portugalia|netherlands
    the netherlands|nederland|países bajos|pays-bas|niederlande|paesi bassi|países baixos|holandia
    poland|polska|polonia|pologne|polen|polônia|polónia|united kingdom|great britain|uk|u.k.|england
    scotland|wales|northern ireland|reino unido|royaume-uni|großbritannien|regno unito|inglaterra
    angleterre|inghilterra|engeland|united states|united states of america|usa|u.s.a.|estados unidos
    états-unis|vereinigte staaten|stati uniti|verenigde staten|stany zjednoczone|mexico|méxico|mexique
    mexiko|messico|canada|canadá|kanada|belgium|belgique|belgië|belgien|bélgica|belgio|austria
    österreich|autriche|oostenrijk|áustria|switzerland|schweiz|suisse|svizzera|suiza|suíça|zwitserland
    ireland|irlanda|irlande|irland|ierland|éire|brazil|brasil|brésil|brasilien|brasile|brazilië
    sweden|sverige|suecia|suède|schweden|svezia|suécia|zweden|norway|norge|noruega|norvège|norwegen
    denmark|danmark|dinamarca|danemark|dänemark|finland|suomi|finlandia|finlande|finnland|argentina
    argentine|argentinien|chile|chili|colombia|colombie|kolumbien|peru|perú|pérou|ecuador|uruguay
    paraguay|bolivia|venezuela|cuba|australia|australie|australien|new zealand|india|inde|indien
    """.replace("\n", "|").split("|") if name.strip())  # fmt: skip
# What stands before a postcode with a dash: "CH-8001".
COUNTRY_CODES = words(
    "A B D E F I L P S AT BE BR CA CH CZ DE DK ES FI FR GB IE IT LU MX NL NO PL PT SE SK US"
)
