"""The law of the game: the board, the moves, the draws, the written game and what it proves. Pure Python."""

from rules.articles import ARTICLES, DisagreementKind, Kind, RemarkKind
from rules.board import START, FenError, Piece, Position, Side, squares
from rules.candidates import Candidate, Candidates, Change
from rules.cells import Cell
from rules.clock import TimeControl, fischer, sudden
from rules.draws import (
    MOVES_BEFORE_OFFER,
    Counters,
    DrawKind,
    DrawOffer,
    DrawRight,
    Profile,
    may_agree,
    moves_of,
)
from rules.encoding import EncodingError, decode
from rules.misreading import ChangeKind
from rules.moves import Move, has_legal_move, legal_moves, perft, play
from rules.notation import Written, parse, paths, write
from rules.pdn import Item as PdnItem
from rules.pdn import PdnError, PdnFile, PdnGame, read_pdn, write_pdn
from rules.pdn_game import game_of
from rules.pdn_sheet import read_sheet, sheet_of, sheets_of
from rules.reconcile import Agreement, Reconciliation, Row, reconcile
from rules.reconstruct import reconstruct, reconstruct_cells
from rules.sheet import Aside, AsideKind, Ending, Sheet, Unread, canonical_result
from rules.verdict import Disagreement, Final, Problem, Remark, Status, Verdict, validate

VERSION = "3"
"""Goes up whenever a verdict on the same sheet may come out differently; stored beside every verdict."""

__all__ = [
    "ARTICLES",
    "MOVES_BEFORE_OFFER",
    "START",
    "VERSION",
    "Agreement",
    "Aside",
    "AsideKind",
    "Candidate",
    "Candidates",
    "Cell",
    "Change",
    "ChangeKind",
    "Counters",
    "Disagreement",
    "DisagreementKind",
    "DrawKind",
    "DrawOffer",
    "DrawRight",
    "EncodingError",
    "Ending",
    "FenError",
    "Final",
    "Kind",
    "Move",
    "PdnError",
    "PdnFile",
    "PdnGame",
    "PdnItem",
    "Piece",
    "Position",
    "Problem",
    "Profile",
    "Reconciliation",
    "Remark",
    "RemarkKind",
    "Row",
    "Sheet",
    "Side",
    "Status",
    "TimeControl",
    "Unread",
    "Verdict",
    "Written",
    "canonical_result",
    "decode",
    "fischer",
    "game_of",
    "has_legal_move",
    "legal_moves",
    "may_agree",
    "moves_of",
    "parse",
    "paths",
    "perft",
    "play",
    "read_pdn",
    "read_sheet",
    "reconcile",
    "reconstruct",
    "reconstruct_cells",
    "sheet_of",
    "sheets_of",
    "squares",
    "sudden",
    "validate",
    "write",
    "write_pdn",
]
