"""The court's tables: games, scoresheets, rulings, appeals. The ledger does not know that they exist."""

from games.models.adjournment import Adjournment
from games.models.game import Game, GameRules
from games.models.sheets import Copy, DrawOffer, Result, Scoresheet, Side, Verdict

__all__ = [
    "Adjournment",
    "Copy",
    "DrawOffer",
    "Game",
    "GameRules",
    "Result",
    "Scoresheet",
    "Side",
    "Verdict",
]
