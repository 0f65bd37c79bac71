"""From a verdict back to PDN: the game score as proved, for downloads and archives."""

from __future__ import annotations

from collections.abc import Mapping

from rules.board import START
from rules.moves import legal_moves
from rules.notation import write
from rules.pdn import Item, PdnGame
from rules.pdn_tokens import TokenKind
from rules.verdict import Verdict, move_number


def game_of(verdict: Verdict, *, tags: Mapping[str, str] | None = None) -> PdnGame:
    """The plies that stand, as a PDN game: moves numbered and written so that each has one meaning.

    `tags` come first, as given; `Result`, `GameType`, `FEN` and `PlyCount` are filled in where they are missing. After an
    irregular move that stands, or a position set up by hand, the position follows as a set-up.
    """
    named = dict(tags or {})
    named.setdefault("Result", verdict.result or "*")
    named.setdefault("GameType", "20")
    if verdict.start != START:
        named.setdefault("FEN", verdict.start.fen())
    named.setdefault("PlyCount", str(verdict.plies))
    items = _items(verdict)
    items.append(Item(TokenKind.RESULT, verdict.result or "*", 0))
    return PdnGame(tags=tuple(named.items()), items=tuple(items))


def _items(verdict: Verdict) -> list[Item]:
    stood = {problem.ply: problem.written for problem in verdict.irregularities}
    items: list[Item] = []
    positions = verdict.positions
    if positions[0] != verdict.start:
        items.append(Item(TokenKind.SETUP, positions[0].fen(), 0))
    for ply, move in enumerate(verdict.moves, 1):
        before, after = positions[ply - 1], positions[ply]
        if before.white_to_move or ply == 1:
            dots = "." if before.white_to_move else "..."
            items.append(Item(TokenKind.NUMBER, f"{move_number(verdict.start, ply)}{dots}", 0))
        legal = ply not in stood and move is not None and move in legal_moves(before)
        text = write(before, move) if legal and move is not None else stood.get(ply, str(move))
        items.append(Item(TokenKind.MOVE, text, 0))
        if not legal or not verdict.follows(ply):
            items.append(Item(TokenKind.SETUP, after.fen(), 0))
    return items
