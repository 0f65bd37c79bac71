"""Players who leave or are disqualified: their games rewritten as the section's policy says, before standings.

Promises a tournament that differs only in outcomes of games of those players. Sources: FIDE C.05 and round-robin
practice (half of the games), Rotterdam Open conditions (Swiss), Chinese rules 8.3 and 14.2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tournaments.engine.policies import TieBreakPolicy, Treatment
from tournaments.engine.types import PLAYED, Board, Outcome, Tournament


def settle(
    tournament: Tournament,
    *,
    policy: TieBreakPolicy,
    after_round: int,
    disqualified: Collection[int] = (),
) -> tuple[Tournament, frozenset[int]]:
    """The tournament as it counts after a round, and the players that have no place in it.

    A withdrawal counts from the round after which it happened. Without a place are the disqualified and those whose
    games are all annulled.
    """
    treatments: dict[int, tuple[Treatment, int]] = {}
    for player in tournament.players:
        left = player.withdrawn_after
        if left is not None and left <= after_round:
            treatments[player.number] = _resolved(tournament, player.number, policy.withdrawal, left), left
    for number in disqualified:
        treatments[number] = _resolved(tournament, number, policy.disqualification, after_round), after_round
    placeless = frozenset(disqualified) | {
        number for number, (treatment, _) in treatments.items() if treatment is Treatment.ANNUL
    }
    if all(treatment is Treatment.STAND for treatment, _ in treatments.values()):
        return tournament, placeless
    rounds = tuple(
        replace(round_, boards=tuple(_settled(board, round_.number, treatments) for board in round_.boards))
        for round_ in tournament.rounds
    )
    return replace(tournament, rounds=rounds), placeless


def _resolved(tournament: Tournament, number: int, treatment: Treatment, left: int) -> Treatment:
    """ANNUL_BELOW_HALF as ANNUL or FORFEIT_REST, by the games that the player has played."""
    if treatment is not Treatment.ANNUL_BELOW_HALF:
        return treatment
    games = [
        (round_.number, board.outcome)
        for round_ in tournament.rounds
        for board in round_.boards
        if board.black is not None and number in (board.white, board.black)
    ]
    played = sum(outcome in PLAYED for round_, outcome in games if round_ <= left)
    return Treatment.ANNUL if 2 * played < _games_in_all(tournament, len(games)) else Treatment.FORFEIT_REST


def _games_in_all(tournament: Tournament, paired: int) -> int:
    """Games a player has in the whole round robin, also when the later rounds are not laid out yet."""
    if len(tournament.rounds) >= tournament.rounds_total:
        return paired
    others = len(tournament.players) - 1
    return max(paired, others * (2 if tournament.rounds_total > len(tournament.players) else 1))


def _settled(board: Board, round_: int, treatments: Mapping[int, tuple[Treatment, int]]) -> Board:
    sides = [treatments.get(player) for player in (board.white, board.black) if player is not None]
    found = [side for side in sides if side is not None]
    if board.black is None or not found or board.outcome is Outcome.VOID:
        return board
    if any(treatment is Treatment.ANNUL for treatment, _ in found):
        return replace(board, outcome=Outcome.VOID, grade="")
    white, black = (_forfeits(board, treatments.get(player), round_) for player in (board.white, board.black))
    if not white and not black:
        return board
    outcome = Outcome.BOTH_FORFEIT if white and black else Outcome.BLACK_FORFEITS
    return replace(board, outcome=Outcome.WHITE_FORFEITS if white and not black else outcome, grade="")


def _forfeits(board: Board, treated: tuple[Treatment, int] | None, round_: int) -> bool:
    if treated is None:
        return False
    treatment, left = treated
    if treatment is Treatment.FORFEIT_ALL:
        return True
    rest = treatment is Treatment.FORFEIT_REST and round_ > left
    return rest and board.outcome is Outcome.UNPLAYED
