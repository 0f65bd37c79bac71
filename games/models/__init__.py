"""The court's tables: games, scoresheets, rulings, appeals. The ledger does not know that they exist."""

from games.models.game import Game

__all__ = ["Game"]
