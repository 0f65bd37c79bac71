"""Reading: what is answered, that points are the same everywhere, how lists are paged and filtered, ETags, queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import BASE, Caller, at, caller_as
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Role, Section
from tournaments.services import entries, events, results, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(organizer: Actor, section: Section) -> Section:
    """Two rounds played: a withdrawal after the first, a late entry, a forfeit, a ruling on points."""
    first = b.publish_next(organizer, section)
    board = first.pairings.get(board=1)
    results.record_outcome(organizer, board.pk, outcome="BLACK_FORFEITS", version=0)
    b.enter_all(organizer, first, "WHITE")
    entries.withdraw_entry(organizer, first.pairings.get(board=3).white_id, after_round=1)
    entries.add_entry(organizer, section.pk, {"name": "张伟", "rating": 2300, "club": "上海"})
    b.play_round(organizer, section, "DRAW")
    chief = b.with_role(section.event, Role.Kind.CHIEF_ARBITER)
    results.adjust_score(chief, board.white_id, points=-1, after_round=2, reason="ruling 1")
    b.work_all(section)
    section.refresh_from_db()
    return section


class TestPoints:
    def test_they_are_the_same_wherever_they_stand(self, played: Section) -> None:
        anybody = Caller()
        table = anybody.get(at(played, "standings/"))["results"]
        cross = anybody.get(at(played, "cross-table/"))["results"]
        before_3 = anybody.get(at(played, "rounds/2/pairings/"))["results"]

        in_table = {row["entry"]["id"]: row["points"] for row in table}
        assert {row["entry"]["id"]: row["points"] for row in cross} == in_table
        for pk, points in in_table.items():
            player = anybody.get(at(played, f"entries/{pk}/"))
            assert player["points"] == points == player["rounds"][-1]["total"]
            assert anybody.get(at(played, f"standings/{pk}/"))["points"] == points
        after_1 = {
            row["entry"]["id"]: row["points"]
            for row in anybody.get(at(played, "standings/"), after_round=1)["results"]
        }
        for line in before_3:
            assert line["white_before"] == after_1[line["white"]["id"]]
            if line["black"]:
                assert line["black_before"] == after_1[line["black"]["id"]]

    def test_a_ruling_is_a_line_of_its_own(self, played: Section) -> None:
        (ruling,) = Caller().get(at(played, "adjustments/"))["results"]

        assert (ruling["points"], ruling["after_round"], ruling["reason"]) == (-1, 2, "ruling 1")
        row = next(
            row
            for row in Caller().get(at(played, "standings/"))["results"]
            if row["entry"]["id"] == ruling["entry"]["id"]
        )
        assert row["adjustment"] == -1

    def test_a_value_is_opened_to_its_working(self, played: Section) -> None:
        row = Caller().get(at(played, "standings/"))["results"][0]

        worked = Caller().get(at(played, f"standings/{row['entry']['id']}/"))

        solkoff = next(each for each in worked["workings"] if each["code"] == "SOLKOFF")
        assert solkoff["value"] == row["values"]["SOLKOFF"]
        assert sum(line["gave"] for line in solkoff["lines"] if line["counted"]) == solkoff["value"]


class TestRounds:
    def test_a_forfeit_and_a_bye_are_told_in_codes(self, played: Section) -> None:
        lines = Caller().get(at(played, "rounds/1/pairings/"))["results"]

        assert [line["outcome"] for line in lines] == ["BLACK_FORFEITS", "WHITE", "WHITE"]
        assert [line["score"] for line in lines] == ["+ -", "2-0", "2-0"]
        assert [round_["number"] for round_ in Caller().get(at(played, "rounds/"))["results"]] == [1, 2]

    def test_boards_are_found_by_name_pinyin_and_number(self, played: Section) -> None:
        pairings = at(played, "rounds/2/pairings/")

        (line,) = Caller().get(pairings, q="zhangwei")["results"]
        assert "张伟" in (line["white"]["name"], line["black"]["name"])
        number = line["white"]["number"]
        assert len(Caller().get(pairings, q=str(number))["results"]) == 1
        assert Caller().get(pairings, q="nobody")["results"] == []

    def test_open_boards_only(self, organizer: Actor, section: Section) -> None:
        round_ = b.publish_next(organizer, section)
        results.record_outcome(organizer, round_.pairings.get(board=2).pk, outcome="DRAW", version=0)

        found = Caller().get(at(section, "rounds/1/pairings/"), open="true")["results"]

        assert [line["board"] for line in found] == [1, 3]
        assert Caller().get(at(section, "rounds/1/"))["missing"] == 2


class TestEntries:
    @pytest.mark.parametrize("q", ["张伟", "zhangwei", "zw", "ZHANG", "zhang w"])
    def test_found_in_any_spelling(self, played: Section, q: str) -> None:
        found = Caller().get(at(played, "entries/"), q=q)["results"]

        assert [entry["name"] for entry in found] == ["张伟"]

    def test_filters_narrow_and_orders_turn(self, played: Section) -> None:
        anybody, path = Caller(), at(played, "entries/")

        assert [e["name"] for e in anybody.get(path, club="上海")["results"]] == ["张伟"]
        assert anybody.get(path, status="WITHDRAWN")["count"] == 1
        assert anybody.get(path, status="ACTIVE")["count"] == 6
        assert anybody.get(path, rating_min=2350, rating_max=2380)["count"] == 4
        ratings = [entry["rating"] for entry in anybody.get(path, order="rating")["results"]]
        assert ratings == sorted(ratings)

    def test_a_list_is_read_page_by_page(self, played: Section) -> None:
        first = Caller().get(at(played, "entries/"), page_size=3)
        second = Caller().get(at(played, "entries/"), page_size=3, page=2)
        last = Caller().get(at(played, "entries/"), page_size=3, page=3)

        numbers = [e["number"] for page in (first, second, last) for e in page["results"]]
        assert numbers == [1, 2, 3, 4, 5, 6, 7]
        assert (first["previous"], last["next"]) == (None, None)
        assert Caller().refused("get", at(played, "entries/?page=9")) == (404, "not-found")

    def test_a_filter_that_cannot_be_read_is_named(self, played: Section) -> None:
        reply = Caller().call("get", at(played, "entries/?rating_min=many&status=GONE"))

        assert reply.status_code == 400
        assert sorted(reply.json()["details"]["fields"]) == ["rating_min", "status"]


class TestEvents:
    def test_found_by_words_dates_and_state(self, organizer: Actor) -> None:
        for name, day in (("Open de Montpellier", "2026-05-01"), ("岳阳公开赛", "2026-11-28")):
            event = events.create_event(organizer, {"name": name, "starts_on": day})
            events.show_event(organizer, event.pk, public=True)
        anybody = Caller()

        def found(**query: Any) -> list[str]:
            return [event["name"] for event in anybody.get("events/", **query)["results"]]

        assert found() == ["岳阳公开赛", "Open de Montpellier"]
        assert found(q="montpellier") == ["Open de Montpellier"]
        assert found(starts_after="2026-06-01") == ["岳阳公开赛"]
        assert found(starts_before="2026-06-01") == ["Open de Montpellier"]
        assert found(state="CLOSED") == []
        assert found(order="starts_on") == ["Open de Montpellier", "岳阳公开赛"]


class TestEtag:
    @pytest.mark.parametrize(
        "path", ["", "entries/", "rounds/", "rounds/1/", "rounds/1/pairings/", "standings/", "cross-table/"]
    )
    def test_an_answer_held_is_not_sent_again_until_it_changes(
        self, organizer: Actor, played: Section, path: str
    ) -> None:
        client = Caller().client
        address = BASE + at(played, path)
        first = client.get(address)

        held = client.get(address, headers={"if-none-match": first["ETag"]})
        assert (held.status_code, held.content, held["ETag"]) == (304, b"", first["ETag"])

        board = played.rounds.get(number=1).pairings.get(board=2)
        results.record_outcome(organizer, board.pk, outcome="DRAW", version=board.version, reason="slip")
        b.work_all(played)
        again = client.get(address, headers={"if-none-match": first["ETag"]})
        assert again.status_code == 200
        assert again["ETag"] != first["ETag"]

    def test_a_table_computed_later_is_sent(self, organizer: Actor, played: Section) -> None:
        address = BASE + at(played, "standings/")
        board = played.rounds.get(number=2).pairings.get(board=1)
        results.record_outcome(organizer, board.pk, outcome="WHITE", version=board.version)
        early = Caller().client.get(address)

        b.work_all(played)

        late = Caller().client.get(address, headers={"if-none-match": early["ETag"]})
        assert late.status_code == 200
        assert late.json() != early.json()

    def test_anybody_may_keep_it_and_no_cookie_is_set(self, played: Section) -> None:
        reply = Caller().client.get(BASE + at(played))

        assert reply["Cache-Control"] == "public, no-cache"
        assert {"Accept-Language", "Cookie", "Authorization"} <= set(reply["Vary"].split(", "))
        assert not reply.cookies


PATHS = {
    "events/": 3,
    "": 3,
    "entries/": 4,
    "entries/{entry}/": 6,
    "rounds/": 3,
    "rounds/1/": 2,
    "rounds/1/pairings/": 6,
    "standings/": 9,
    "standings/{entry}/": 9,
    "cross-table/": 5,
    "adjustments/": 3,
    "files/": 3,
}
DESK_PATHS = {
    "desk/": 5,
    "desk/entries/": 4,
    "rounds/1/boards/": 5,
    "rounds/1/draft/": 16,
    "jobs/": 4,
    "absences/": 4,
    "forbidden-pairs/": 3,
}


def queries(caller: Caller, section: Section, path: str) -> int:
    entry = section.entries.order_by("number")[0].pk
    address = path if path.startswith("events") else at(section, path.format(entry=entry))
    with CaptureQueriesContext(
        connection,
    ) as found:
        caller.get(address)
    return len(found)


def event_of(organizer: Actor, *, players: int, number: int) -> Section:
    section = b.section(organizer, players=players)
    events.show_event(organizer, section.event_id, public=True)
    section.refresh_from_db()
    for _round in range(number):
        b.play_round(organizer, section, "DRAW")
    for entry in section.entries.all()[: players // 2]:
        entries.announce_absence(organizer, entry.pk, round_number=number + 1)
    b.work_all(section)
    return section


def test_the_number_of_queries_does_not_grow(organizer: Actor) -> None:
    small = event_of(organizer, players=4, number=1)
    large = event_of(organizer, players=12, number=4)

    grown = {}
    for path in PATHS:
        few, many = queries(Caller(), small, path), queries(Caller(), large, path)
        grown[path] = (few, many)
    for path in DESK_PATHS:
        desk = [caller_as(section, Role.Kind.CHIEF_ARBITER) for section in (small, large)]
        grown[path] = (queries(desk[0], small, path), queries(desk[1], large, path))

    assert {path: few for path, (few, _many) in grown.items()} == PATHS | DESK_PATHS
    assert {path: many for path, (_few, many) in grown.items()} == PATHS | DESK_PATHS


def test_the_latest_table_is_shown_once_a_result_stands_behind_it(organizer: Actor, played: Section) -> None:
    b.publish_next(organizer, played)
    b.work_all(played)

    shown = Caller().get(at(played, "standings/"))
    assert (shown["after_round"], shown["after_rounds"]) == (2, [1, 2, 3])
    assert Caller().get(at(played, "standings/"), after_round=3)["after_round"] == 3
    assert Caller().refused("get", at(played, "standings/?after_round=4")) == (404, "not-found")
    assert Caller().refused("get", at(played, "standings/?after_round=x")) == (400, "bad-input")


def test_a_round_taken_back_has_no_table(organizer: Actor, section: Section) -> None:
    round_ = b.publish_next(organizer, section)
    b.work_all(section)
    rounds.unpublish_round(organizer, round_.pk, reason="wrong list")

    assert Caller().refused("get", at(section, "standings/")) == (404, "not-found")
