"""Addresses of games under /api/v1/."""

from django.urls import URLPattern, URLResolver, path

from games import api

SECTION = "events/<str:event>/sections/<str:section>/"
BOARD = f"{SECTION}pairings/<int:pairing>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{SECTION}games/", api.GameListView.as_view(), name="api-games"),
    path(f"{BOARD}game/", api.GameView.as_view(), name="api-game"),
    path(f"{BOARD}sheets/", api.SheetListView.as_view(), name="api-sheets"),
    path(f"{BOARD}sheets/<int:sheet>/verdict/", api.VerdictView.as_view(), name="api-verdict"),
    path(f"{BOARD}score/", api.ScoreView.as_view(), name="api-score"),
    path(f"{BOARD}finalisation/", api.FinalView.as_view(), name="api-finalisation"),
]
