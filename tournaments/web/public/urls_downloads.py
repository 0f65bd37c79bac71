"""Addresses of files. The public ones are short enough to print; those of the desk stand under its own path."""

from django.urls import path

from tournaments.web.public import downloads as views

app_name = "download"

urlpatterns = [
    path(
        "e/<str:code>/<str:section_code>/download/<slug:name>.<slug:form>",
        views.section_file,
        name="section_file",
    ),
    path("desk/events/<int:event_id>/download/event.json", views.event_json, name="event_json"),
    path("desk/sections/<int:section_id>/download/report.trf", views.section_report, name="section_report"),
]
