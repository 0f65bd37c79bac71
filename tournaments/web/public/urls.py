"""Addresses that anybody may open: short enough to print.

What belongs to the whole event stands under `-`, which no section can be called.
"""

from django.urls import include, path

from tournaments.web.public import bracket as knockout
from tournaments.web.public import pages as views
from tournaments.web.public import people, proof, registration, sharing

app_name = "public"

_section = [
    path("", views.section, name="section"),
    path("r/<int:number>/", views.round_boards, name="round"),
    path("r/<int:number>/names/", views.round_names, name="round_names"),
    path("r/<int:number>/why/", proof.why, name="why"),
    path("r/<int:number>/why/input.json", proof.why_input, name="why_input"),
    path("r/<int:number>/why/before.trf", proof.report, name="why_report"),
    path("r/<int:number>/why/recompute/", proof.recompute, name="why_recompute"),
    path("r/<int:number>/why/not/", proof.why_not, name="why_not"),
    path("r/<int:number>/match/<int:board>/", knockout.match, name="match"),
    path("bracket/", knockout.bracket, name="bracket"),
    path("standings/", views.standings, name="standings"),
    path("cross/", views.cross, name="cross"),
    path("charts/", views.charts, name="charts"),
    path("results/", views.results, name="results"),
    path("info/", views.info, name="info"),
    path("screen/", views.screen, name="screen"),
    path("register/", registration.register, name="register"),
    path("players/", people.players, name="players"),
    path("p/<int:entry>/", people.player, name="player"),
    path("p/<int:entry>/working/", people.working, name="working"),
    path("p/<int:entry>/calendar.ics", people.player_calendar, name="player_calendar"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("robots.txt", sharing.robots, name="robots"),
    path("sitemap.xml", sharing.sitemap, name="sitemap"),
    path("manifest.webmanifest", sharing.manifest, name="manifest"),
    path("my/<str:token>/", people.my, name="my"),
    path("my/<str:token>/withdraw/", registration.withdraw, name="registration_withdraw"),
    path("my/<str:token>/absence/", registration.absence, name="my_absence"),
    path("my/<str:token>/here/", registration.here, name="my_here"),
    path("my/<str:token>/calendar.ics", people.my_calendar, name="my_calendar"),
    path("e/<str:code>/", views.event, name="event"),
    path("e/<str:code>/-/calendar.ics", views.event_calendar, name="event_calendar"),
    path("e/<str:code>/-/preview.png", sharing.preview, name="preview"),
    path("e/<str:code>/-/screen/", views.event_screen, name="event_screen"),
    path("e/<str:code>/-/version.json", views.version, name="version"),
    path("e/<str:code>/-/notices/", views.notices, name="notices"),
    path("e/<str:code>/-/notices/feed.xml", views.notices_feed, name="notices_feed"),
    path("e/<str:code>/-/changes/", views.changes, name="changes"),
    path("e/<str:code>/<str:section_code>/", include(_section)),
]
