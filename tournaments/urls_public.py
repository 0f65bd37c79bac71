"""Addresses that anybody may open: short enough to print."""

from django.urls import path

from tournaments import views_public as views

app_name = "public"

urlpatterns = [
    path("", views.home, name="home"),
]
