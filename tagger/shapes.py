"""JSON, forms and signatures of the values of a cast."""

from __future__ import annotations

import random

from tagger import jsons
from tagger.cast import Cast
from tagger.draw import shaped
from tagger.fields import Field, as_identifier, chosen, harmless_fields, key_name, value
from tagger.jsons import Node, dump, encoded, leaf, may_be_number, quiet
from tagger.negatives import negative
from tagger.pieces import Pieces, joined, mapped, plain

GROUPS = {
    "name": "person", "given": "person", "surname": "person", "dob": "person", "nid": "person", "email": "contact", "phone": "contact", "street": "address",
    "postcode": "address", "city": "address", "iban": "payment", "card": "payment", "account": "payment", "amount": "payment",
}  # fmt: skip
GROUP_NAMES = {
    "person": ("person", "customer", "cliente", "client", "Kunde", "patient", "holder", "user", "klant", "titular", "applicant"),
    "contact": ("contact", "contacto", "Kontakt", "contatti", "contacts", "kontakt"), "address": ("address", "adresse", "Anschrift", "direccion", "indirizzo", "adres", "endereco", "shipping"),
    "payment": ("payment", "pago", "zahlung", "paiement", "bank", "billing"),
}  # fmt: skip
TOOLS = (
    "create_ticket",
    "lookup_customer",
    "send_email",
    "book_appointment",
    "update_address",
    "refund_order",
    "search_contacts",
    "register_patient",
    "verify_identity",
    "schedule_call",
    "createLead",
    "crm.update",
)
LEADS = {
    "en": ("Here is the record:", "Sure! Extracted fields below.", "Done.", "JSON as requested:", ""), "es": ("Aquí tiene los datos:", "Listo:", "He extraído lo siguiente:", ""), "fr": ("Voici les données :", "C'est fait :", "Extraction ci-dessous :", ""),
    "de": ("Hier die Daten:", "Erledigt:", "Gerne, hier das JSON:", ""), "it": ("Ecco i dati:", "Fatto:", "Di seguito il JSON:", ""), "pt": ("Aqui estão os dados:", "Pronto:", "Segue o JSON:", ""), "nl": ("Hier de gegevens:", "Klaar:", "Hierbij de JSON:", ""),
    "pl": ("Oto dane:", "Gotowe:", "Poniżej JSON:", ""), "ro": ("Iată datele:", "Gata:", "Mai jos JSON-ul:", ""), "sv": ("Här är uppgifterna:", "Klart:", ""), "no": ("Her er dataene:", "Ferdig:", ""), "da": ("Her er oplysningerne:", "Færdig:", ""), "fi": ("Tässä tiedot:", "Valmis:", ""),
}  # fmt: skip
SEPARATORS = (
    ": ",
    ": ",
    ": ",
    ":",
    " : ",
    ":\t",
    "\t",
    " = ",
    "=",
    " - ",
    " | ",
    ":  ",
    " → ",
    ".....: ",
    ":\n",
    ": \n  ",
    " – ",
    ";",
    " :: ",
)


def tree(cast: Cast, fields: list[Field], *, nested: bool) -> dict[str, Node]:
    """Fields as an object, in groups when `nested`; keys in one style."""
    rng = cast.rng
    top: dict[str, Node] = {}
    names = {group: rng.choice(words) for group, words in GROUP_NAMES.items()}
    code_like = rng.random() < 0.7
    for field in fields:
        key = as_identifier(rng, field.key) if code_like else field.key
        place = top
        if nested and field.kind in GROUPS:
            inner = top.setdefault(names[GROUPS[field.kind]], {})
            place = inner if isinstance(inner, dict) else top
        place[key] = json_value(rng, field)
    return top


def json_value(rng: random.Random, field: Field) -> Node:
    """A field's value in JSON: numbers as numbers at times, rarely in a list."""
    if may_be_number(field.value) and rng.random() < 0.45:
        return leaf(field.value, raw=True)
    if field.kind in ("email", "phone", "plate", "order") and rng.random() < 0.1:
        return [leaf(field.value)]
    if field.kind in ("quantity", "price", "enabled"):
        return leaf(field.value, raw=True)
    return leaf(field.value)


def with_noise_keys(rng: random.Random, node: dict[str, Node], language: str) -> dict[str, Node]:
    """Harmless keys beside: ids, flags, empty values, time stamps."""
    extra: list[tuple[str, Node]] = [
        ("id", quiet(negative(rng, "uuid", language))), ("active", quiet(rng.random() < 0.5)), ("notes", quiet("")), ("middle_name", quiet(None)), ("version", quiet(negative(rng, "version", language))), ("count", quiet(rng.randint(0, 90))), ("tags", [quiet("vip"), quiet("new")]),
        ("lang", quiet(language)), ("product", quiet(negative(rng, "product", language))), ("sku", quiet(negative(rng, "sku", language))), ("fax", quiet("")), ("template", quiet(negative(rng, "placeholder", language))), ("score", quiet(round(rng.random(), 2))),
    ]  # fmt: skip
    rows = list(node.items())
    for key, child in rng.sample(extra, rng.choice((0, 0, 1, 2, 3))):
        if key not in node:
            rows.insert(rng.randint(0, len(rows)), (key, child))
    return dict(rows)


def record(cast: Cast, person: str = "p1", size: int = 0) -> dict[str, Node]:
    """An object about a person."""
    rng = cast.rng
    fields = chosen(cast, size or rng.randint(2, 8), person)
    return with_noise_keys(rng, tree(cast, fields, nested=rng.random() < 0.35), cast.language)


def quiet_record(cast: Cast) -> dict[str, Node]:
    """An object about no person: settings, products, builds."""
    rng = cast.rng
    node = with_noise_keys(
        rng, tree(cast, harmless_fields(cast, rng.randint(2, 7)), nested=False), cast.language
    )
    if rng.random() < 0.4:
        return {
            rng.choice(("items", "config", "result", "data", "products")): [node, dict(node)]
            if rng.random() < 0.5
            else node
        }
    return node


def wrapped(cast: Cast, node: Node) -> Node:
    """The object inside what programs put around it."""
    rng = cast.rng
    dice = rng.random()
    if dice < 0.5:
        return node
    if dice < 0.6:
        return {rng.choice(("data", "result", "customer", "payload", "record")): node}
    if dice < 0.75:
        return {
            "name": quiet(rng.choice(TOOLS)),
            "arguments": node if rng.random() < 0.4 else encoded(node, jsons.style(rng)),
        }
    if dice < 0.85:
        tool: Node = {
            "name": quiet(rng.choice(TOOLS)),
            "arguments": encoded(node, jsons.style(rng)),
        }
        return {
            "id": quiet("call_" + shaped(rng, "******")),
            "type": quiet("function"),
            "function": tool,
        }
    if dice < 0.93:
        return {
            "status": quiet(200),
            "body": encoded(node, jsons.style(rng)),
            "request_id": quiet(negative(rng, "uuid", "en")),
        }
    return [node]


def json_text(cast: Cast, node: Node) -> Pieces:
    """JSON in an answer: bare, fenced, with a sentence before it, escaped once more."""
    rng = cast.rng
    pieces = dump(node, jsons.style(rng))
    dice = rng.random()
    if dice < 0.62:
        return pieces
    if dice < 0.9:
        lead = rng.choice(LEADS[cast.language])
        fence = rng.choice(("```json\n", "```\n", "```json\n"))
        return [*plain(f"{lead}\n\n" if lead else ""), (fence, None), *pieces, ("\n```", None)]
    if dice < 0.96:
        return mapped(pieces, jsons.escape(ascii_only=rng.random() < 0.5))
    return [*plain(rng.choice(LEADS[cast.language]) + " "), *pieces]


def people_json(cast: Cast) -> Node:
    """Several people in a list."""
    rng = cast.rng
    kinds = tuple(field.kind for field in chosen(cast, rng.randint(2, 4)))
    rows: list[Node] = []
    keys = {kind: as_identifier(rng, key_name(rng, kind, cast.language)) for kind in kinds}
    for _ in range(rng.randint(2, 5)):
        other = Cast(rng, cast.language, cast.country)
        rows.append(
            {
                keys[kind]: json_value(
                    rng, Field(kind, keys[kind], value(other, kind, keys[kind], "p1"))
                )
                for kind in kinds
            }
        )
    return (
        {
            rng.choice(
                (
                    "customers",
                    "users",
                    "patients",
                    "teilnehmer",
                    "contactos",
                    "rows",
                    "members",
                    "results",
                )
            ): rows
        }
        if rng.random() < 0.7
        else rows
    )


def form(cast: Cast, fields: list[Field]) -> Pieces:
    """Key-value lines with one of many separators."""
    rng = cast.rng
    between = rng.choice(SEPARATORS)
    head, tail = rng.choice(
        (
            ("", ""),
            ("", ""),
            ("", ""),
            ("- ", ""),
            ("* ", ""),
            ("• ", ""),
            ("- **", ""),
            ("<li>", "</li>"),
            ("| ", " |"),
            ("> ", ""),
            ("[x] ", ""),
        )
    )
    upper = rng.random() < 0.12
    rows: list[Pieces] = []
    for field in fields:
        key = field.key.upper() if upper else field.key
        if head == "- **":
            key = key + rng.choice((":**", "**:"))
            glue = " "
        else:
            glue = between
        rows.append([(head + key + glue, None), *field.value, *plain(tail)])
    if rng.random() < 0.15:
        rows.insert(
            rng.randint(0, len(rows)),
            plain(
                head
                + rng.choice(("Fax", "Web", "Notes", "Ref", "2nd contact"))
                + (between if head != "- **" else ": ")
                + rng.choice(("-", "n/a", "____", "", "none"))
            ),
        )
    return joined(rows, rng.choice(("\n", "\n", "\n", "\n", "\n\n", "; ", " | ", ", ", "  ")))


def signature(cast: Cast, person: str) -> Pieces:
    """A signature block of a mail."""
    rng = cast.rng
    lines: list[Pieces] = [cast.fill(person)]
    if rng.random() < 0.5:
        lines.append(
            plain(
                rng.choice(
                    (
                        "Sales",
                        "Kundenservice",
                        "Back Office",
                        "Dirección Comercial",
                        "HR",
                        "Chargée de clientèle",
                        "Ufficio Acquisti",
                        "M.Sc.",
                        "Team Lead",
                    )
                )
            )
        )
    if rng.random() < 0.5:
        lines.append(cast.fill("org"))
    if rng.random() < 0.5:
        lines.append(cast.fill(f"{person}.addr"))
    heads = rng.choice(
        (
            ("T: ", "M: ", "E: "),
            ("Tel. ", "Mobile ", ""),
            ("☎ ", "📱 ", "✉ "),
            ("P ", "C ", "@ "),
            ("", "", ""),
            ("Phone: ", "Cell: ", "Email: "),
            ("Tel.: ", "Handy: ", "Mail: "),
        )
    )
    for head, part in zip(heads, ("phone", "mobile", "email"), strict=True):
        if rng.random() < 0.6:
            lines.append([*plain(head), *cast.fill(f"{person}.{part}")])
    if rng.random() < 0.25:
        lines.append(cast.fill(f"{person}.url"))
    start = rng.choice(("-- \n", "", "", "___\n", "---\n"))
    return [*plain(start), *joined(lines, rng.choice(("\n", "\n", "\n", " | ", " · ")))]
