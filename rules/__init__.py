"""The law of the game: the board, the moves, the draws, the written game and what it proves. Pure Python."""

from rules.articles import ARTICLES, DisagreementKind, Kind, RemarkKind
from rules.board import BIT, START, FenError, Piece, Position, Side, squares
from rules.candidates import Candidate, Candidates, Change
from rules.cells import Cell
from rules.clock import (
    Attendance,
    FlagOutcome,
    Mode,
    TimeControl,
    charge_correction,
    fischer,
    flag_during_claim,
    lateness,
    recording_waived,
    restore,
    restore_initial,
    sudden,
)
from rules.draws import (
    MOVES_BEFORE_OFFER,
    Counters,
    DrawKind,
    DrawOffer,
    DrawRight,
    OfferFault,
    Profile,
    may_agree,
    moves_of,
    offer_faults,
)
from rules.encoding import EncodingError, decode
from rules.misreading import ChangeKind
from rules.moves import Move, has_legal_move, legal_moves, perft, play
from rules.notation import Written, parse, paths, routes_taken, write
from rules.pdn import Item as PdnItem
from rules.pdn import PdnError, PdnFile, PdnGame, plain_move, read_pdn, write_pdn
from rules.pdn_game import game_of
from rules.pdn_sheet import read_sheet, sheet_of, sheets_of
from rules.reconcile import Agreement, Reconciliation, Row, reconcile
from rules.reconstruct import reconstruct, reconstruct_cells
from rules.record import record
from rules.sheet import Aside, AsideKind, Ending, Sheet, Unread, canonical_result
from rules.standing import Stood, irregular_moves_that_stood
from rules.verdict import Disagreement, Final, Problem, Remark, Status, Verdict, move_number, validate

__version__ = "0.1.0"
"""Of the package; `VERSION` is that of the verdicts."""

VERSION = "3"
"""Goes up whenever a verdict on the same sheet may come out differently; stored beside every verdict."""

__all__ = [
    "ARTICLES",
    "BIT",
    "MOVES_BEFORE_OFFER",
    "START",
    "VERSION",
    "Agreement",
    "Aside",
    "AsideKind",
    "Attendance",
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
    "FlagOutcome",
    "Kind",
    "Mode",
    "Move",
    "OfferFault",
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
    "Stood",
    "TimeControl",
    "Unread",
    "Verdict",
    "Written",
    "__version__",
    "canonical_result",
    "charge_correction",
    "decode",
    "fischer",
    "flag_during_claim",
    "game_of",
    "has_legal_move",
    "irregular_moves_that_stood",
    "lateness",
    "legal_moves",
    "may_agree",
    "move_number",
    "moves_of",
    "offer_faults",
    "parse",
    "paths",
    "perft",
    "plain_move",
    "play",
    "read_pdn",
    "read_sheet",
    "reconcile",
    "reconstruct",
    "reconstruct_cells",
    "record",
    "recording_waived",
    "restore",
    "restore_initial",
    "routes_taken",
    "sheet_of",
    "sheets_of",
    "squares",
    "sudden",
    "validate",
    "write",
    "write_pdn",
]
