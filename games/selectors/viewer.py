"""One game as a page shows it: its moves, every position, the draw counters, and both sheets where they are public."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import QuerySet

import rules
from games import board_svg
from games import sheets as reading
from games.adjudication import RESULT_OF_OUTCOME
from games.models import Game, GameRules, Scoresheet, Side
from games.selectors.completeness import latest_sheets
from games.slots import Seat, line_ups, name_of, seats_of
from rules.verdict import move_number
from tournaments.models import PUBLIC_STATES, Pairing, Section, TeamMember
from tournaments.selectors.match_games import is_match


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """One single move of a list. `number` counts full moves; `first` opens a row of the list."""

    ply: int
    number: int
    side: rules.Side
    text: str

    @property
    def first(self) -> bool:
        return self.side is rules.Side.WHITE


@dataclass(frozen=True, kw_only=True)
class Line:
    """A played line: what a board can be stepped through."""

    sheet: rules.Sheet
    verdict: rules.Verdict

    @cached_property
    def plies(self) -> list[Ply]:
        return [
            Ply(ply=ply, number=move_number(self.sheet.start, ply), side=position.side, text=text)
            for ply, (position, text) in enumerate(
                zip(self.verdict.positions, self.sheet.moves[: self.verdict.plies], strict=False), 1
            )
        ]

    @cached_property
    def rows(self) -> list[tuple[int, Ply | None, Ply | None]]:
        """(move number, White's ply, Black's ply) for a list of moves."""
        found: dict[int, list[Ply | None]] = {}
        for ply in self.plies:
            found.setdefault(ply.number, [None, None])[0 if ply.first else 1] = ply
        return [(number, pair[0], pair[1]) for number, pair in found.items()]

    @property
    def last(self) -> int:
        return self.verdict.plies

    @cached_property
    def counters(self) -> tuple[rules.Counters, ...]:
        return self.verdict.counters

    def position(self, ply: int) -> rules.Position:
        return self.verdict.positions[ply]

    def board(self, ply: int, *, flipped: bool = False, numbers: bool = True) -> str:
        move = self.verdict.moves[ply - 1] if ply else None
        return board_svg.draw(
            self.position(ply),
            flipped=flipped,
            numbers=numbers,
            marked=(move.origin, move.destination) if move else (),
            taken=move.captured_squares if move else (),
        )

    def data(self) -> str:
        """What the stepping script needs, as JSON: positions, squares moved, squares taken, counters, one entry a ply."""
        moves = [None, *self.verdict.moves]
        return json.dumps(
            {
                "turns": "".join(position.side.value for position in self.verdict.positions),
                "positions": [board_svg.signs(position) for position in self.verdict.positions],
                "marked": [[m.origin, m.destination] if m else [] for m in moves],
                "taken": [list(m.captured_squares) if m else [] for m in moves],
                "counters": [[c.repetitions, c.king_plies, c.plies_16, c.plies_5] for c in self.counters],
            },
            separators=(",", ":"),
        )


def line_of(sheet: rules.Sheet) -> Line:
    return Line(sheet=sheet, verdict=rules.validate(sheet, profile=reading.PROFILE))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSheet:
    """A player's copy as the public may see it: the moves as written, nothing else of the text handed in."""

    side: str
    row: Scoresheet
    line: Line

    @property
    def moves(self) -> str:
        written = self.line.sheet.moves
        return "\n".join(
            f"{ply // 2 + 1}. {'  '.join(written[ply : ply + 2])}" for ply in range(0, len(written), 2)
        )


@dataclass(frozen=True, kw_only=True)
class GameView:
    seat: Seat
    game: Game | None
    line: Line | None
    sheets: list[ShownSheet]

    @property
    def result(self) -> str:
        return RESULT_OF_OUTCOME.get(self.seat.outcome, "")


_BOARD = ("round__section__event", "white__player", "black__player")


def board_at(section: Section, number: int, board: int) -> Pairing | None:
    """A board of a public round."""
    return (
        Pairing.objects.select_related(*_BOARD)
        .prefetch_related("games")
        .filter(round__section=section, round__number=number, round__state__in=PUBLIC_STATES, board=board)
        .filter(black__isnull=False)
        .first()
    )


def game_in(section: Section, game_id: int) -> Game | None:
    """A game of a public round."""
    return (
        with_seats(Game.objects.all(), section)
        .filter(pk=game_id, pairing__round__section=section, pairing__round__state__in=PUBLIC_STATES)
        .first()
    )


def seat_of_game(game: Game) -> Seat:
    """Who sat at a game; of a number that its pairing no longer has, as the pairing says."""
    return (
        next((seat for seat in seats_of(game.pairing) if seat.number == game.number), None)
        or seats_of(game.pairing)[0]
    )


def view_of(seat: Seat, game: Game | None) -> GameView:
    """What everybody may see of a game. Sheets are shown once a score is accepted, if the section shows them."""
    line = line_of(reading.score_value(game)) if game is not None and game.moves else None
    return GameView(seat=seat, game=game, line=line, sheets=_public_sheets(game) if line else [])


def _public_sheets(game: Game | None) -> list[ShownSheet]:
    if game is None or not game.is_accepted:
        return []
    chosen = GameRules.objects.filter(section=game.pairing.round.section_id).first()
    if chosen is not None and chosen.sheets == GameRules.Sheets.HIDDEN:
        return []
    found = latest_sheets(game)
    return [
        ShownSheet(side=side, row=found[side], line=line_of(reading.sheet_value(found[side])))
        for side in Side.values
        if side in found
    ]


def games_of(section: Section, number: int | None = None) -> list[Game]:
    """The games with moves of the public rounds, in the order of rounds and boards."""
    found = with_seats(Game.objects.all(), section).filter(
        pairing__round__section=section, pairing__round__state__in=PUBLIC_STATES
    )
    if number is not None:
        found = found.filter(pairing__round__number=number)
    ordered = found.order_by("pairing__round__number", "pairing__board", "number", "attempt")
    return [game for game in ordered if game.moves]


def with_seats(rows: QuerySet[Game], section: Section) -> QuerySet[Game]:
    """Games fetched so that who sat at them costs no further query: two more for all those of matches."""
    found = rows.select_related(*(f"pairing__{name}" for name in _BOARD))
    if not is_match(section):
        return found
    return found.prefetch_related("pairing__games", line_ups("pairing__match_games"))


def pdn(games: Sequence[Game]) -> str:
    return rules.write_pdn([pdn_game(game) for game in games])


def pdn_game(game: Game) -> rules.PdnGame:
    """A game with its full tags (PDN 3.0): names, ratings, times, result in points, time control."""
    pairing, seat = game.pairing, seat_of_game(game)
    section, event = pairing.round.section, pairing.round.section.event
    result = RESULT_OF_OUTCOME.get(seat.outcome, "*").removesuffix("F")
    played_on = pairing.round.starts_at or pairing.round.published_at
    tags = {
        "GameType": "20",
        "Event": f"{event.name}, {section.name}",
        "Site": event.place or "?",
        "Date": played_on.strftime("%Y.%m.%d") if played_on else "????.??.??",
        "Round": f"{pairing.round.number}.{seat.number}" if seat.is_of_match else str(pairing.round.number),
        "White": name_of(seat, Side.WHITE) or "?",
        "Black": name_of(seat, Side.BLACK) or "?",
        "Result": result,
        "Board": str(pairing.board),
        **_people(seat),
        "WhiteTime": clock(game.white_time),
        "BlackTime": clock(game.black_time),
        "TimeControl": seat.clock or section.time_control,
        "FEN": game.fen,
    }
    sheet = replace(reading.score_value(game), result=result, text_result=None)
    verdict = rules.validate(sheet, profile=reading.PROFILE)
    return rules.game_of(verdict, tags={name: value for name, value in tags.items() if value})


def _people(seat: Seat) -> dict[str, str]:
    """Ratings and titles; of a team's player the rating in the team's list, and the team."""
    found: dict[str, str] = {}
    for name, side in (("White", Side.WHITE), ("Black", Side.BLACK)):
        person, entry = seat.person(side), seat.entry(side)
        if isinstance(person, TeamMember):
            found |= {f"{name}Rating": str(person.rating or ""), f"{name}Team": entry.player.name}
        elif person is not None:
            found |= {f"{name}Rating": str(entry.player.rating or ""), f"{name}Title": entry.player.title}
    return found


def clock(seconds: int | None) -> str:
    """`1:05:30`, or nothing."""
    if seconds is None:
        return ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
