"""Refusals as programs meet them: stable codes, what is wrong and where, and the present state on a clash."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Caller, at, caller_as
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import ImportDraft, Role, Section
from tournaments.services import results

pytestmark = pytest.mark.django_db


@pytest.fixture
def me(organizer: Actor) -> Caller:
    return Caller(organizer)


def fields(caller: Caller, method: str, path: str, body: Any) -> dict[str, Any]:
    reply = caller.call(method, path, body)
    assert (reply.status_code, reply.json()["code"]) == (400, "bad-input"), reply.content
    return reply.json()["details"]["fields"]


class TestResults:
    def test_a_stale_form_gets_the_present_value(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        board = b.publish_next(organizer, section).pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=0)
        path = at(section, f"pairings/{board.pk}/result/")

        reply = me.call("put", path, {"outcome": "BLACK", "version": 0})

        assert (reply.status_code, reply.json()["code"]) == (409, "stale-result")
        assert reply.json()["details"]["boards"] == [
            {"pairing": board.pk, "board": 1, "outcome": "WHITE", "grade": "", "version": 1, "yours": "BLACK"}
        ]
        board.refresh_from_db()
        assert (board.outcome, board.version) == ("WHITE", 1)

    def test_the_same_again_is_no_clash(self, organizer: Actor, section: Section, me: Caller) -> None:
        board = b.publish_next(organizer, section).pairings.get(board=1)
        path, body = at(section, f"pairings/{board.pk}/result/"), {"outcome": "WHITE", "version": 0}

        first = me.done("put", path, body)

        assert me.done("put", path, body) == first

    def test_of_a_form_nothing_is_saved_when_one_board_clashes(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        round_ = b.publish_next(organizer, section)
        first, second, _third = round_.pairings.order_by("board")
        results.record_outcome(organizer, first.pk, outcome="WHITE", version=0)

        lines = [{"pairing": board.pk, "outcome": "DRAW", "version": 0} for board in (first, second)]
        assert me.refused("post", at(section, "results/"), {"lines": lines}) == (409, "stale-result")

        second.refresh_from_db()
        assert second.outcome == "UNPLAYED"

    def test_a_correction_in_a_closed_round_asks_for_a_reason(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        board = b.play_round(organizer, section).pairings.get(board=1)
        b.draft(organizer, section)
        path, body = at(section, f"pairings/{board.pk}/result/"), {"outcome": "DRAW", "version": 1}

        assert me.refused("put", path, body) == (400, "reason-needed")
        assert me.done("put", path, {**body, "reason": "slip"})["outcome"] == "DRAW"

    @pytest.mark.parametrize("outcome", ["WON", "BYE", ""])
    def test_what_is_no_result_is_named(
        self, organizer: Actor, section: Section, me: Caller, outcome: str
    ) -> None:
        board = b.publish_next(organizer, section).pairings.get(board=1)

        wrong = fields(
            me, "put", at(section, f"pairings/{board.pk}/result/"), {"outcome": outcome, "version": 0}
        )

        assert list(wrong) == ["outcome"]

    def test_a_board_of_another_event_is_not_found(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        other = b.publish_next(organizer, b.section(organizer, players=2)).pairings.get(board=1)

        path = at(section, f"pairings/{other.pk}/result/")
        assert me.refused("put", path, {"outcome": "DRAW", "version": 0}) == (404, "not-found")


class TestPairing:
    def test_asked_twice_it_is_the_same_job(self, section: Section, me: Caller) -> None:
        first = me.done("post", at(section, "pairing/"))

        assert me.done("post", at(section, "pairing/"))["id"] == first["id"]

    def test_what_stands_in_the_way_has_a_code(self, organizer: Actor, section: Section, me: Caller) -> None:
        b.publish_next(organizer, section)
        assert me.refused("post", at(section, "pairing/")) == (409, "results-missing")
        assert me.refused("post", at(section, "closing/")) == (409, "results-missing")
        assert me.refused("delete", at(section, "draft/")) == (409, "no-draft")

    def test_a_failed_job_carries_its_answer(self, organizer: Actor, me: Caller) -> None:
        section = b.section(organizer, players=2, rounds_total=2)
        b.play_round(organizer, section)
        job = me.done("post", at(section, "pairing/"))
        b.run(section.jobs.get(pk=job["id"]))

        told = me.get(at(section, f"jobs/{job['id']}/"))

        assert (told["state"], told["error"]["code"]) == ("FAILED", "no-legal-pairing")
        assert told["error"]["message"] == (
            "No legal pairing exists: these players cannot all be matched: 1 Player 1, 2 Player 2. "
            "One of these would help: letting two players meet again. "
            "Lift a forbidden pair, or pair the round by hand."
        )
        assert (told["error"]["details"]["players"], told["error"]["details"]["relax"]) == (
            [1, 2],
            ["rematch"],
        )
        made = me.done("post", at(section, "pairing/by-hand/"), {"reason": "two are left"})
        assert me.get(at(section, f"rounds/{made['number']}/draft/"))["warnings"][0]["kind"] == "repeat"

    def test_a_draft_that_moved_on_is_a_conflict(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        round_ = b.draft(organizer, section)
        board = round_.pairings.get(board=1)
        seen = me.get(at(section, "rounds/1/draft/"))["version"]
        swap = {"first": board.white_id, "second": board.black_id, "version": seen}

        changed = me.done("post", at(section, "rounds/1/draft/swap/"), swap)

        assert [edit["verb"] for edit in changed["edits"]] == ["swap"]
        assert {each["side"] for each in changed["differences"]} == {"engine", "arbiter"}
        assert me.refused("post", at(section, "rounds/1/draft/swap/"), swap) == (409, "conflict")


class TestInput:
    def test_wrong_fields_are_named(self, section: Section, me: Caller) -> None:
        assert list(fields(me, "post", at(section, "entries/"), {"name": "A", "rating": 9999})) == ["rating"]
        assert list(fields(me, "post", at(section, "entries/"), {"rating": 2000})) == ["name"]
        assert list(fields(me, "patch", at(section), {"rounds_total": 0})) == ["rounds_total"]
        assert list(fields(me, "patch", at(section), {"tiebreaks": ["LUCK"]})) == ["tiebreaks"]
        assert list(fields(me, "patch", at(section), {"policy": {"luck": True}})) == ["policy"]
        assert list(fields(me, "patch", at(section), {"scheme": "LUCK"})) == ["scheme"]

    def test_an_address_code_is_taken_once(self, section: Section, me: Caller) -> None:
        wrong = fields(me, "post", "events/", {"name": "A", "code": section.event.code})

        assert list(wrong) == ["code"]

    def test_what_is_no_json_is_malformed(self, section: Section, me: Caller) -> None:
        reply = me.client.post(f"/api/v1/{at(section, 'entries/')}", "{", content_type="application/json")

        assert (reply.status_code, reply.json()["code"]) == (400, "malformed")

    def test_other_refusals_of_the_protocol(self, section: Section, me: Caller) -> None:
        assert me.refused("delete", "events/") == (405, "method-not-allowed")
        reply = me.client.post(f"/api/v1/{at(section, 'entries/')}", "x", content_type="text/plain")
        assert (reply.status_code, reply.json()["code"]) == (415, "unsupported-media-type")

    @pytest.mark.parametrize(
        ("method", "path", "sent", "status"),
        [
            ("get", "nothing/", {}, 404),
            ("get", "events/none/", {}, 404),
            ("get", "../v2/events/", {}, 404),
            ("put", "events/", {}, 405),
            ("post", "events/", {"data": "{", "content_type": "application/json"}, 400),
            ("post", "events/", {"data": b"\xff{}", "content_type": "application/json"}, 400),
            ("post", "events/", {"data": "[" * 100_000, "content_type": "application/json"}, 400),
            ("post", "events/", {"data": "x", "content_type": "multipart/form-data"}, 400),
            ("post", "events/", {"data": "x", "content_type": "text/plain"}, 415),
            ("get", "events/", {"headers": {"accept": "text/html"}}, 406),
            ("get", "events/?page=x", {}, 404),
            ("get", "events/", {"headers": {"authorization": "Token none"}}, 401),
            ("get", "events/a%00b/", {}, 400),
            ("get", "events/", {"headers": {"host": "a b"}}, 400),
        ],
    )
    def test_whatever_goes_wrong_has_one_shape(
        self, me: Caller, method: str, path: str, sent: dict[str, Any], status: int
    ) -> None:
        me.client.raise_request_exception = False
        if "authorization" in sent.get("headers", {}):
            me.client.force_authenticate(None)

        reply = getattr(me.client, method)(f"/api/v1/{path}".replace("v1/../", ""), **sent)

        assert reply.status_code == status
        assert reply["Content-Type"].startswith("application/json")
        assert reply.json().keys() == {"code", "message", "details"}

    def test_a_fault_of_the_program_has_it_too(self, me: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
        me.client.raise_request_exception = False
        monkeypatch.setattr("tournaments.web.api.events.visible_events", lambda _request: 1 / 0)

        reply = me.client.get("/api/v1/events/")

        assert (reply.status_code, reply.json()["code"]) == (500, "server-error")

    def test_sentences_are_in_the_readers_language(self, section: Section) -> None:
        path = f"/api/v1/{at(section, 'pairing/')}"
        arbiter = caller_as(section, Role.Kind.PLAYER).client

        told = {
            language: arbiter.post(path, headers={"accept-language": language}).json()
            for language in ("en", "zh-hans")
        }

        assert told["en"]["code"] == told["zh-hans"]["code"] == "not-found"
        assert told["en"]["message"] == "Not found."
        assert told["zh-hans"]["message"] != told["en"]["message"]

    def test_settings_freeze_once_a_round_is_paired(
        self, organizer: Actor, section: Section, me: Caller
    ) -> None:
        b.publish_next(organizer, section)

        assert me.refused("patch", at(section), {"format": "ROUND_ROBIN"}) == (409, "frozen")
        assert me.refused("patch", at(section), {"tiebreaks": ["WINS"]}) == (400, "reason-needed")
        changed = me.done("patch", at(section), {"tiebreaks": ["WINS"], "reason": "as announced"})
        assert changed["tiebreaks"] == ["WINS"]


class TestLists:
    def upload(self, me: Caller, section: Section, content: bytes, **options: str) -> Any:
        from django.core.files.uploadedfile import SimpleUploadedFile

        path = f"/api/v1/{at(section, 'imports/')}"
        file = SimpleUploadedFile("list.csv", content)
        return me.client.post(path, {"file": file, **options}, format="multipart")

    def test_bad_rows_are_told_by_line_and_nothing_is_entered(self, section: Section, me: Caller) -> None:
        held = self.upload(me, section, "姓名,等级分\n张伟,2000\n李芳,many\n".encode()).json()
        assert (held["is_ready"], [p["line"] for p in held["problems"]]) == (False, [3])

        reply = me.call("post", at(section, f"imports/{held['id']}/confirmation/"))

        assert (reply.status_code, reply.json()["code"]) == (400, "bad-rows")
        assert list(reply.json()["details"]["rows"]) == ["3"]
        assert section.entries.count() == 6

    def test_a_file_is_read_in_another_way(self, section: Section, me: Caller) -> None:
        held = self.upload(me, section, "姓名\nPlayer 1\n张伟\n".encode(), repeats="skip").json()
        path = at(section, f"imports/{held['id']}/")
        assert held["repeats"] == [2]

        again = me.done("put", path, {"repeats": "refuse"})
        assert (again["is_ready"], again["repeats"]) == (False, [])
        assert me.get(path)["is_ready"] is False
        me.done("delete", path)
        assert me.refused("get", path) == (404, "not-found")

    def test_a_file_that_cannot_be_read_is_not_held(self, section: Section, me: Caller) -> None:
        reply = self.upload(me, section, b"")

        assert (reply.status_code, reply.json()["code"]) == (400, "bad-input")
        assert not ImportDraft.objects.exists()

        reply = self.upload(me, section, b"PK\x03\x04 no workbook")
        assert reply.status_code == 400
        assert not ImportDraft.objects.exists()

    def test_an_unknown_option_is_refused(self, section: Section, me: Caller) -> None:
        reply = self.upload(me, section, "姓名\n张伟\n".encode(), repeats="twice")

        assert (reply.status_code, reply.json()["code"]) == (400, "bad-option")
