"""Log-in by session and by token, and the brake on guessing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from config import pulse
from tests.api.conftest import at
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.errors import BadInput
from tournaments.models import ApiToken, Attempts, AuditEntry, Role, Section, User
from tournaments.services import tokens
from tournaments.web import throttling

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture
def arbiter(section: Section) -> User:
    user = User.objects.create_user("arbiter", password=PASSWORD)
    Role.objects.create(event=section.event, user=user, kind=Role.Kind.ARBITER)
    return user


def log_in(client: APIClient, name: str, password: str, address: str = "192.0.2.1") -> tuple[int, dict]:
    reply = client.post(
        "/api/v1/token/", {"username": name, "password": password}, format="json", REMOTE_ADDR=address
    )
    return reply.status_code, reply.json()


def test_a_token_opens_the_desk(arbiter: User, section: Section) -> None:
    status, body = log_in(APIClient(), "arbiter", PASSWORD)

    client = APIClient(headers={"authorization": f"Token {body['token']}"})
    assert status == 200
    assert client.get(f"/api/v1/{at(section, 'desk/')}").json()["roles"] == ["ARBITER"]


def test_a_session_opens_the_desk_and_its_writes_ask_for_the_csrf_token(
    arbiter: User, section: Section
) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(arbiter)

    assert client.get(f"/api/v1/{at(section, 'desk/')}").status_code == 200
    reply = client.post(f"/api/v1/{at(section, 'pairing/')}")
    assert (reply.status_code, reply.json()["code"]) == (403, "not-allowed")
    assert not section.jobs.exists()


@pytest.mark.parametrize(("name", "password"), [("arbiter", "wrong"), ("nobody", PASSWORD)])
def test_wrong_credentials_do_not_say_which_is_wrong(arbiter: User, name: str, password: str) -> None:
    status, body = log_in(APIClient(), name, password)

    assert (status, body["code"]) == (401, "wrong-credentials")
    assert body == log_in(APIClient(), "other", "wrong")[1]


def test_a_wrong_token_is_refused(section: Section) -> None:
    client = APIClient(headers={"authorization": "Token 0123456789"})

    reply = client.get(f"/api/v1/{at(section)}")

    assert (reply.status_code, reply.json()["code"]) == (401, "wrong-credentials")


def test_guessing_from_one_address_does_not_lock_the_account_elsewhere(arbiter: User) -> None:
    for _attempt in range(10):
        assert log_in(APIClient(), "arbiter", "wrong", "192.0.2.1")[0] == 401

    status, body = log_in(APIClient(), "arbiter", PASSWORD, "192.0.2.1")
    assert (status, body["code"]) == (429, "throttled")
    assert log_in(APIClient(), "arbiter", PASSWORD, "192.0.2.99")[0] == 200


def test_guessing_does_not_lock_the_others_of_the_hall_out(arbiter: User) -> None:
    for _attempt in range(30):
        log_in(APIClient(), "somebody", "wrong", "192.0.2.1")

    assert log_in(APIClient(), "arbiter", PASSWORD, "192.0.2.1")[0] == 200


def test_guessing_from_everywhere_is_stopped_and_a_known_browser_passes(arbiter: User) -> None:
    known = Client(headers={"accept-language": "en"})
    given = {"username": "arbiter", "password": PASSWORD}
    assert known.post("/accounts/login/", given).status_code == 302
    known.post("/accounts/logout/")
    for attempt in range(throttling.ON_ONE_ACCOUNT):
        log_in(APIClient(), "arbiter", "wrong", f"192.0.2.{attempt}")

    assert log_in(APIClient(), "arbiter", PASSWORD, "198.51.100.1")[0] == 429
    assert known.post("/accounts/login/", given).status_code == 302

    known.post("/accounts/logout/")
    for _attempt in range(throttling.FROM_ONE_BROWSER):
        known.post("/accounts/login/", {**given, "password": "wrong"})
    assert known.post("/accounts/login/", given).status_code == 200  # the page again: guesses count there too


def test_a_browser_is_forgotten_with_the_password_it_knew(arbiter: User) -> None:
    known = Client()
    known.post("/accounts/login/", {"username": "arbiter", "password": PASSWORD})
    assert throttling.KNOWN_COOKIE in known.cookies
    arbiter.set_password("something else entirely")
    arbiter.save()
    for attempt in range(throttling.ON_ONE_ACCOUNT):
        log_in(APIClient(), "arbiter", "wrong", f"192.0.2.{attempt}")

    answer = known.post("/accounts/login/", {"username": "arbiter", "password": "something else entirely"})

    assert answer.status_code == 200


def test_a_shared_computer_is_not_remembered_and_logs_out_soon(arbiter: User) -> None:
    client = Client()
    client.post("/accounts/login/", {"username": "arbiter", "password": PASSWORD, "shared": "on"})

    assert throttling.KNOWN_COOKIE not in client.cookies
    assert client.session.get_expiry_age() <= 2 * 3600


def test_guessing_from_one_address_is_stopped_whatever_headers_claim() -> None:
    for attempt in range(throttling.FROM_ONE_ADDRESS):
        client = APIClient(headers={"x-forwarded-for": f"198.51.100.{attempt}"})
        assert log_in(client, f"name{attempt}", "wrong")[0] == 401

    assert log_in(APIClient(), "another", "wrong")[0] == 429
    assert log_in(APIClient(), "another", "wrong", "192.0.2.2")[0] == 401


def test_the_counts_are_every_process_s_and_a_minute_later_all_begins_anew(arbiter: User) -> None:
    for _attempt in range(12):
        log_in(APIClient(), "arbiter", "wrong")
    cache.clear()  # what one process keeps for itself
    assert log_in(APIClient(), "arbiter", PASSWORD)[0] == 429

    Attempts.objects.update(until=timezone.now() - timedelta(seconds=1))

    assert log_in(APIClient(), "arbiter", PASSWORD)[0] == 200
    assert set(Attempts.objects.values_list("count", flat=True)) == {0}


def test_counts_of_a_minute_that_is_over_are_swept_away(arbiter: User) -> None:
    log_in(APIClient(), "arbiter", "wrong")
    throttling.forget_old()
    assert Attempts.objects.count() == 3

    Attempts.objects.update(until=timezone.now() - timedelta(seconds=1))
    pulse.Sweep()()

    assert not Attempts.objects.exists()


class TestOtherDoors:
    def post(self, password: str, address: str = "192.0.2.1", to: str = "/accounts/login/") -> Any:
        return Client(headers={"accept-language": "en"}).post(
            to, {"username": "arbiter", "password": password}, REMOTE_ADDR=address
        )

    def test_the_page_has_the_same_brake_and_says_so(self, arbiter: User) -> None:
        assert "do not fit" in self.post("wrong").content.decode()
        for _attempt in range(9):
            log_in(APIClient(), "arbiter", "wrong")

        braked = self.post(PASSWORD)

        assert (braked.status_code, "_auth_user_id" in braked.client.session) == (200, False)
        assert "Too many attempts" in braked.content.decode()

    def test_the_admin_too(self, arbiter: User) -> None:
        arbiter.is_staff = True
        arbiter.save()
        for _attempt in range(10):
            self.post("wrong", to="/admin/login/")

        assert "_auth_user_id" not in self.post(PASSWORD, to="/admin/login/").client.session

    def test_right_passwords_are_not_counted(self, arbiter: User) -> None:
        for _attempt in range(30):
            assert "_auth_user_id" in self.post(PASSWORD).client.session

    @pytest.mark.parametrize(
        ("proxies", "header", "address"),
        [
            (0, "198.51.100.7", "192.0.2.1"),
            (1, "203.0.113.5, 198.51.100.7", "198.51.100.7"),
            (2, "203.0.113.5, 198.51.100.7", "203.0.113.5"),
            (1, "nonsense", "192.0.2.1"),
            (3, "198.51.100.7", "192.0.2.1"),
        ],
    )
    def test_a_proxy_is_believed_only_when_it_is_ours(
        self, organizer: Actor, settings: Any, proxies: int, header: str, address: str
    ) -> None:
        settings.PROXIES = proxies
        client = Client(headers={"x-forwarded-for": header, "authorization": f"Token {token_of(organizer)}"})

        client.post(
            "/api/v1/events/", {"name": "A"}, content_type="application/json", REMOTE_ADDR="192.0.2.1"
        )

        assert AuditEntry.objects.get(action="create-event").address == address


def token_of(actor: Actor) -> str:
    return tokens.create(actor, name="test")


def test_an_account_that_is_switched_off_does_not_log_in(arbiter: User, section: Section) -> None:
    token = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]
    arbiter.is_active = False
    arbiter.save()

    assert log_in(APIClient(), "arbiter", PASSWORD)[0] == 401
    client = APIClient(headers={"authorization": f"Token {token}"})
    assert client.get(f"/api/v1/{at(section, 'desk/')}").status_code == 401


class TestOnesOwnTokens:
    def test_they_are_known_without_being_told_and_stop_working_when_revoked(
        self, arbiter: User, section: Section
    ) -> None:
        token = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]
        client = APIClient(headers={"authorization": f"Token {token}"})

        known = client.get("/api/v1/token/")
        revoked = client.delete("/api/v1/token/")

        assert [(one["name"], one["scope"]) for one in known.json()["tokens"]] == [("log-in", "ALL")]
        assert (token in known.content.decode(), known["Cache-Control"]) == (False, "no-store")
        assert (revoked.status_code, ApiToken.objects.count()) == (204, 0)
        assert AuditEntry.objects.filter(action="revoke-token", actor=arbiter).exists()
        assert client.get(f"/api/v1/{at(section, 'desk/')}").status_code == 401

    def test_a_session_revokes_by_number_and_only_its_own(self, arbiter: User, organizer: Actor) -> None:
        tokens.create(Actor(user=arbiter), name="mine")
        tokens.create(organizer, name="another's")
        client = APIClient()
        client.force_authenticate(arbiter)

        numbers = {one.name: one.pk for one in ApiToken.objects.all()}
        statuses = [client.delete(f"/api/v1/token/?id={number}").status_code for number in numbers.values()]

        assert dict(zip(numbers, statuses, strict=True)) == {"another's": 404, "mine": 204}
        assert client.delete("/api/v1/token/").status_code == 404

    @pytest.mark.parametrize("method", ["get", "delete"])
    def test_nobody_has_none(self, arbiter: User, method: str) -> None:
        tokens.create(Actor(user=arbiter), name="mine")

        reply = getattr(APIClient(), method)("/api/v1/token/")

        assert (reply.status_code, reply.json()["code"]) == (401, "not-logged-in")
        assert ApiToken.objects.count() == 1

    def test_what_is_kept_is_not_the_key(self, arbiter: User) -> None:
        token = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]

        assert token not in str([*ApiToken.objects.values(), *AuditEntry.objects.values()])

    def test_it_ends_with_its_time(self, arbiter: User, section: Section) -> None:
        token = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]
        ApiToken.objects.update(expires_at=timezone.now())

        reply = APIClient(headers={"authorization": f"Token {token}"}).get(f"/api/v1/{at(section)}")

        assert reply.status_code == 401

    def test_it_ends_with_the_password_whatever_door_changed_it(
        self, arbiter: User, section: Section
    ) -> None:
        token = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]
        arbiter.set_password("something else entirely")
        arbiter.save()

        reply = APIClient(headers={"authorization": f"Token {token}"}).get(f"/api/v1/{at(section)}")

        assert reply.status_code == 401
        assert tokens.of(arbiter) == []

    @pytest.mark.parametrize(
        ("scope", "reads", "result", "entry"),
        [("READ", 200, 403, 403), ("RESULTS", 200, 200, 403), ("ALL", 200, 200, 201)],
    )
    def test_its_scope_holds(
        self,
        arbiter: User,
        organizer: Actor,
        section: Section,
        scope: str,
        reads: int,
        result: int,
        entry: int,
    ) -> None:
        board = b.publish_next(organizer, section).pairings.get(board=1)
        Role.objects.create(event=section.event, user=arbiter, kind=Role.Kind.ORGANIZER)
        body = {"username": "arbiter", "password": PASSWORD, "scope": scope, "name": "scanner", "days": 1}
        token = APIClient().post("/api/v1/token/", body, format="json").json()["token"]
        client = APIClient(headers={"authorization": f"Token {token}"})

        told = [
            client.get(f"/api/v1/{at(section, 'desk/')}").status_code,
            client.put(
                f"/api/v1/{at(section, f'pairings/{board.pk}/result/')}",
                {"outcome": "WHITE", "version": 0},
                format="json",
            ).status_code,
            client.post(f"/api/v1/{at(section, 'entries/')}", {"name": "王芳"}, format="json").status_code,
        ]

        assert told == [reads, result, entry]
        assert client.delete("/api/v1/token/").status_code == 204

    def test_log_ins_take_the_place_of_the_oldest_and_leave_named_keys_alone(self, arbiter: User) -> None:
        kept = tokens.create(Actor(user=arbiter), name="board")
        first = log_in(APIClient(), "arbiter", PASSWORD)[1]["token"]
        for _time in range(tokens.MOST - 1):
            log_in(APIClient(), "arbiter", PASSWORD)

        assert ApiToken.objects.count() == tokens.MOST
        assert (tokens.find(first), tokens.find(kept) is None) == (None, False)
        with pytest.raises(BadInput):
            tokens.create(Actor(user=arbiter), name="one more")
