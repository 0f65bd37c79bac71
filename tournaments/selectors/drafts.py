"""A draft as the arbiter looks through it: boards with scores, floats, colours due, warnings, and the engine's own word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.engine.types import PLAYED, Colour
from tournaments.models import Entry, ForbiddenPair, Job, Pairing, Round
from tournaments.selectors import draft_checks, public
from tournaments.selectors.public import Ledger
from tournaments.wording.pairings import board_words
from tournaments.wording.people import shown
from tournaments.wording.refusals import no_pairing_text, time_limit_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player on a board: points before the round, colours played so far ("WBW"), the colour due next."""

    entry: Entry
    before: int
    colours: str
    due: Colour | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow:
    pairing: Pairing
    white: Side
    black: Side | None
    warnings: tuple[str, ...]
    changed: bool  # the engine said otherwise
    reasons: tuple[str, ...]  # the engine's, for a board that is its own

    @property
    def is_float(self) -> bool:
        return self.black is not None and self.white.before != self.black.before


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    round: Round
    boards: tuple[DraftRow, ...]
    byes: tuple[DraftRow, ...]
    absent: tuple[Pairing, ...]
    differences: tuple[dict[str, Any], ...]

    @property
    def warnings(self) -> int:
        return sum(len(row.warnings) for row in (*self.boards, *self.byes))


def load(round_: Round) -> Draft:
    book = public.ledger(round_.section)
    before = book.points_before(round_.number)
    colours = _colours(book, round_.number)
    told = _told(draft_checks.warnings_of(round_), book)
    said = set(draft_checks.proposed_seats(round_))
    pairings = list(
        round_.pairings.select_related("white__player", "black__player").order_by("board", "white__number")
    )

    # Before round 1 is public only the draft has numbers.
    names = {
        int(n): f"{n} {shown(book.entries[pk])}" for n, pk in round_.numbers.items() if pk in book.entries
    }

    def side(entry: Entry) -> Side:
        played = colours.get(entry.pk, "")
        return Side(entry=entry, before=before.get(entry.pk, 0), colours=played, due=due(played))

    def row(pairing: Pairing) -> DraftRow:
        seats = (pairing.white_id, pairing.black_id)
        return DraftRow(
            pairing=pairing,
            white=side(pairing.white),
            black=side(pairing.black) if pairing.black else None,
            warnings=tuple(told.get(frozenset((pairing.white_id, pairing.black_id)), ()))
            + tuple(told.get(frozenset((pairing.white_id,)), ()))
            + tuple(told.get(frozenset((pairing.black_id,)), ()) if pairing.black_id else ()),
            changed=bool(said) and seats not in said,
            reasons=_reasons(round_, seats, names) if seats in said else (),
        )

    asked = [p for p in pairings if p.outcome in {"HALF_BYE", "ZERO_BYE"}]
    return Draft(
        round=round_,
        boards=tuple(row(p) for p in pairings if p.black_id is not None),
        byes=tuple(row(p) for p in pairings if p.black_id is None and p not in asked),
        absent=tuple(asked),
        differences=tuple(_named(round_, book)) if said else (),
    )


def _reasons(round_: Round, seats: tuple[int | None, int | None], names: dict[int, str]) -> tuple[str, ...]:
    why = round_.explanations if isinstance(round_.explanations, dict) else {}
    white, black = (why.get(str(number)) if number else None for number in seats)
    return tuple(board_words(white, black, lambda number: names.get(number, str(number))))


def due(colours: str) -> Colour | None:
    """The colour played less often; with as many of both the other than the last; None before the first game."""
    if not colours:
        return None
    balance = colours.count("W") - colours.count("B")
    if balance:
        return Colour.BLACK if balance > 0 else Colour.WHITE
    return Colour.BLACK if colours[-1] == "W" else Colour.WHITE


def _colours(book: Ledger, number: int) -> dict[int, str]:
    found: dict[int, str] = {}
    for line in book.lines:
        if line.round >= number or line.outcome not in PLAYED or line.black is None:
            continue
        found[line.white] = found.get(line.white, "") + "W"
        found[line.black] = found.get(line.black, "") + "B"
    return found


def _told(warnings: Sequence[draft_checks.Warning], book: Ledger) -> dict[frozenset[int | None], list[str]]:
    """The warnings in words, by the players they are about."""
    found: dict[frozenset[int | None], list[str]] = {}
    for warning in warnings:
        found.setdefault(frozenset(warning.entries), []).append(_in_words(warning, book))
    return found


def _in_words(warning: draft_checks.Warning, book: Ledger) -> str:
    name = str(book.entries[warning.entries[0]])
    match warning.kind:
        case "repeat":
            return _("They met in round %(round)s already.") % {"round": warning.detail}
        case "forbidden":
            return _("This pair is forbidden.")
        case "bye-again":
            return _("%(name)s had a bye or a win without play already.") % {"name": name}
        case "same-colour-thrice" if warning.detail == Colour.WHITE:
            return _("%(name)s has White for the third time in a row.") % {"name": name}
        case "same-colour-thrice":
            return _("%(name)s has Black for the third time in a row.") % {"name": name}
    return _("%(name)s would have a colour balance of %(balance)s.") % {
        "name": name,
        "balance": warning.detail,
    }


def _named(round_: Round, book: Ledger) -> list[dict[str, Any]]:
    sides = zip(("engine", "arbiter"), draft_checks.differing_seats(round_), strict=True)
    number_of = {entry: int(number) for number, entry in round_.numbers.items()}
    return [
        {
            "side": side,
            "white": book.entries.get(white),
            "black": book.entries.get(black) if black is not None else None,
        }
        for side, seats in sides
        for white, black in sorted(seats, key=lambda pair: number_of.get(pair[0], 0))
    ]


def refusal_of(job: Job) -> str:
    """Why a pairing job failed, in the reader's language where the reason is a known one."""
    values = job.error_values
    if job.error_code == "no-legal-pairing" and "names" in values:
        return no_pairing_text(values.get("relax", [])) % {"names": values["names"]}
    if job.error_code == "time-limit" and "seconds" in values:
        return time_limit_text() % {"seconds": values["seconds"]}
    if job.error_code == "too-many-attempts":
        return _(
            "The computation broke off several times. Try again; if it goes on, tell the operator of the site."
        )
    return str(values.get("message") or _("This is not possible."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxations:
    """What an arbiter may give up, at one press, so that a round can be paired."""

    pairs: tuple[ForbiddenPair, ...] = ()
    clubs_through: int = 0  # club-mates are kept apart through this round; 0 when that is not in the way
    byes: tuple[Entry, ...] = ()
    by_hand: bool = False  # a rematch or a colour rule can only be given up by hand

    @property
    def any(self) -> bool:
        return bool(self.pairs or self.clubs_through or self.byes)


def relaxations_of(job: Job) -> Relaxations:
    """Of a pairing job that found no legal pairing; nothing for any other. At most two queries."""
    if job.error_code != "no-legal-pairing":
        return Relaxations()
    relax = job.error_values.get("relax", [])
    stuck = job.error_values.get("players", [])
    number = job.round_number or 1
    section = job.section
    lifts = "forbidden-pairs" in relax
    pairs = list(
        section.forbidden_pairs.filter(first_round__lte=number, last_round__gte=number)
        .filter(Q(first__number__in=stuck) | Q(second__number__in=stuck))
        .select_related("first__player", "second__player")
        .order_by("pk")
        if lifts
        else ()
    )
    byes = (
        list(section.entries.filter(number__in=stuck).select_related("player").order_by("-number"))
        if "second-bye" in relax
        else []
    )
    return Relaxations(
        pairs=tuple(pairs),
        clubs_through=section.protect_clubs_rounds if lifts and section.protect_clubs_rounds >= number else 0,
        byes=tuple(byes),
        by_hand=bool({"rematch", "colours"} & set(relax)),
    )
