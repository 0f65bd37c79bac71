"""The court's tables: games, scoresheets, rulings, appeals. The ledger does not know that they exist."""

from games.models.adjournment import Adjournment
from games.models.appeals import (
    Appeal,
    AppealDecision,
    Delivery,
    Evidence,
    PanelSeat,
    Party,
    Proposal,
    Relation,
    Statement,
    Tally,
    Vote,
)
from games.models.court import (
    Against,
    Asked,
    Category,
    CourtCounter,
    Effect,
    Incident,
    PersonRole,
    Raiser,
    Ruling,
)
from games.models.game import Game, GameRules
from games.models.letters import Letter
from games.models.photos import SheetPhoto
from games.models.report import ArbiterReport
from games.models.sheets import Copy, DrawOffer, Result, Scoresheet, Side, Verdict
from games.models.subjects import Subject

__all__ = [
    "Adjournment",
    "Against",
    "Appeal",
    "AppealDecision",
    "ArbiterReport",
    "Asked",
    "Category",
    "Copy",
    "CourtCounter",
    "Delivery",
    "DrawOffer",
    "Effect",
    "Evidence",
    "Game",
    "GameRules",
    "Incident",
    "Letter",
    "PanelSeat",
    "Party",
    "PersonRole",
    "Proposal",
    "Raiser",
    "Relation",
    "Result",
    "Ruling",
    "Scoresheet",
    "SheetPhoto",
    "Side",
    "Statement",
    "Subject",
    "Tally",
    "Verdict",
    "Vote",
]
