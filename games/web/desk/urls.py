"""Addresses of the arbiter's pages about games."""

from django.urls import URLPattern, URLResolver, include, path

from games.web.desk import adjournments, claims, pdn, photos, quick
from games.web.desk import games as desk

_round = [
    path("", desk.round_games, name="desk_round"),
    path("rules/", desk.set_rules, name="desk_rules"),
    path("print/", desk.print_sheets, name="print_sheets"),
    path("print/equipment/", desk.print_equipment, name="print_equipment"),
    path("print/entries/", desk.print_entries, name="print_entries"),
    path("print/forms/", photos.forms, name="sheet_forms"),
    path("photos/", photos.stack, name="sheet_photos"),
]

_game = [
    path("", desk.game, name="desk_game"),
    path("quick/", quick.quick_entry, name="quick_entry"),
    path("accept/", desk.accept, name="desk_accept"),
    path("proposals/", claims.proposals, name="proposals"),
    path("claim/", claims.claim, name="claim"),
    path("adjournment/", adjournments.adjournment, name="adjournment"),
    path("do/<slug:verb>/", desk.act, name="desk_act"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("desk/sections/<int:section_id>/rounds/<int:number>/games/", include(_round)),
    path("desk/games/<int:pairing_id>/", include(_game)),
    path("desk/games/<int:pairing_id>/<int:number>/", include(_game)),
    path("desk/pdn/", pdn.upload, name="pdn_upload"),
    path("desk/pdn/<int:draft_id>/", pdn.preview, name="pdn_preview"),
]
