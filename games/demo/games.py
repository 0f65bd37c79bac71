"""Games for the demo: legal ones made by chance, and the sheets that players might hand in of them.

The moves are chosen so that the mover loses as few pieces as may be at once: no masterpieces, but games.
"""

from __future__ import annotations

from random import Random

import rules
from games.services import adjournments, results, sheets
from games.services.results import Score
from games.services.sheets import Handed
from tournaments.audit import Actor
from tournaments.models import Pairing, Section

LENGTH = {"WHITE": 71, "BLACK": 72, "DRAW": 88}
RESULTS = {"WHITE": "2-0", "BLACK": "0-2", "DRAW": "1-1"}
ENDINGS = {"WHITE": "resignation", "BLACK": "resignation", "DRAW": "agreement"}


def play(chance: Random, plies: int) -> list[str]:
    """A legal game of so many plies, or of fewer when it ends before."""
    position = rules.START
    moves: list[str] = []
    while len(moves) < plies:
        legal = rules.legal_moves(position)
        if not legal:
            break
        costs = [(_loss(rules.play(position, move)), chance.random(), move) for move in legal]
        move = min(costs)[2]
        moves.append(rules.write(position, move))
        position = rules.play(position, move)
    return moves


def _loss(position: rules.Position) -> int:
    replies = rules.legal_moves(position)
    return max((reply.captured_count for reply in replies), default=0)


def open_game(chance: Random, plies: int) -> list[str]:
    """A game that is not over after so many plies."""
    while True:
        moves = play(chance, plies)
        if len(moves) == plies and rules.validate(rules.Sheet(moves=tuple(moves))).final is rules.Final.OPEN:
            return moves


def load(arbiter: Actor, section: Section) -> None:
    """Sheets of rounds 1 and 3 in every state a desk meets, and in round 4 an adjourned game."""
    chance = Random(10)
    for number in (1, 3):
        boards = list(
            Pairing.objects.filter(round__section=section, round__number=number, black__isnull=False)
            .select_related("white", "black", "round")
            .order_by("board")
        )
        for index, pairing in enumerate(boards[:6]):
            _hand_in(arbiter, pairing, chance, how=index)
    waiting = Pairing.objects.filter(
        round__section=section, round__number=4, black__isnull=False, outcome="UNPLAYED"
    )
    last = waiting.select_related("white", "black").order_by("board").last()
    if last is not None:
        _adjourn(arbiter, last, chance)


def _hand_in(arbiter: Actor, pairing: Pairing, chance: Random, *, how: int) -> None:
    """Boards by turns: agreed and final, agreed and accepted, differing, one not legal, one missing, agreed and waiting."""
    moves = open_game(chance, LENGTH[pairing.outcome])
    white, black = list(moves), list(moves)
    if how == 2:
        black = _with_slip(moves)
    if how == 3:
        white = [*moves[:20], _illegal(moves[:20]), *moves[21:]]
    _file(pairing, "W", white)
    if how != 4:
        _file(pairing, "B", black)
    if how in (0, 1):
        score = Score(
            moves=moves, outcome=pairing.outcome, version=pairing.version, source="WHITE",
            ended_by=ENDINGS[pairing.outcome], white_seconds=4210, black_seconds=4470,
        )  # fmt: skip
        results.accept_score(arbiter, pairing.pk, score)
    if how == 0:
        results.finalise(arbiter, pairing.pk)


def _file(pairing: Pairing, side: str, moves: list[str]) -> None:
    entry = pairing.white if side == "W" else pairing.black
    assert entry is not None  # the demo takes real boards only
    numbered = [f"{n // 2 + 1}. {' '.join(moves[n : n + 2])}" for n in range(0, len(moves), 2)]
    handed = Handed(
        text="\n".join(numbered),
        submission=f"demo-{pairing.pk}-{side}",
        result=RESULTS[pairing.outcome],
        ended_by=ENDINGS[pairing.outcome],
        white_seconds=4210,
        black_seconds=4470,
        white_signed=side == "W",
        black_signed=side == "B",
    )
    sheets.file_sheet(Actor(), pairing.pk, handed, link=entry.link)


def _with_slip(moves: list[str]) -> list[str]:
    """The list with another legal move at some ply, as a slip of the pen leaves it."""
    for ply in range(24, len(moves)):
        position = rules.validate(rules.Sheet(moves=tuple(moves[:ply]))).final_position
        others = [m for m in rules.legal_moves(position) if rules.write(position, m) != moves[ply]]
        if others:
            return [*moves[:ply], rules.write(position, others[0]), *moves[ply + 1 :]]
    return moves


def _illegal(moves: list[str]) -> str:
    """A move one square too far: written, but not possible."""
    position = rules.validate(rules.Sheet(moves=tuple(moves))).final_position
    move = rules.legal_moves(position)[0]
    wrong = move.destination + (1 if move.destination % 5 else -1)
    return f"{move.origin}-{wrong}"


def _adjourn(arbiter: Actor, pairing: Pairing, chance: Random) -> None:
    moves = open_game(chance, 46)
    row = adjournments.adjourn(
        arbiter, pairing.pk, reason="赛场停电", moves=moves, white_seconds=2760, black_seconds=2905
    )
    position = adjournments.position_of(row)
    assert pairing.black is not None  # the demo takes real boards only
    for entry in (pairing.white, pairing.black):
        adjournments.confirm(Actor(), row.pk, link=entry.link)
    mover = pairing.white if row.to_move == "W" else pairing.black
    written = rules.write(position, rules.legal_moves(position)[0])
    adjournments.seal_move(Actor(), row.pk, written=written, link=mover.link)
    adjournments.close_envelope(arbiter, row.pk, envelope="A-1")
