"""Wires the parts into one site; owns no rule of the game or of the tournament."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
