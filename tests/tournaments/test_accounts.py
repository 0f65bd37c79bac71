"""Accounts: the first one, passwords that were forgotten, accounts that are switched off, and links that no log holds."""

from __future__ import annotations

import importlib
import logging
import os
import re
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib import admin
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client

from config.logs import HidePersonalLinks, hide
from games.demo import event as demo
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, WrongState
from tournaments.models import ApiToken, AuditEntry, Role, User
from tournaments.services import accounts, tokens

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
FIRST = {"username": "anna", "full_name": "Anna", "password": PASSWORD, "repeated": PASSWORD}


def client_of(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


@pytest.fixture
def staff() -> User:
    return User.objects.create_user("staff", password=PASSWORD, is_staff=True)


@pytest.fixture
def arbiter() -> User:
    return User.objects.create_user("arbiter", password=PASSWORD)


class TestSetUp:
    def test_on_this_machine_it_asks_for_no_code(self) -> None:
        assert Client().post("/setup/", FIRST).status_code == 302
        assert User.objects.get().is_staff

    @pytest.mark.parametrize(
        "visitor", [{"REMOTE_ADDR": "192.0.2.1"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.1"}, {"REMOTE_ADDR": ""}]
    )
    def test_from_elsewhere_nobody_makes_the_first_account(self, visitor: dict[str, str]) -> None:
        assert Client().post("/setup/", FIRST, **visitor).status_code == 403  # type: ignore[arg-type]
        assert not User.objects.exists()

    @pytest.mark.parametrize(("code", "accounts"), [("", 0), ("wrong", 0), ("abc123", 1)])
    def test_with_the_code_of_the_console_only(self, settings: Any, code: str, accounts: int) -> None:
        settings.SETUP_CODE = "abc123"

        Client().post("/setup/", {**FIRST, "code": code}, REMOTE_ADDR="192.0.2.1")

        assert User.objects.count() == accounts


class TestOthersAccounts:
    def test_a_new_first_password_ends_all_that_the_old_one_opened(self, staff: User, arbiter: User) -> None:
        open_before = Client()
        open_before.post("/accounts/login/", {"username": "arbiter", "password": PASSWORD})
        tokens.create(Actor(user=arbiter), name="a")

        password = accounts.reset_password(Actor(user=staff), arbiter.pk)

        arbiter.refresh_from_db()
        assert arbiter.check_password(password)
        assert open_before.get("/desk/").status_code == 302
        assert not ApiToken.objects.exists()
        assert password not in str(list(AuditEntry.objects.values()))

    def test_the_page_shows_it_once(self, staff: User, arbiter: User) -> None:
        client = client_of(staff)

        page = client.post("/desk/accounts/", {"act": "password", "account": arbiter.pk}, follow=True)

        assert "shown this once" in page.content.decode()
        assert "shown this once" not in client.get("/desk/accounts/").content.decode()

    def test_an_account_switched_off_opens_nothing(self, staff: User, arbiter: User) -> None:
        key = tokens.create(Actor(user=arbiter), name="a")
        client = client_of(arbiter)

        client_of(staff).post("/desk/accounts/", {"act": "off", "account": arbiter.pk})

        assert client.get("/desk/").status_code == 302
        assert Client().get("/api/v1/token/", headers={"authorization": f"Token {key}"}).status_code == 401
        client_of(staff).post("/desk/accounts/", {"act": "on", "account": arbiter.pk})
        assert User.objects.get(pk=arbiter.pk).is_active

    def test_nobody_switches_himself_off(self, staff: User) -> None:
        with pytest.raises(BadInput):
            accounts.switch_off(Actor(user=staff), staff.pk)

    @pytest.mark.parametrize("act", ["off", "on", "password", "remove"])
    def test_only_staff_does(self, staff: User, arbiter: User, act: str) -> None:
        answer = client_of(arbiter).post("/desk/accounts/", {"act": act, "account": staff.pk})

        staff.refresh_from_db()
        assert (answer.status_code, staff.is_active, staff.check_password(PASSWORD)) == (403, True, True)

    def test_staff_does_not_take_over_a_superuser(self, staff: User) -> None:
        root = User.objects.create_superuser("root", password=PASSWORD)

        with pytest.raises(NotAllowed):
            accounts.reset_password(Actor(user=staff), root.pk)


def test_a_forgotten_password_is_mailed_to_the_address_one_has_set(arbiter: User) -> None:
    client_of(arbiter).post("/desk/account/", {"language": "", "email": "a@example.org"})

    Client().post("/accounts/password_reset/", {"email": "a@example.org"})

    assert [message.to for message in mail.outbox] == [["a@example.org"]]


def test_a_changed_password_ends_the_token(arbiter: User) -> None:
    tokens.create(Actor(user=arbiter), name="a")
    new = "another horse, another battery"

    client_of(arbiter).post(
        "/accounts/password_change/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    )

    arbiter.refresh_from_db()
    assert arbiter.check_password(new)
    assert not ApiToken.objects.exists()


def test_the_admin_knows_no_key() -> None:
    assert ApiToken not in admin.site._registry


def test_the_page_makes_a_key_shows_it_once_and_revokes_it(arbiter: User) -> None:
    client = client_of(arbiter)

    page = client.post(
        "/desk/account/token/", {"name": "scanner", "scope": "RESULTS", "days": "7"}
    ).content.decode()
    shown = re.search(r"data-copy-text>([^<]+)<", page)

    assert shown is not None
    token = tokens.find(shown[1])
    assert token is not None
    assert (token.name, token.scope, token.user) == ("scanner", "RESULTS", arbiter)
    assert shown[1] not in client.get("/desk/account/").content.decode()
    client.post("/desk/account/token/", {"revoke": token.pk})
    assert tokens.find(shown[1]) is None


class TestRemoval:
    def test_the_account_is_gone_and_what_was_done_stays(self, staff: User) -> None:
        actor = b.organizer()
        section = b.section(actor, players=2)
        other = User.objects.create_user("other", password=PASSWORD)
        Role.objects.create(event=section.event, user=other, kind=Role.Kind.ORGANIZER)
        gone = actor.user
        assert gone is not None
        gone.set_password(PASSWORD)
        gone.first_name = "林晓舟"
        gone.save()
        lines = list(AuditEntry.objects.filter(actor=gone).order_by("pk").values())

        client_of(staff).post("/desk/accounts/", {"act": "remove", "account": gone.pk})

        gone.refresh_from_db()
        assert not Client().login(username=gone.username, password=PASSWORD)
        assert (gone.is_active, gone.email, str(gone), gone.roles.count()) == (False, "", "林晓舟", 0)
        assert list(AuditEntry.objects.filter(actor=gone).order_by("pk").values()) == lines
        assert gone.username not in client_of(staff).get("/desk/accounts/").content.decode()
        client_of(staff).post("/desk/accounts/", {"act": "on", "account": gone.pk})
        assert not User.objects.get(pk=gone.pk).is_active

    def test_the_last_organizer_of_an_event_stays(self, staff: User) -> None:
        actor = b.organizer()
        b.section(actor)
        assert actor.user is not None

        with pytest.raises(WrongState):
            accounts.remove_account(Actor(user=staff), actor.user.pk)

        actor.user.refresh_from_db()
        assert actor.user.is_active

    def test_a_superuser_is_not_removed_by_others(self, staff: User) -> None:
        root = User.objects.create_superuser("root", password=PASSWORD)

        with pytest.raises(NotAllowed):
            accounts.remove_account(Actor(user=staff), root.pk)

        assert User.objects.get(pk=root.pk).is_active


def test_accounts_of_the_demo_are_told_of_until_they_are_switched_off(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from config.serve import warn_of_demo_accounts

    demo._accounts()
    warn_of_demo_accounts()
    assert "organizer" in capsys.readouterr().out

    call_command("disable_demo_accounts")
    warn_of_demo_accounts()
    assert "WARNING" not in capsys.readouterr().out


def test_the_desk_of_the_staff_warns_of_them_until_they_are_switched_off(
    staff: User, settings: Any, monkeypatch: Any
) -> None:
    from config.serve import warn_of_demo_accounts

    monkeypatch.delenv("DEMO_ACCOUNTS", raising=False)
    demo._accounts()
    warn_of_demo_accounts()
    settings.DEMO_ACCOUNTS = os.environ["DEMO_ACCOUNTS"].split(",")
    assert "committee1" in client_of(staff).get("/desk/").content.decode()

    call_command("disable_demo_accounts")

    assert "committee1" not in client_of(staff).get("/desk/").content.decode()


def test_keys_of_older_sites_go_on_as_digests(arbiter: User) -> None:
    key, migration = "0123456789abcdef", importlib.import_module("tournaments.migrations.0024_api_tokens")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40), created timestamptz, user_id bigint)")
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, now(), %s)", [key, arbiter.pk])

    migration.keep_digests(apps, mock.Mock(connection=connection))

    token = tokens.find(key)
    assert token is not None and token.user == arbiter
    assert "authtoken_token" not in connection.introspection.table_names()


@pytest.mark.parametrize("path", ["/my/abcDEF123/", "/my/abcDEF123/sheet/4/", "/en/my/abcDEF123"])
def test_no_log_holds_a_personal_link(path: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, __file__, 1, "Not Found: %s", (path,), None)

    assert HidePersonalLinks().filter(record)

    assert "abcDEF123" not in record.getMessage()
    assert "/my/***" in record.getMessage()
    assert hide("GET /e/spring/ 200") == "GET /e/spring/ 200"
