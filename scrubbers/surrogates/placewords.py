"""Words of addresses and of organisations that say what something is, not which."""

from __future__ import annotations

from scrubbers.surrogates.words import words

STREET_WORDS = words("""
    street st str road rd avenue ave av avda avd lane ln drive dr way wy court ct place pl square
    sq terrace ter boulevard blvd bv bvd close crescent cres gardens gdns park parkway pkwy highway
    hwy route rte rr trail trl trlr trailer circle cir loop row mews walk hill view bend bnd shore
    ridge rdg alley aly plaza plz pike bypass expressway mount mt unit apt apartment suite ste flat
    floor fl room rm building bldg block blk lot po box pob house way villa studio basement
    north south east west n s w ne nw se sw nord sud ouest est sur norte este oeste northwest
    northeast southwest southeast
    calle c avenida paseo plaza pza plza pasaje pje camino carretera ctra ronda travesia travesía
    glorieta urbanizacion urb colonia col barrio piso pta puerta planta escalera esc izq izda izquierda
    dcha dch derecha bajo atico ático entresuelo local nave portal bloque no num núm número nº n º int
    ext interior exterior depto departamento dpto cp manzana mz lote casa edificio torre sector
    rue r avenue quai chemin impasse allée allee allées cours place passage sentier faubourg route
    lieu dit lieudit bis ter quater bât bâtiment batiment étage etage appartement appt escalier cedex
    bp résidence residence villa square pont
    straße strasse str weg platz gasse allee ring damm ufer hof chaussee steig stiege wohnung whg
    hinterhaus vorderhaus etage eg og dg stock am an auf im in hinter hinterm unter unterm vor ob
    via viale piazza pzza piazzale corso vicolo largo strada contrada scala interno sc fraz località
    loc snc palazzina
    rua avenida travessa praça praca largo alameda estrada rodovia andar bloco apto fundos esq dto
    lote quadra
    straat laan weg plein gracht kade singel dijk steeg hof bus toev verdieping etage
    ulica ul al aleja aleje plac os osiedle m lok mieszkanie
    """)
STREET_ENDS = (
    "strasse", "straße", "str", "allee", "platz", "gasse", "damm", "ring", "ufer", "chaussee",
    "steig", "straat", "laan", "plein", "gracht", "singel", "kade", "dijk", "steeg", "gatan",
    "vagen", "vägen", "gata", "vej", "gade", "veien", "gaten", "katu", "weg",
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
