"""The court's tables: games, scoresheets, rulings, appeals. The ledger does not know that they exist."""

from games.models.adjournment import Adjournment
from games.models.court import (
    Appeal,
    AppealDecision,
    Category,
    CourtCounter,
    Delivery,
    Effect,
    Evidence,
    Incident,
    PanelSeat,
    Party,
    Proposal,
    Raiser,
    Relation,
    Ruling,
    Statement,
    Tally,
    Vote,
)
from games.models.game import Game, GameRules
from games.models.sheets import Copy, DrawOffer, Result, Scoresheet, Side, Verdict
from games.models.subjects import Subject

__all__ = [
    "Adjournment",
    "Appeal",
    "AppealDecision",
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
    "PanelSeat",
    "Party",
    "Proposal",
    "Raiser",
    "Relation",
    "Result",
    "Ruling",
    "Scoresheet",
    "Side",
    "Statement",
    "Subject",
    "Tally",
    "Verdict",
    "Vote",
]
