"""The law of the game: the board, the moves, the draws, the written game and what it proves. Pure Python."""

from rules.board import START, FenError, Piece, Position, Side, squares
from rules.moves import Move, has_legal_move, legal_moves, perft, play

VERSION = "1"

__all__ = [
    "START",
    "VERSION",
    "FenError",
    "Move",
    "Piece",
    "Position",
    "Side",
    "has_legal_move",
    "legal_moves",
    "perft",
    "play",
    "squares",
]
