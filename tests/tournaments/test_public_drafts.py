"""What is not public is nowhere: no draft event, no unpublished round, in a page, a count, a search or an ETag."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories as f
from tests.tournaments import builders, public_addresses
from tournaments.audit import Actor
from tournaments.engine.types import Outcome
from tournaments.models import Event, Role, Round, Section
from tournaments.services import draft, entries, rounds

pytestmark = pytest.mark.django_db


def addresses_of(section: Section) -> dict[str, str]:
    """Every address there is, those of every entry and of rounds that are not public included."""
    found = public_addresses.of_section(section)
    found["standings_1"] = f"{found['standings']}?after=1"
    for number in (1, 2, 3):
        found |= {f"{name}_{number}": a for name, a in public_addresses.of_round(section, number).items()}
    for entry in section.entries.select_related("section__event"):
        found |= {f"{name}_{entry.pk}": a for name, a in public_addresses.of_entry(entry).items()}
        found[f"search_{entry.pk}"] = f"{found['section']}?q={entry.player.latin_name or 'player'}"
    return found


@pytest.fixture
def organizer() -> Actor:
    return builders.organizer()


@pytest.fixture
def section(organizer) -> Section:
    """Seven players of a public event, entered by the services."""
    section = builders.section(organizer, players=7, rounds_total=5, tiebreaks=["SOLKOFF", "WINS"])
    Event.objects.update(state=Event.State.OPEN)
    section.refresh_from_db()
    return section


class TestAnUnpublishedRound:
    def test_drafting_round_1_changes_nothing(self, client, organizer, section) -> None:
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        builders.draft(organizer, section)
        builders.work_all(section)

        assert section.rounds.get().state == Round.State.PAIRED
        assert public_addresses.snapshot(client, addresses) == before

    def test_drafting_the_next_round_changes_nothing(self, client, organizer, section) -> None:
        builders.play_round(organizer, section)
        builders.work_all(section)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        builders.draft(organizer, section)
        builders.work_all(section)

        assert section.rounds.get(number=2).state == Round.State.PAIRED
        assert public_addresses.snapshot(client, addresses) == before

    def test_nor_does_changing_it_by_hand(self, client, organizer, section) -> None:
        builders.play_round(organizer, section)
        builders.work_all(section)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        round_ = builders.draft(organizer, section)
        seats = [p.white_id for p in round_.pairings.filter(board__gt=0)]
        section.refresh_from_db()
        draft.swap(
            organizer,
            round_.pk,
            first=seats[0],
            second=seats[1],
            version=section.version,
            reason="club-mates",
        )
        rounds.discard_draft(organizer, section.pk)
        builders.work_all(section)

        assert public_addresses.snapshot(client, addresses) == before

    def test_nor_does_a_round_robin_drawn_whole(self, client, organizer) -> None:
        section = builders.section(organizer, players=4, format="ROUND_ROBIN", rounds_total=3)
        Event.objects.update(state=Event.State.OPEN)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        builders.draft(organizer, section)

        assert section.rounds.filter(state=Round.State.PAIRED).count() == 3
        assert public_addresses.snapshot(client, addresses) == before

    def test_whom_a_draft_puts_out_is_still_in(self, client, organizer, section) -> None:
        """Drawing up a round may take an absent player out; that shows when the round does."""
        builders.play_round(organizer, section)
        builders.work_all(section)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        section.entries.filter(number=3).update(status="WITHDRAWN", withdrawn_after_round=2)

        after = public_addresses.snapshot(client, addresses)
        assert {name: answer[2] for name, answer in after.items()} == {
            name: answer[2] for name, answer in before.items()
        }

    def test_taking_a_round_back_shows_what_was_before(self, client, organizer, section) -> None:
        builders.play_round(organizer, section)
        builders.work_all(section)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)
        round_ = builders.publish_next(organizer, section)
        builders.work_all(section)
        shown = public_addresses.snapshot(client, addresses)

        rounds.unpublish_round(organizer, round_.pk, reason="wrong list")
        builders.work_all(section)

        after = public_addresses.snapshot(client, addresses)
        assert shown["section"][2] != before["section"][2]
        assert {name: answer[::2] for name, answer in after.items()} == {
            name: answer[::2] for name, answer in before.items()
        }

    def test_a_ruling_of_an_unpublished_round_waits_with_it(self, client) -> None:
        section = f.make_section()
        players = f.make_entries(section, 4)
        f.make_round(section, f.draw(players, 1, outcomes=[Outcome.WHITE]))
        f.make_standings(section)
        addresses = addresses_of(section)
        before = public_addresses.snapshot(client, addresses)

        f.make_round(section, f.draw(players, 2), state=Round.State.PAIRED)
        f.make_adjustment(players[0], points=-2, after_round=2, reason="secret")

        after = public_addresses.snapshot(client, addresses)
        assert {name: answer[2] for name, answer in after.items()} == {
            name: answer[2] for name, answer in before.items()
        }

    def test_withdrawals_announced_are_public_at_once(self, client, organizer, section) -> None:
        builders.play_round(organizer, section)
        builders.work_all(section)
        leaver = section.entries.get(number=1)

        entries.withdraw_entry(organizer, leaver.pk, after_round=1)

        body = client.get(public_addresses.of_section(section)["players"]).content.decode()
        assert body.count('class="gone"') == 1


class TestADraftEvent:
    @pytest.fixture
    def hidden(self) -> Section:
        section = f.make_section(f.make_event(name="Secret Open", state=Event.State.DRAFT))
        players = f.make_entries(section, 4)
        f.make_round(section, f.draw(players, 1, outcomes=[Outcome.WHITE]))
        section.rounds.update(canonical_input="x")
        f.make_standings(section)
        return section

    def pages(self, section: Section) -> dict[str, str]:
        entry = section.entries.select_related("section__event").first()
        addresses = public_addresses.everything(section, entry)
        return {name: address for name, address in addresses.items() if not name.startswith("home")}

    def test_answers_just_as_what_does_not_exist(self, client, hidden) -> None:
        nothing = client.get("/e/nosuch/")

        for name, address in self.pages(hidden).items():
            answer = client.get(address)

            assert answer.status_code == 404, name
            assert "ETag" not in answer.headers, name
            # Each answer has a number of its own for the log, and its address may be longer.
            own = {"X-Request-ID", "Content-Length"} & set(answer.headers)
            assert dict(answer.headers) == dict(nothing.headers) | {
                header: answer.headers[header] for header in own
            }, name
            assert b"Secret" not in answer.content

    def test_is_not_on_the_home_page(self, client, hidden) -> None:
        assert b"Secret" not in client.get("/").content
        assert b"Secret" not in client.get("/?q=secret").content.replace(b'value="secret"', b"")

    @pytest.mark.parametrize("kind", [Role.Kind.ORGANIZER, Role.Kind.ARBITER, Role.Kind.COMMITTEE])
    def test_is_open_to_a_role_in_it_and_to_no_cache(self, hidden, kind) -> None:
        user = f.make_user()
        f.make_role(user, hidden.event, kind)
        client = Client()
        client.force_login(user)

        for name, address in self.pages(hidden).items():
            answer = client.get(address)

            assert answer.status_code == 200, name
            assert answer.headers["Cache-Control"].startswith("private"), name

    def test_a_role_in_another_event_is_none_here(self, hidden) -> None:
        user = f.make_user()
        f.make_role(user, f.make_event())
        client = Client()
        client.force_login(user)

        for name, address in self.pages(hidden).items():
            assert client.get(address).status_code == 404, name
