"""Logs, code, SQL, settings, shells, stack traces with the values of a cast in them."""

from __future__ import annotations

from collections.abc import Callable

from tagger import credentials, negatives, times
from tagger.cast import Cast, render
from tagger.grammar import COMMON, grammar_of
from tagger.pieces import Pieces, joined, mapped, plain
from tagger.wordlists import entries

Maker = Callable[[Cast], Pieces]
LEVELS = ("INFO", "WARN", "ERROR", "DEBUG", "info", "[ERROR]", "WARNING", "level=info", "I", "E")


def message(cast: Cast, symbol: str) -> Pieces:
    """A log message or comment: of the language at times, else the common ones."""
    own = grammar_of(cast.language)
    grammar = own if symbol in own.symbols and cast.rng.random() < 0.45 else grammar_of(COMMON)
    return render(cast, grammar, symbol)


def stamp(cast: Cast) -> Pieces:
    """The time stamp of a log line; the day is a date."""
    rng = cast.rng
    day = times.event(rng)
    clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"
    style = rng.randrange(6)
    if style == 0:
        return [(day.isoformat(), "DATE"), (f"T{clock}Z ", None)]
    if style == 1:
        return [
            ("[", None),
            (day.isoformat(), "DATE"),
            (f" {clock},{rng.randint(0, 999):03}] ", None),
        ]
    if style == 2:
        return [
            (
                f"{'JanFebMarAprMayJunJulAugSepOctNovDec'[day.month * 3 - 3 : day.month * 3]} {day.day:>2}",
                "DATE",
            ),
            (f" {clock} {rng.choice(entries('things', 'host'))} ", None),
        ]
    if style == 3:
        return [(f"{clock} ", None)]
    if style == 4:
        return [
            ("[", None),
            (
                f"{day.day:02}/{'JanFebMarAprMayJunJulAugSepOctNovDec'[day.month * 3 - 3 : day.month * 3]}/{day.year}",
                "DATE",
            ),
            (f":{clock} +0000] ", None),
        ]
    return [(day.isoformat(), "DATE"), (f" {clock} ", None)]


def log(cast: Cast, *, quiet: bool = False) -> Pieces:
    """Some lines of a log."""
    rng = cast.rng
    rows: list[Pieces] = []
    name = rng.choice(
        (
            "auth",
            "sshd[4121]",
            "app.orders",
            "c.e.shop.UserService",
            "nginx",
            "worker-3",
            "kernel",
            "billing",
            "",
        )
    )
    first = stamp(cast)
    dated = not quiet or rng.random() < 0.4
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        calm = quiet or rng.random() < 0.35
        body = (
            render(cast, grammar_of(COMMON), "log.quiet") if calm else message(cast, "log.message")
        )
        head = (
            first
            if dated
            else plain(f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02} ")
        )
        level = rng.choice(LEVELS)
        rows.append([*head, (f"{level} {name}{': ' if name else ''}", None), *body])
    return joined(rows, "\n")


def trace(cast: Cast) -> Pieces:
    """A stack trace with a home folder and a value in the message."""
    rng = cast.rng
    user = cast.fill("p1.user")
    bad = cast.fill(rng.choice(("p1.email", "p1", "p1.nid", "p1.phone", "p1.dob", "uuid", "order")))
    if rng.random() < 0.5:
        home = rng.choice(
            (("/home/", "/src/app/"), ("/Users/", "/projects/crm/"), ("C:\\Users\\", "\\repo\\"))
        )
        file = rng.choice(("main.py", "views.py", "importer.py"))
        return [
            ("Traceback (most recent call last):\n  File \"" + home[0], None), *user, (f"{home[1]}{file}\", line {rng.randint(3, 900)}, in {negatives.code_identifier(rng)}\n", None),
            (f"    {negatives.code_identifier(rng)}(row)\n{rng.choice(('ValueError', 'KeyError', 'IntegrityError'))}: ", None), *bad, (rng.choice((" is not unique", " not found", "", ": bad value")), None),
        ]  # fmt: skip
    return [
        (f"java.lang.{rng.choice(('IllegalStateException', 'NullPointerException', 'RuntimeException'))}: no customer for ", None), *bad,
        (f"\n\tat com.example.{rng.choice(('shop', 'crm'))}.{negatives.code_identifier(rng)}(Service.java:{rng.randint(9, 400)})\n\tat org.springframework.Invoker.run(Invoker.java:{rng.randint(9, 99)})", None),
    ]  # fmt: skip


def quoted(pieces: Pieces, sign: str = "'") -> Pieces:
    """A value in quotes, quotes in it escaped as SQL or programs do."""
    inside = mapped(
        pieces,
        lambda text: text.replace(sign, sign * 2 if sign == "'" else "\\" + sign).replace(
            "\n", ", "
        ),
    )
    return [(sign, None), *inside, (sign, None)]


def sql(cast: Cast) -> Pieces:
    """Statements with values."""
    rng = cast.rng
    table = rng.choice(
        ("customers", "users", "patients", "clientes", "kunden", "contacts", "orders")
    )
    parts = rng.sample(
        (
            "",
            ".email",
            ".phone",
            ".city",
            ".dob",
            ".iban",
            ".postcode",
            ".user",
            ".nid",
            ".street",
            ".surname",
            ".given",
        ),
        rng.randint(2, 5),
    )
    names = {"": "name", ".email": "email", ".phone": "phone", ".city": "city", ".dob": "birth_date", ".iban": "iban", ".postcode": "zip", ".user": "username", ".nid": "tax_id", ".street": "street", ".surname": "last_name", ".given": "first_name"}  # fmt: skip
    values = [quoted(cast.fill(f"p1{part}")) for part in parts]
    keys = [names[part] for part in parts]
    dice = rng.random()
    if dice < 0.5:
        return [
            (
                f"INSERT INTO {table} (id, {', '.join(keys)}) VALUES ({rng.randint(1, 99999)}, ",
                None,
            ),
            *joined(values, ", "),
            (");", None),
        ]
    if dice < 0.75:
        pairs = [
            [(f"{key} = ", None), *found] for key, found in zip(keys[1:], values[1:], strict=True)
        ]
        return [
            (f"UPDATE {table} SET ", None),
            *joined(pairs, ", "),
            (f" WHERE {keys[0]} = ", None),
            *values[0],
            (";", None),
        ]
    return [
        (f"SELECT id, created_at FROM {table}\nWHERE {keys[0]} = ", None),
        *values[0],
        (f"\n  AND {keys[1]} LIKE ", None),
        *values[1],
        (f"\nORDER BY id LIMIT {rng.randint(1, 50)};", None),
    ]


def settings(cast: Cast) -> Pieces:
    """An env or ini file with secrets."""
    rng = cast.rng
    rows: list[Pieces] = [
        [("DB_USER=", None), *cast.fill("p1.user")], [("DB_PASSWORD=", None), *cast.fill("p1.password")], [("ADMIN_EMAIL=", None), *cast.fill("p1.email")],
        [(rng.choice(("OPENAI_API_KEY=", "API_KEY=", "STRIPE_SECRET=", "AWS_SECRET_ACCESS_KEY=", "TOKEN=")), None), (credentials.api_key(rng), "SECRET")],
        plain(f"APP_VERSION={negatives.version(rng)}"), plain(f"PORT={rng.randint(1000, 9999)}"), plain("DEBUG=false"), plain(f"REDIS_URL=redis://{negatives.private_ip(rng)}:6379/0"),
        [("DATABASE_URL=postgres://", None), *cast.fill("p2.user"), (":", None), *cast.fill("p2.password"), (f"@{rng.choice(entries('things', 'host'))}:5432/app", None)],
        [("SMTP_FROM=\"", None), *cast.fill("p1"), (" <", None), *cast.fill("p1.email"), (">\"", None)], [("JWT_SECRET=", None), (credentials.token(rng), "SECRET")], [("ALERT_SMS=", None), *cast.fill("p1.phone")],
    ]  # fmt: skip
    picked = sorted(rng.sample(range(len(rows)), rng.randint(2, 6)))
    return joined([rows[i] for i in picked], "\n")


def shell(cast: Cast) -> Pieces:
    """A command line."""
    rng = cast.rng
    user = cast.fill("p1.user")
    rows: tuple[Pieces, ...] = (
        [("curl -u ", None), *user, (":", None), *cast.fill("p1.password"), (f" https://api.example.com/v1/{negatives.code_identifier(rng)}", None)],
        [("ssh ", None), *user, ("@", None), (credentials.ipv4(rng), "IP"), (" 'tail -f app.log'", None)], [("git config --global user.name \"", None), *cast.fill("p1"), ("\" && git config --global user.email ", None), *cast.fill("p1.email")],
        [("Author: ", None), *cast.fill("p1"), (" <", None), *cast.fill("p1.email"), (">\nDate:   ", None), *cast.fill("date.long"), ("\n\n    ", None), *message(cast, "code.comment")],
        [("Co-authored-by: ", None), *cast.fill("p1"), (" <", None), *cast.fill("p1.email"), (">", None)], [("chown -R ", None), *user, (":staff /home/", None), *user, ("/data", None)],
        [("curl -H 'Authorization: Bearer ", None), (credentials.token(rng), "SECRET"), ("' https://api.example.org/me", None)], [("export API_TOKEN=", None), (credentials.api_key(rng), "SECRET")],
        [("mysql -u ", None), *user, (" -p", None), *cast.fill("p1.password"), (" crm < dump.sql", None)], [*user, (f"@{rng.choice(entries('things', 'host'))}:~$ ping ", None), (credentials.ipv4(rng), "IP")],
        [("scp report.pdf ", None), *user, (f"@{rng.choice(entries('things', 'host'))}:/home/", None), *user, ("/inbox/", None)], [("net user ", None), *user, (" ", None), *cast.fill("p1.password"), (" /add", None)],
    )  # fmt: skip
    return rng.choice(rows)


def code(cast: Cast, *, quiet: bool = False) -> Pieces:
    """A piece of a program, with a comment and perhaps data of a person."""
    rng = cast.rng
    note = (
        render(cast, grammar_of(COMMON), "code.quiet") if quiet else message(cast, "code.comment")
    )
    name, other = (
        negatives.code_identifier(rng).replace("()", "").replace(".", "_").replace("-", "_"),
        negatives.code_identifier(rng),
    )
    parts = ("", ".email", ".phone", ".dob", ".city", ".iban", ".user")
    if quiet:
        values = [
            quoted(plain(negatives.negative(rng, kind, cast.language)), '"')
            for kind in rng.sample(
                ("product", "sku", "uuid", "version", "placeholder", "file", "brandmodel"), 3
            )
        ]
        keys = ["title", "code", "ref"]
    else:
        picked = rng.sample(parts, 3)
        values = [quoted(cast.fill(f"p1{part}"), '"') for part in picked]
        keys = [part.lstrip(".") or "name" for part in picked]
    style = rng.randrange(8)
    pairs = list(zip(keys, values, strict=True))
    if style == 0:
        body = joined([[(f'"{key}": ', None), *found] for key, found in pairs], ", ")
        return [
            ("# ", None),
            *note,
            (f"\ndef {name}(row):\n    data = {{", None),
            *body,
            (f"}}\n    return {other}\n", None),
        ]
    if style == 1:
        body = joined([[(f"  {key}: ", None), *found] for key, found in pairs], ",\n")
        return [("// ", None), *note, (f"\nconst {name} = {{\n", None), *body, ("\n};\n", None)]
    if style == 2:
        return [
            ("/**\n * ", None),
            *note,
            (f"\n */\npublic void {name}() {{\n    assertEquals(", None),
            *values[0],
            (", ", None),
            *values[1],
            (");\n}", None),
        ]
    if style == 3:
        return [
            (f"{name}:\n", None),
            *joined([[(f"  {key}: ", None), *found] for key, found in pairs], "\n"),
            ("\n# ", None),
            *note,
        ]
    if style == 4:
        unquoted = [
            mapped(found[1:-1], lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
            for found in values
        ]
        body = joined(
            [
                [(f"  <{key}>", None), *found, (f"</{key}>", None)]
                for key, found in zip(keys, unquoted, strict=True)
            ],
            "\n",
        )
        return [("<!-- ", None), *note, (f" -->\n<{name}>\n", None), *body, (f"\n</{name}>", None)]
    if style == 5:
        return [
            ('<p class="', None),
            (f'{name}">', None),
            *values[0][1:-1],
            (' <a href="mailto:', None),
            *cast.fill("p1.email" if not quiet else "placeholder"),
            ('">', None),
            *values[1][1:-1],
            ("</a></p>", None),
        ]
    if style == 6:
        return [
            (f"assert {name}(", None),
            *values[0],
            (") == ", None),
            *values[1],
            ("  # ", None),
            *note,
        ]
    return [(f"{name} = [\n    (", None), *joined(values, ", "), ("),\n]  # ", None), *note]


def paths(cast: Cast) -> Pieces:
    """Paths and hosts with a user name."""
    rng = cast.rng
    user = cast.fill("p1.user")
    heads = rng.choice(
        (
            ("/home/", "/.ssh/id_ed25519"),
            ("C:\\Users\\", "\\Documents\\" + negatives.word(rng, "file", "en")),
            ("/Users/", "/Library/Logs/app.log"),
            ("\\\\srv-files\\home\\", "\\scan"),
            ("CORP\\", ""),
            ("/var/mail/", ""),
            ("", "-laptop.local"),
            ("DESKTOP-", ""),
            ("smb://nas01/", "/backup"),
        )
    )
    return [(heads[0], None), *user, (heads[1], None)]


def program(cast: Cast, *, quiet: bool) -> Pieces:
    """Any of these; `quiet` ones hold no identifier."""
    rng = cast.rng
    if quiet:
        return log(cast, quiet=True) if rng.random() < 0.4 else code(cast, quiet=True)
    maker: Maker = rng.choices(
        (log, trace, sql, settings, shell, code, paths), (8, 3, 3, 3, 3, 6, 1)
    )[0]
    return maker(cast)
