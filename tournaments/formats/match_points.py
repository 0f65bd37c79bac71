"""Board points of teams: what the games of their matches add up to."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments import snapshot
from tournaments.engine import teams
from tournaments.engine.types import Board, Outcome
from tournaments.models import PUBLIC_STATES, MatchGame, Section

Games = Mapping[tuple[int, int], str]
"""Outcomes of single games by pairing and number."""


def board_points(
    section: Section, snap: snapshot.Snapshot, *, after_round: int, changed: Games | None = None
) -> dict[int, int]:
    """Points of all games of each team by number, after a round. A bye gives half of the boards won. One query.

    `changed` are games as they would be, for what-if questions.
    """
    event = teams.TeamEvent(
        teams=tuple(teams.Team(number=number) for number in snap.entry_of),
        boards=section.team_boards,
        matches=tuple(_matches(section, snap, changed or {})),
        scheme=section.result_scheme,
    )
    return teams.board_points_of(event, after_round=after_round)


def _matches(section: Section, snap: snapshot.Snapshot, changed: Games) -> list[teams.TeamMatch]:
    rows = MatchGame.objects.filter(
        pairing__round__section=section, pairing__round__state__in=PUBLIC_STATES
    ).values_list("pairing__round__number", "pairing__white_id", "pairing_id", "number", "outcome", "grade")
    games: dict[tuple[int, int], list[Board]] = {}
    for round_, white, pairing, number, outcome, grade in rows.order_by("pairing", "number"):
        if (pairing, number) in changed:
            outcome, grade = changed[pairing, number], ""
        games.setdefault((round_, snap.number_of[white]), []).append(
            Board(number=number, white=1, black=2, outcome=Outcome(outcome), grade=grade)
        )
    return [
        teams.TeamMatch(
            round=played.number,
            number=board.number,
            first=board.white,
            second=board.black,
            games=tuple(games.get((played.number, board.white), ())),
            bye=board.outcome if board.black is None else Outcome.BYE,
        )
        for played in snap.tournament.rounds
        for board in played.boards
    ]
