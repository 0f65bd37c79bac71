"""Pictures of a section, drawn from its public rounds, each with the numbers that it shows as a table.

The pictures are SVG with classes only, so that they take the colours of the page in every theme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.types import PLAYED, Colour, Outcome
from tournaments.models import Entry, Standings
from tournaments.selectors import people
from tournaments.selectors.people import Step
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Edition
from tournaments.wording.people import shown

LINES = 40  # players in the picture of places; of more the first and the one who is looked for
_WON = (Outcome.WHITE, Outcome.BLACK_FORFEITS)
_LOST = (Outcome.BLACK, Outcome.WHITE_FORFEITS)

Places = Mapping[int, Sequence[int | None]]  # by entry, the place after each round that has a table


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    title: str
    note: str
    picture: SafeString
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def of_section(book: Ledger, editions: Sequence[Edition], *, entry: int | None = None) -> list[Figure]:
    """Every figure that there are numbers for. One query."""
    if not book.rounds:
        return []
    ways = people.ways(book)
    found = [
        places(book, ways, editions, entry=entry),
        points(book, entry=entry),
        colours(book, ways),
        results(book),
    ]
    return [figure for figure in found if figure is not None]


def of_player(book: Ledger, editions: Sequence[Edition], entry: Entry) -> Figure | None:
    """The place of one player after each round. One query."""
    numbers = [edition.after_round for edition in editions]
    row = _places(editions).get(entry.pk, [])
    ways = people.ways(book)
    if len(numbers) < 2 or not any(row):
        return None
    count = len(book.entries)
    x, top, height = _columns(len(numbers), width=480), 30, 130
    y = [top + (place - 1) * height / max(count - 1, 1) if place else None for place in row]
    parts = [
        _text(x[0] - 14, top + 4, "1", "m e"), _text(x[0] - 14, top + height + 4, str(count), "m e"),
        *(_round_head(at, number, top, top + height) for at, number in zip(x, numbers, strict=True)),
        _line(list(zip(x, y, strict=True)), "l1"), *_discs(x, y, _colours(ways[entry.pk], numbers)),
        *(_text(at, up - 12, str(place), "c b") for at, up, place in zip(x, y, row, strict=True) if up is not None),
    ]  # fmt: skip
    said = ", ".join(f"{number}: {place or '–'}" for number, place in zip(numbers, row, strict=True))
    label = _("Place after each round: %(places)s") % {"places": said}
    return Figure(
        title=_("Place by round"), note=_("The disc is the colour played."), picture=_picture(520, top + height + 20, label, parts),
        header=(_("Round"), _("Place")), rows=tuple((str(n), str(p or "–")) for n, p in zip(numbers, row, strict=True)),
    )  # fmt: skip


def places(
    book: Ledger, ways: Mapping[int, list[Step]], editions: Sequence[Edition], *, entry: int | None
) -> Figure | None:
    """A line a player, the first two and the one who is looked for in thick ones. None with fewer than two tables."""
    numbers = [edition.after_round for edition in editions]
    by_entry = _places(editions)
    if len(numbers) < 2:
        return None
    order = sorted(
        (pk for pk in by_entry if pk in book.entries and by_entry[pk][-1]),
        key=lambda pk: by_entry[pk][-1] or 0,
    )
    drawn = order[:LINES]
    if entry in by_entry and entry not in drawn and entry in book.entries:
        drawn.append(entry)
    if not drawn:
        return None
    last = max(place for pk in drawn for place in by_entry[pk] if place)
    x, step = _columns(len(numbers), width=400), (26 if last <= LINES else LINES * 26 / last)
    bottom = 34 + (last - 1) * step
    classes = dict(zip(order[:2], ("l2", "l3"), strict=False)) | ({entry: "l1"} if entry is not None else {})
    parts = [_round_head(at, number, 24, bottom + 8) for at, number in zip(x, numbers, strict=True)]
    for pk in sorted(drawn, key=lambda key: key in classes):
        y = [34 + (place - 1) * step if place else None for place in by_entry[pk]]
        line = list(zip(x, y, strict=True))
        parts.append(_line(line, classes.get(pk, "l")))
        parts += _discs(x, y, _colours(ways[pk], numbers)) if pk in classes else [_dots(line)]
    for pk in drawn:
        place = by_entry[pk][-1]
        if place is not None:
            at = 34 + (place - 1) * step + 4
            parts += [
                _text(416, at, str(place), "m"),
                _text(442, at, _cut(shown(book.entries[pk].player)), "b" if pk in classes else ""),
            ]
    label = _("Places of %(count)d players after each round; the table beside holds the numbers.") % {
        "count": len(drawn)
    }
    rows = tuple(
        (shown(book.entries[pk].player), *(str(place or "–") for place in by_entry[pk])) for pk in drawn
    )
    note = _("Dashed: first; dotted: second.")
    return Figure(
        title=_("Place by round"), note=note, picture=_picture(600, bottom + 20, label, parts),
        header=(_("Name"), *(str(number) for number in numbers)), rows=rows,
    )  # fmt: skip


def points(book: Ledger, *, entry: int | None) -> Figure | None:
    now = book.points_now()
    if not now:
        return None
    counts = Counter(now.values())
    low, high = min(0, *counts), max(counts)
    names = range(low, high + 1)
    wide = 540 / max(len(names), 1)
    side = min(18.0, wide / 2 - 1, 300 / max(-(-max(counts.values()) // 2), 1))
    base = 30 + side * -(-max(counts.values()) // 2)
    parts = [_svg('<path class="ax" d="M10 {}H570"/>', _n(base))]
    for value in names:
        middle = 20 + wide * (value - low + 0.5)
        parts.append(_text(middle, base + 20, str(value), "c m"))
        count = counts.get(value, 0)
        if count:
            squares = "".join(
                _square(middle - side + (n % 2) * side, base - side * (n // 2 + 1), side)
                for n in range(count)
            )
            parts += [
                _svg('<path class="f" d="{}"/>', squares),
                _text(middle, base - side * -(-count // 2) - 6, str(count), "c b"),
            ]
    if entry in now:
        middle = 20 + wide * (now[entry] - low + 0.5)
        parts.append(
            _svg(
                '<circle class="pw" cx="{}" cy="{}" r="{}"/>',
                _n(middle - side / 2),
                _n(base - side / 2),
                _n(side / 4),
            )
        )
    number = book.standing_round
    label = _("Players by points after round %(number)d.") % {"number": number}
    return Figure(
        title=_("Score distribution"), note=_("One square, one player, after round %(number)d.") % {"number": number},
        picture=_picture(580, base + 32, label, parts, small=True), header=(_("Points"), _("Players")),
        rows=tuple((str(value), str(counts[value])) for value in sorted(counts, reverse=True)),
    )  # fmt: skip


def colours(book: Ledger, ways: Mapping[int, list[Step]]) -> Figure | None:
    """White games minus Black games of each player, games of the round being played included."""
    balances: Counter[int] = Counter()
    for steps in ways.values():
        seen = [
            step.colour
            for step in steps
            if step.colour is not None and step.line is not None and not step.line.is_forfeit
        ]
        if seen:
            balances[sum(1 if colour is Colour.WHITE else -1 for colour in seen)] += 1
    if not balances:
        return None
    far = max(abs(value) for value in balances)
    values = list(range(-far, far + 1))
    wide = 540 / len(values)
    per = max(1, int(wide // 20) - 1)
    tall = max(-(-count // per) for count in balances.values())
    radius = min(8.0, 110 / tall)
    base = 34 + 2.25 * radius * tall
    parts = [
        _svg('<path class="ax" d="M10 {}H570"/>', _n(base)),
        _svg('<path class="g" d="M290 20V{}"/>', _n(base)),
    ]
    for at, value in enumerate(values):
        middle, count = 20 + wide * (at + 0.5), balances.get(value, 0)
        parts += [
            _text(middle, base + 20, f"{value:+d}" if value else "0", "c m"),
            _text(middle, base - 2.25 * radius * -(-count // per) - 8, str(count), "c b"),
        ]
        shape = "pw" if value > 0 else "pb" if value < 0 else "dot"
        across = min(per, count)
        circles = "".join(
            f'<circle cx="{_n(middle + (n % per - (across - 1) / 2) * 2.25 * radius)}" cy="{_n(base - 1.2 * radius - n // per * 2.25 * radius)}" r="{_n(radius)}"/>'
            for n in range(count)
        )
        parts.append(_svg('<g class="{}">{}</g>', shape, SafeString(circles)))
    label = _("Players by White games minus Black games.")
    return Figure(
        title=_("Colour balance"), note=_("White games minus Black games; each disc is a player."),
        picture=_picture(580, base + 30, label, parts, small=True), header=(_("White minus Black"), _("Players")),
        rows=tuple((f"{value:+d}" if value else "0", str(balances[value])) for value in sorted(balances)),
    )  # fmt: skip


def results(book: Ledger) -> Figure:
    """How the boards of each round ended, and how many of the last are still played."""
    counts = {round_.number: [0, 0, 0, 0] for round_ in book.rounds}
    for line in book.lines:
        if line.is_bye or line.round not in counts:
            continue
        kind = (
            0
            if line.outcome in _WON
            else 2
            if line.outcome in _LOST
            else 1
            if line.outcome is Outcome.DRAW
            else 3
        )
        if kind == 3 and line.has_result:
            continue  # lost for both, annulled: neither colour's
        counts[line.round][kind] += 1
    most = max(1, *(sum(row) for row in counts.values()))
    unit = min(24.0, 420 / most)
    parts: list[SafeString] = []
    for at, (number, row) in enumerate(counts.items()):
        y = 10 + at * 30
        parts.append(_text(4, y + 15, _("R%(number)d") % {"number": number}, "m"))
        x = 50.0
        for kind, count in enumerate(row):
            shape = ("MW", "", "MB", "o")[kind]
            for _turn in range(count):
                parts.append(_half(x, y, unit) if kind == 1 else _box(x, y, unit, shape))
                x += unit
        parts.append(_text(572, y + 15, " · ".join(map(str, row[:3])), "m e"))
    label = _("Results by colour in each round; the table beside holds the numbers.")
    waiting = counts[book.rounds[-1].number][3]
    note = _("One square, one board: White won, draw, Black won.")
    if waiting:
        note += " " + ngettext(
            "%(count)d board is still played.", "%(count)d boards are still played.", waiting
        ) % {"count": waiting}
    return Figure(
        title=_("Results by round"), note=note, picture=_picture(580, 20 + 30 * len(counts), label, parts),
        header=(_("Round"), _("White won"), _("Draw"), _("Black won"), _("Still played")),
        rows=tuple((str(number), *map(str, row)) for number, row in counts.items()),
    )  # fmt: skip


def _places(editions: Sequence[Edition]) -> dict[int, list[int | None]]:
    stored = Standings.objects.in_bulk([edition.pk for edition in editions])
    found: dict[int, list[int | None]] = {}
    for at, edition in enumerate(editions):
        for row in stored[edition.pk].rows:
            line = found.setdefault(row["entry"], [None] * len(editions))
            line[at] = row["rank"] if row.get("placed", True) else None
    return found


def _colours(steps: Iterable[Step], numbers: Sequence[int]) -> list[Colour | None]:
    by_round = {
        step.round.number: step.colour
        for step in steps
        if step.line is not None and step.line.outcome in PLAYED
    }
    return [by_round.get(number) for number in numbers]


def _columns(count: int, *, width: int) -> list[float]:
    gap = (width - 36) / max(count - 1, 1)
    return [36 + at * gap for at in range(count)]


def _cut(name: str) -> str:
    return name if len(name) <= 22 else f"{name[:21]}…"


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _svg(template: str, *values: object) -> SafeString:
    return format_html(template, *values)


def _picture(
    width: int, height: float, label: str, parts: Iterable[SafeString], *, small: bool = False
) -> SafeString:
    return format_html(
        '<svg class="ch{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>', " sm" if small else "", width, _n(height), label,
        format_html_join("", "{}", ((part,) for part in parts)),
    )  # fmt: skip


def _text(x: float, y: float, said: str, classes: str) -> SafeString:
    return format_html(
        '<text{} x="{}" y="{}">{}</text>',
        format_html(' class="{}"', classes) if classes else "",
        _n(x),
        _n(y),
        said,
    )


def _round_head(x: float, number: int, top: float, bottom: float) -> SafeString:
    head = _text(x, 16, _("R%(number)d") % {"number": number}, "c b")
    return format_html('{}<path class="g" d="M{} {}V{}"/>', head, _n(x), _n(top), _n(bottom))


def _line(points_: Sequence[tuple[float, float | None]], classes: str) -> SafeString:
    path = ""
    before: tuple[float, float] | None = None
    for x, y in points_:
        if y is None:
            before = None
            continue
        if before is None:
            path += f"M{_n(x)} {_n(y)}"
        else:
            half = (x - before[0]) / 2
            path += f"C{_n(before[0] + half)} {_n(before[1])} {_n(x - half)} {_n(y)} {_n(x)} {_n(y)}"
        before = (x, y)
    return format_html('<path class="{}" d="{}"/>', classes, path)


def _dots(points_: Sequence[tuple[float, float | None]]) -> SafeString:
    return format_html(
        '<path class="dots" d="{}"/>', "".join(f"M{_n(x)} {_n(y)}h0" for x, y in points_ if y is not None)
    )


def _discs(
    x: Sequence[float], y: Sequence[float | None], colours_: Sequence[Colour | None]
) -> list[SafeString]:
    shapes = {Colour.WHITE: "pw", Colour.BLACK: "pb", None: "dot"}
    return [
        format_html('<circle class="{}" cx="{}" cy="{}" r="7"/>', shapes[colour], _n(at), _n(up))
        for at, up, colour in zip(x, y, colours_, strict=True)
        if up is not None
    ]


def _square(x: float, y: float, side: float) -> str:
    return f"M{_n(x)} {_n(y)}h{_n(side - 1)}v{_n(side - 1)}h-{_n(side - 1)}z"


def _box(x: float, y: float, side: float, shape: str) -> SafeString:
    return format_html('<path class="{}" d="{}"/>', shape, _square(x + 1, y, min(side - 1, 20)))


def _half(x: float, y: float, side: float) -> SafeString:
    """A draw: a white square cut on the diagonal."""
    width = _n(min(side - 1, 20) - 1)
    corner = f"M{_n(x + 1)} {_n(y + float(width))}h{width}v-{width}z"
    return format_html('{}<path class="MB" d="{}"/>', _box(x, y, side, "MW"), corner)
