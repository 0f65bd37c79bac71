"""One entry's way through the public rounds, and the lists of entries."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.types import Colour, Outcome
from tournaments.models import Entry, Round, TeamMember
from tournaments.selectors.points import Line
from tournaments.selectors.public import Extra, Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one entry did in one public round. `line` is None when the entry was not paired."""

    entry_key: int = 0  # whose step it is
    round: Round
    line: Line | None
    opponent: Entry | None
    colour: Colour | None
    took: int
    total: int  # after the round, adjustments made by then included

    @property
    def is_open(self) -> bool:
        return self.line is not None and not self.line.has_result

    @property
    def score(self) -> str:
        """The result from this side: 2-0 won, + - by forfeit; "" while open, for byes and annulled games."""
        if self.line is None or not self.line.score or self.colour is not Colour.BLACK:
            return self.line.score if self.line else ""
        text = self.line.score
        separator = " " if " " in text else "-"
        return separator.join(reversed(text.split(separator, 1)))

    @property
    def mark(self) -> str:
        """One sign for a cell: the points, + or - for a forfeit, nothing while open."""
        if self.line is None or self.line.outcome in {Outcome.UNPLAYED, Outcome.VOID}:
            return ""
        if not self.line.is_forfeit:
            return str(self.took)
        if self.line.outcome is Outcome.BOTH_FORFEIT:
            return "-"
        white_wins = self.line.outcome is Outcome.BLACK_FORFEITS
        return "+" if white_wins == (self.colour is Colour.WHITE) else "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """What somebody's results are worth: the mean over `games` of the opponent's rating, 500 more for a win, 500 less for
    a loss. Only games that were played count, against opponents who have a rating.
    """

    rating: int
    games: int


_WORTH = {
    Outcome.WHITE: (500, -500),
    Outcome.BLACK: (-500, 500),
    Outcome.DRAW: (0, 0),
    Outcome.BOTH_LOSE: (-500, -500),
}


def performance(steps: list[Step]) -> Performance | None:
    """None without any such game."""
    found = [
        step.opponent.player.rating + _WORTH[step.line.outcome][step.colour is Colour.BLACK]
        for step in steps
        if step.line is not None and step.opponent is not None
        if step.line.outcome in _WORTH and step.opponent.player.rating
    ]
    if not found:
        return None
    return Performance(rating=(2 * sum(found) + len(found)) // (2 * len(found)), games=len(found))


def ways(book: Ledger) -> dict[int, list[Step]]:
    """The steps of every entry, by entry key."""
    lines: dict[int, dict[int, Line]] = {pk: {} for pk in book.entries}
    for item in book.lines:
        lines[item.white][item.round] = item
        if item.black is not None:
            lines[item.black][item.round] = item
    extras: dict[int, list[Extra]] = {}
    for extra in book.extras:
        extras.setdefault(extra.entry, []).append(extra)
    return {pk: _way(book, entry, lines[pk], extras.get(pk, [])) for pk, entry in book.entries.items()}


def steps(book: Ledger, entry: Entry) -> list[Step]:
    """One step per public round, in order."""
    lines = {item.round: item for item in book.lines if entry.pk in (item.white, item.black)}
    return _way(book, entry, lines, extras_of(book, entry))


def _way(book: Ledger, entry: Entry, lines: dict[int, Line], extras: list[Extra]) -> list[Step]:
    result: list[Step] = []
    total = sum(extra.points for extra in extras if extra.after_round < 1)
    for round_ in book.rounds:
        line = lines.get(round_.number)
        took = line.points_of(entry.pk) if line else 0
        total += took + sum(extra.points for extra in extras if extra.after_round == round_.number)
        result.append(_step(book, entry, round_=round_, line=line, took=took, total=total))
    return result


def _step(book: Ledger, entry: Entry, *, round_: Round, line: Line | None, took: int, total: int) -> Step:
    opponent = line.opponent_of(entry.pk) if line else None
    return Step(
        entry_key=entry.pk,
        round=round_,
        line=line,
        opponent=book.entries[opponent] if opponent is not None else None,
        colour=line.colour_of(entry.pk) if line else None,
        took=took,
        total=total,
    )


def extras_of(book: Ledger, entry: Entry) -> list[Extra]:
    return [extra for extra in book.extras if extra.entry == entry.pk]


def next_step(found: list[Step], *, current: int) -> Step | None:
    """The first open board from the round being played on."""
    return next((step for step in found if step.round.number >= current and step.is_open), None)


def entry_by_link(link: str) -> Entry | None:
    """The entry of a personal link; of a team's player the team."""
    rows = Entry.objects.select_related("player", "payment", "section__event", "section__registration_terms")
    return rows.filter(link=link).first() or rows.filter(members__link=link).first()


def member_by_link(entry: Entry, link: str) -> TeamMember | None:
    """The player of the team whose own link it is; None for the team's link."""
    return entry.members.filter(link=link).first() if link != entry.link else None


def listed(book: Ledger) -> list[Entry]:
    """By pairing number, those without one last; before round 1 is public by rating, then name."""
    if not book.rounds:
        return list(book.entries.values())
    return sorted(book.entries.values(), key=lambda e: (e.number is None, e.number or 0, e.player.name))
