"""Pages that are rendered once for everybody: what a reader costs, and that nobody ever gets a draft or another person's page."""

from __future__ import annotations

import gzip
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.tournaments import builders, public_addresses
from tests.tournaments.public_addresses import without_version
from tournaments.models import Event, Role, Round, Section
from tournaments.services import rounds
from tournaments.web import rendered

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    section = f.make_section(rounds_total=7)
    f.play_rounds(section, f.make_entries(section, 6), 2)
    f.make_standings(section)
    return section


def shared(section: Section) -> dict[str, str]:
    """The addresses that are the same for everybody."""
    entry = section.entries.select_related("section__event").get(number=1)
    found = public_addresses.of_section(section) | public_addresses.of_round(section, 1)
    found |= {"player": public_addresses.of_entry(entry)["player"]}
    left_out = ("home", "search", "input", "why_report")
    return {
        name: address
        for name, address in found.items()
        if not any(word in name for word in left_out) and "?" not in address
    }


def organizer_of(section: Section) -> Client:
    user = f.make_user(username="林晓舟")
    f.make_role(user, section.event, Role.Kind.ORGANIZER)
    client = Client()
    client.force_login(user)
    return client


def queries(client: Client, address: str, **headers: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address, headers=headers).status_code in (200, 304)
    return len(captured)


class TestCosts:
    def test_a_second_reader_costs_one_query_and_within_a_second_none(
        self, client, section, settings
    ) -> None:
        for name, address in shared(section).items():
            etag = client.get(address).headers["ETag"]
            assert queries(client, address) == 1, name
            assert queries(client, address, **{"if-none-match": etag}) == 1, name
        settings.PAGES_TRUSTED = 60
        for name, address in shared(section).items():
            client.get(address)
            assert queries(client, address) == 0, name

    def test_the_version_of_an_event_is_a_few_bytes(self, client, section, settings) -> None:
        address = f"/e/{section.event.code}/-/version.json"
        answer = client.get(address)
        assert len(answer.content) < 100
        assert queries(client, address) == 1
        assert client.get(address, headers={"if-none-match": answer.headers["ETag"]}).status_code == 304
        before = answer.json()["sections"][section.code]
        f.bump(section, public=True)
        assert client.get(address).json()["sections"][section.code] != before

    def test_a_draft_of_a_round_moves_no_version(self, client, section) -> None:
        address = f"/e/{section.event.code}/-/version.json"
        before = client.get(address).json()
        entries = list(section.entries.order_by("number"))
        f.make_round(section, f.draw(entries, 3), state=Round.State.PAIRED)
        assert client.get(address).json() == before

    def test_it_goes_packed_to_who_can_unpack(self, client, section) -> None:
        for name, address in shared(section).items():
            plain, packed = client.get(address), client.get(address, headers={"accept-encoding": "gzip"})
            assert gzip.decompress(packed.content) == plain.content, name

    def test_a_query_that_nobody_needs_fills_no_store(self, client, section) -> None:
        address = shared(section)["standings"]
        for query in ("?x=1", "?q=zhang", "?club=a", "?after=1&y=2", "?show=all&show=x"):
            client.get(address + query)
        assert not rendered._memory._pages


class TestSecrecy:
    def test_what_is_kept_holds_nothing_of_who_asked_first(self, section) -> None:
        """Rendered for an organizer with messages waiting, shown to a stranger: byte for byte what the stranger gets alone."""
        for name, address in shared(section).items():
            rendered.forget()
            alone = Client().get(address)
            rendered.forget()
            client = (
                organizer_of(section)
                if name == "event"
                else Client(headers={"cookie": "sessionid=stolen; messages=x"})
            )
            first = client.get(address)
            second = Client().get(address)
            assert first.content == second.content == alone.content, name
            assert not second.cookies and "Set-Cookie" not in second.headers, name
            assert "林晓舟".encode() not in second.content

    def test_a_draft_event_is_kept_for_nobody(self, section) -> None:
        insider = organizer_of(section)
        Event.objects.filter(pk=section.event_id).update(state=Event.State.DRAFT)
        for name, address in shared(section).items():
            if name == "version":
                continue
            assert insider.get(address).status_code == 200, name
            assert Client().get(address).status_code == 404, name
        assert not rendered._memory._pages

    def test_an_event_that_becomes_a_draft_again_is_gone_at_once(self, section) -> None:
        addresses = shared(section)
        for address in addresses.values():
            Client().get(address)
        Event.objects.filter(pk=section.event_id).update(state=Event.State.DRAFT)
        for name, address in addresses.items():
            assert Client().get(address).status_code == 404, name
        assert Client().get(f"/e/{section.event.code}/-/version.json").status_code == 404

    def test_a_round_taken_back_is_gone_at_once(self) -> None:
        organizer = builders.organizer()
        section = builders.section(organizer, players=4, rounds_total=3)
        Event.objects.update(state=Event.State.OPEN)
        round_ = builders.publish_next(organizer, section)
        address = f"/e/{section.event.code}/{section.code}/r/1/"
        assert Client().get(address).status_code == 200
        rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
        assert Client().get(address).status_code == 404
        assert not caches["pages"].get(next(iter(rendered._memory._pages), "none"))

    def test_an_unknown_host_gets_nothing_of_what_is_kept(self, client, section) -> None:
        address = shared(section)["event"]
        client.get(address)
        assert client.get(address, headers={"host": "evil.example"}).status_code == 400

    def test_languages_are_kept_apart(self, client, section) -> None:
        for name, address in shared(section).items():
            if name.endswith(("calendar", "feed")):
                continue
            chinese = client.get(address, headers={"accept-language": "zh-hans"}).content
            english = client.get(address, headers={"accept-language": "en"}).content
            cookie = client.get(
                address, headers={"accept-language": "en", "cookie": "django_language=zh-hans"}
            ).content
            asked = client.get(f"{address}?lang=en", headers={"accept-language": "zh-hans"}).content
            assert b'lang="zh-Hans"' in chinese and b'<html lang="en"' in english, name
            assert cookie == chinese and b'<html lang="en"' in asked, name

    def test_a_store_that_is_away_changes_nothing(self, client, section, monkeypatch) -> None:
        class Away:
            def __getattr__(self, name: str) -> Any:
                raise ConnectionError

        address = shared(section)["standings"]
        expected = client.get(address).content
        rendered._memory.clear()
        monkeypatch.setattr(rendered, "caches", {"pages": Away()})
        assert client.get(address).content == expected
        monkeypatch.undo()


@pytest.mark.django_db(transaction=True)
class TestOneRenderer:
    def slow(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Rendering takes a moment, and is counted."""
        calls: list[int] = []
        render = rendered.RenderedPages._rendered

        def counted(self: Any, *given: Any) -> Any:
            calls.append(threading.get_ident())
            time.sleep(0.5)
            return render(self, *given)

        monkeypatch.setattr(rendered.RenderedPages, "_rendered", counted)
        return calls

    def ask(self, address: str, number: int) -> list[Any]:
        def read(_number: int) -> Any:
            try:
                return Client().get(address)
            finally:
                connection.close()

        with ThreadPoolExecutor(number) as pool:
            return list(pool.map(read, range(number)))

    def test_many_at_once_are_rendered_for_once(self, section, monkeypatch) -> None:
        calls = self.slow(monkeypatch)
        answers = self.ask(shared(section)["standings"], 8)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert len(calls) == 1

    def test_while_one_renders_the_others_get_the_page_before(self, section, monkeypatch) -> None:
        address = shared(section)["standings"]
        before = without_version(Client().get(address).content)
        f.make_adjustment(section.entries.first(), points=-1, after_round=1)
        f.make_standings(section)
        calls = self.slow(monkeypatch)
        answers = self.ask(address, 6)
        assert len(calls) == 1
        found = [without_version(answer.content) for answer in answers]
        assert found.count(before) == 5 and len(set(found)) == 2

    def test_but_never_a_page_of_what_was_taken_back(self, section, monkeypatch) -> None:
        address = shared(section)["section"]
        Client().get(address)
        last = section.rounds.get(number=2)
        last.state = Round.State.PAIRED
        last.save()
        f.bump(section, public=True)
        self.slow(monkeypatch)
        answers = self.ask(address, 4)
        assert all("/r/2/" not in answer.content.decode() for answer in answers)


class TestHome:
    """The list of events is kept like the pages of one."""

    def test_a_second_reader_costs_two_queries_and_within_a_second_none(
        self, client, section, settings
    ) -> None:
        client.get("/")
        assert queries(client, "/") == 2
        settings.PAGES_TRUSTED = 60
        client.get("/")
        assert queries(client, "/") == 0

    def test_it_follows_a_name_a_new_event_and_one_that_is_hidden(self, client, section) -> None:
        client.get("/")
        Event.objects.update(name="Renamed")
        assert "Renamed" in client.get("/").content.decode()

        other = f.make_section().event
        Event.objects.filter(pk=other.pk).update(name="Another")
        assert "Another" in client.get("/").content.decode()
        Event.objects.filter(pk=other.pk).update(state=Event.State.DRAFT)
        assert "Another" not in client.get("/").content.decode()

    def test_a_search_and_a_log_in_are_not_mixed_up_with_it(self, client, section) -> None:
        assert "nothing-of-the-kind" not in client.get("/?q=nothing-of-the-kind-xyz").headers.get("ETag", "")
        organizer_of(section).get("/")

        assert "林晓舟" not in client.get("/").content.decode()
