"""Addresses of the court: arbiters', the committee's, the parties' and the public's."""

from django.urls import URLPattern, URLResolver, path

from games import views_court, views_register

urlpatterns: list[URLPattern | URLResolver] = [
    path("articles/", views_court.articles, name="articles"),
    path("court/precedents/", views_court.precedents, name="precedents"),
    path("desk/events/<int:event_id>/court/", views_court.court, name="court"),
    path(
        "desk/sections/<int:section_id>/rounds/<int:number>/court/", views_court.boards, name="court_boards"
    ),
    path(
        "desk/sections/<int:section_id>/rounds/<int:number>/lateness/", views_court.lateness, name="lateness"
    ),
    path("desk/pairings/<int:pairing_id>/court/", views_court.board, name="court_board"),
    path("desk/incidents/<int:incident_id>/", views_court.incident, name="incident"),
    path("desk/incidents/<int:incident_id>/whatif/", views_court.ruling_whatif, name="ruling_whatif"),
    path("desk/incidents/<int:incident_id>/<slug:verb>/", views_court.settle, name="incident_settle"),
    path("desk/rulings/<int:ruling_id>/revise/", views_court.revise, name="ruling_revise"),
    path("desk/rulings/<int:ruling_id>/<slug:verb>/", views_court.ruling, name="ruling"),
    path("e/<str:code>/-/appeals/", views_register.register, name="register"),
    path("e/<str:code>/-/appeals/<int:number>/", views_register.case, name="public_case"),
]
