"""The pages of what goes wrong: in the reader's language, and without help from a database or a session."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path


def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def misunderstand(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


def break_down(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a fault of ours")


urlpatterns = [
    path("refused/", refuse),
    path("misunderstood/", misunderstand),
    path("broken/", break_down),
    path("", include("config.urls")),
]


@pytest.mark.parametrize(
    ("address", "status", "english", "chinese"),
    [
        ("/nowhere/", 404, "There is nothing at this address", "此地址没有内容"),
        ("/refused/", 403, "You may not do this", "您不能执行此操作"),
        ("/misunderstood/", 400, "The request cannot be understood", "无法理解该请求"),
        ("/broken/", 500, "Something went wrong on our side", "服务器出了问题"),
    ],
)
@pytest.mark.django_db
@override_settings(ROOT_URLCONF=__name__)
def test_says_what_happened_in_the_readers_language(address, status, english, chinese) -> None:
    client = Client(raise_request_exception=False)

    for language, words in (("en", english), ("zh-hans", chinese)):
        answer = client.get(address, headers={"accept-language": language})

        assert answer.status_code == status
        assert words in answer.content.decode()
        assert not answer.cookies


def test_a_form_without_its_token_is_told_so(db) -> None:
    client = Client(enforce_csrf_checks=True)

    answer = client.post("/accounts/login/", {"username": "x"}, headers={"accept-language": "en"})

    assert answer.status_code == 403
    assert "The form was not accepted" in answer.content.decode()
