"""Addresses of the court: arbiters', the committee's, the parties' and the public's."""

from django.urls import URLPattern, URLResolver, path

from games.web.court import appeals as views_appeals
from games.web.court import cases as views_cases
from games.web.court import incidents as views_court
from games.web.court import letters as views_letters
from games.web.court import other_appeals as views_other
from games.web.court import report as views_report
from games.web.public import register as views_register

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
    path(
        "desk/sections/<int:section_id>/rounds/<int:number>/clocks/<slug:verb>/",
        views_court.clocks,
        name="round_clocks",
    ),
    path(
        "desk/sections/<int:section_id>/rounds/<int:number>/court/person/",
        views_court.person,
        name="court_person",
    ),
    path("desk/pairings/<int:pairing_id>/court/penalty/", views_court.penalty, name="court_penalty"),
    path(
        "desk/pairings/<int:pairing_id>/<int:number>/court/penalty/",
        views_court.penalty,
        name="court_penalty",
    ),
    path("desk/pairings/<int:pairing_id>/court/irregular/", views_court.irregular, name="court_irregular"),
    path(
        "desk/pairings/<int:pairing_id>/<int:number>/court/irregular/",
        views_court.irregular,
        name="court_irregular",
    ),
    path("desk/pairings/<int:pairing_id>/court/", views_court.board, name="court_board"),
    path("desk/pairings/<int:pairing_id>/<int:number>/court/", views_court.board, name="court_board"),
    path("desk/incidents/<int:incident_id>/", views_court.incident, name="incident"),
    path("desk/incidents/<int:incident_id>/whatif/", views_court.ruling_whatif, name="ruling_whatif"),
    path("desk/incidents/<int:incident_id>/<slug:verb>/", views_court.settle, name="incident_settle"),
    path("desk/rulings/<int:ruling_id>/revise/", views_court.revise, name="ruling_revise"),
    path("desk/rulings/<int:ruling_id>/<slug:verb>/", views_court.ruling, name="ruling"),
    path("court/", views_cases.mine, name="my_courts"),
    path("desk/events/<int:event_id>/court/interests/", views_cases.relations, name="relations"),
    path("court/cases/<int:appeal_id>/", views_cases.case, name="case"),
    path("court/cases/<int:appeal_id>/file.pdf", views_cases.pdf, name="case_pdf"),
    path("court/cases/<int:appeal_id>/propose/", views_cases.propose, name="case_propose"),
    path("court/cases/<int:appeal_id>/decide/", views_cases.decide, name="case_decide"),
    path(
        "court/cases/<int:appeal_id>/whatif/<int:proposal_id>/", views_cases.case_whatif, name="case_whatif"
    ),
    path("court/cases/<int:appeal_id>/do/<slug:verb>/", views_cases.act, name="case_act"),
    path("court/seats/<int:seat_id>/<slug:verb>/", views_cases.seat, name="seat_act"),
    path("court/evidence/<int:evidence_id>/", views_cases.evidence, name="evidence"),
    path("court/rulings/<int:ruling_id>/appeal/", views_appeals.file_appeal, name="own_appeal"),
    path("court/entries/<int:entry_id>/appeal/", views_other.contest, name="own_contest"),
    path("desk/events/<int:event_id>/court/paper/", views_other.paper, name="paper_appeal"),
    path("desk/events/<int:event_id>/letters/", views_letters.received, name="letters"),
    path("desk/events/<int:event_id>/report/", views_report.report, name="report"),
    path("desk/letters/<int:letter_id>/answer/", views_letters.write_answer, name="letter_answer"),
    path("court/entries/<int:entry_id>/letters/", views_letters.own, name="own_letters"),
    path("my/<str:token>/letters/", views_letters.own, name="my_letters"),
    path("my/<str:token>/court/other/", views_other.contest, name="my_contest"),
    path("court/own/<int:appeal_id>/", views_appeals.own_case, name="own_case"),
    path("court/own/<int:appeal_id>/<slug:verb>/", views_appeals.act, name="own_case_act"),
    path("my/<str:token>/court/", views_appeals.my_court, name="my_court"),
    path("my/<str:token>/court/rulings/<int:ruling_id>/", views_appeals.file_appeal, name="my_appeal"),
    path("my/<str:token>/court/cases/<int:appeal_id>/", views_appeals.own_case, name="my_case"),
    path("my/<str:token>/court/cases/<int:appeal_id>/<slug:verb>/", views_appeals.act, name="my_case_act"),
    path("my/<str:token>/court/evidence/<int:evidence_id>/", views_appeals.evidence, name="my_evidence"),
    path("e/<str:code>/-/appeals/", views_register.register, name="register"),
    path("e/<str:code>/-/appeals/<int:number>/", views_register.case, name="public_case"),
]
