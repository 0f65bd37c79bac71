"""Addresses of games that anybody may open, and those of a player's personal link or account."""

from django.urls import URLPattern, URLResolver, include, path

from games.web.desk import adjournments, claims
from games.web.public import photos, sheets, viewer

_section = [
    path("g/<int:game_id>/", viewer.game, name="game"),
    path("g/<int:game_id>/game.pdn", viewer.game_pdn, name="game_pdn"),
    path("r/<int:number>/b/<int:board>/", viewer.board, name="board"),
    path("r/<int:number>/b/<int:board>/g/<int:game>/", viewer.board_game, name="board_game"),
    path("r/<int:number>/games.pdn", viewer.round_pdn, name="round_pdn"),
    path("games/", viewer.games, name="games"),
    path("games.pdn", viewer.section_pdn, name="section_pdn"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("clock/", claims.clock, name="clock"),
    path("my/", sheets.mine, name="mine"),
    path("my/<str:token>/r/<int:number>/sheet/", sheets.my_sheet, name="my_sheet"),
    path("my/<str:token>/r/<int:number>/g/<int:game>/sheet/", sheets.my_sheet, name="my_sheet"),
    path("my/<str:token>/r/<int:number>/adjournment/", adjournments.my_adjournment, name="my_adjournment"),
    path(
        "my/<str:token>/r/<int:number>/g/<int:game>/adjournment/",
        adjournments.my_adjournment,
        name="my_adjournment",
    ),
    path("my/<str:token>/r/<int:number>/sheet/photo/", photos.my_photo, name="my_sheet_photo"),
    path("my/<str:token>/r/<int:number>/g/<int:game>/sheet/photo/", photos.my_photo, name="my_sheet_photo"),
    path("my/<str:token>/photos/<int:photo_id>/", photos.my_picture, name="my_sheet_picture"),
    path("sheets/photos/<int:photo_id>/", photos.picture, name="sheet_picture"),
    path("sheets/<int:pairing_id>/<str:side>/photo/", photos.photo, name="sheet_photo"),
    path("sheets/<int:pairing_id>/<int:number>/<str:side>/photo/", photos.photo, name="sheet_photo"),
    path("sheets/<int:pairing_id>/<str:side>/", sheets.sheet, name="sheet"),
    path("sheets/<int:pairing_id>/<int:number>/<str:side>/", sheets.sheet, name="sheet"),
    path("e/<str:code>/<str:section_code>/", include(_section)),
]
