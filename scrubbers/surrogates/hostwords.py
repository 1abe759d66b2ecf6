"""Words of host names and addresses that stay, and those of which made-up ones are composed."""

from __future__ import annotations

from scrubbers.surrogates.words import ordered, words

SECOND_LEVEL = words("co com org net gov ac edu gob gouv ltd or ne go mil nom plc me sch nhs")
SUBDOMAINS = words("""www mail smtp imap pop mx ns app api web shop store intra intranet vpn git cdn static dev test
    stage staging prod portal support help blog news m mobile en es fr de it pt nl pl eu us uk login
    auth sso admin files docs wiki status hooks errs""")
PATH_WORDS = words("""api v1 v2 v3 users user u profile profiles people person in id index html htm php asp aspx
    jsp search q query page pages login logout account accounts settings docs doc file files images
    img static assets css js json xml pdf png jpg blog post posts article articles news item items
    product products order orders cart checkout en es fr de it pt nl pl s t p c d e r w core utm
    source medium campaign ref lang view edit new download upload public private status issues
    pull blob tree main master team group groups channel watch v wiki""")
STEMS = ordered(
    """
    alder amber ash aspen bay beech birch brae briar bridge brook cairn cedar cliff clover
    cobalt coral cove crest dale delta dune elder elm ember fen fern field fjord flint forge fox
    frost gale glade glen grove gull hazel heath heron hill holly indigo iris isle ivory jasper
    juniper kestrel lake larch lark laurel lichen linden loch lotus lynx maple marsh meadow mesa
    mill mint mist moor moss myrtle north oak onyx opal orchid osprey otter pebble pine plover
    poplar quarry quartz quill raven reed ridge river robin rook rowan rush sable sage sedge
    shale shore sierra silver slate sorrel spruce stone summit swift teal thistle thorn tide
    tundra umber vale violet walnut wharf willow wren yarrow zephyr
    """
)
ENDS = ordered(
    """
    bank base beam bell bend bridge burn cast craft crest dale deck den desk edge fall field
    flow ford forge gate glen grid grove haven hold house hub lab land lane leaf line link loft
    mark mead mere mill mint mont nest path peak pier plex point port post reach ridge rise root
    sail shed shore side span spark spring stack stead stone tide trail vale view wake ward
    watch wave way well wharf wick wind wing wood works yard
    """
)
SYLLABLES = ordered(
    """
    bra cor del fen gal hol jor kel lam mer nor pal quin ros sel tar ul ven wil yor zan
    """
)
