"""Who is there before a round: by the desk, by the player, and what closing makes of those who are missing."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound, WrongState
from tournaments.models import Entry, Event, Presence, Role, Section
from tournaments.selectors import check_in as selectors
from tournaments.services import check_in, entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return builders.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    made = builders.section(organizer, rounds_total=3)
    for name, club in (("张伟", "乙队"), ("Adams", "Ajax"), ("陈一", "甲队"), ("Berg", "Ajax")):
        entries.add_entry(organizer, made.pk, {"name": name, "club": club})
    Event.objects.update(state=Event.State.OPEN)
    return made


def by_name(section: Section) -> dict[str, Entry]:
    return {entry.player.name: entry for entry in section.entries.select_related("player")}


def there(section: Section) -> list[str]:
    return [row.entry.player.name for row in selectors.of_event(section.event) if row.is_present]


class TestList:
    def test_all_sections_in_one_list_by_name_and_by_club(self, organizer: Actor, section: Section) -> None:
        other = builders.events.create_section(organizer, section.event_id, {"name": "少年组"})
        entries.add_entry(organizer, other.pk, {"name": "Bacher"})
        rows = selectors.of_event(section.event)

        assert [row.entry.player.name for row in rows] == ["Adams", "Bacher", "Berg", "陈一", "张伟"]
        clubs = [row.entry.player.club for row in selectors.by_club(rows)]
        assert clubs.index("Ajax") + 1 == len(clubs) - 1 - clubs[::-1].index("Ajax")

    def test_a_tap_marks_and_another_takes_it_back(self, section: Section) -> None:
        arbiter = builders.with_role(section.event, Role.Kind.ARBITER)
        client = client_of(arbiter.user)
        address = reverse("desk:check_in", args=[section.event_id])
        adams = by_name(section)["Adams"]
        assert "4 of 4 are missing" in client.get(address).content.decode()

        answer = client.post(f"{address}?q=ada", {"entry": str(adams.pk)})
        client.post(address, {"entry": str(adams.pk)})  # twice is once

        assert answer["Location"] == f"{address}?q=ada#e{adams.pk}"
        assert there(section) == ["Adams"]
        page = client.get(f"{address}?q=zhang").content.decode()
        assert "3 of 4 are missing" in page
        assert "Zhang Wei" in page
        assert "Adams" not in page

        client.post(address, {"entry": f"-{adams.pk}"})
        assert there(section) == []

    @pytest.mark.parametrize("entry", ["", "x", "0", "--1", "99999999", "1 OR 1"])
    def test_what_is_no_entry_is_not_found(self, organizer: Actor, section: Section, entry: str) -> None:
        address = reverse("desk:check_in", args=[section.event_id])

        assert client_of(organizer.user).post(address, {"entry": entry}).status_code == 404

    def test_entries_of_other_events_are_not_marked(self, organizer: Actor, section: Section) -> None:
        other = builders.section(builders.organizer(), players=1)
        address = reverse("desk:check_in", args=[section.event_id])

        client_of(organizer.user).post(address, {"entry": str(other.entries.get().pk)})

        assert not Presence.objects.exists()
        with pytest.raises(NotFound):
            check_in.mark(
                builders.with_role(other.event, Role.Kind.ARBITER), by_name(section)["Adams"].pk, present=True
            )

    def test_after_a_round_everybody_is_asked_again(self, organizer: Actor, section: Section) -> None:
        check_in.mark(organizer, by_name(section)["Adams"].pk, present=True)
        builders.play_round(organizer, section)

        assert there(section) == []


class TestByThePlayer:
    def test_with_the_code_of_the_hall(self, section: Section) -> None:
        adams = by_name(section)["Adams"]
        address = reverse("public:my_here", args=[adams.link])
        client = Client(headers={"accept-language": "en"})
        wrong = "0000" if check_in.hall_code(section.event) != "0000" else "1111"

        assert client.post(address, {"code": wrong}).status_code == 400
        assert client.post(address, {}).status_code == 400
        assert there(section) == []

        client.post(address, {"code": check_in.hall_code(section.event)})

        assert there(section) == ["Adams"]
        assert "Checked in for round 1." in client.get(address).content.decode()

    def test_guesses_at_the_code_are_limited(self, section: Section) -> None:
        address = reverse("public:my_here", args=[by_name(section)["Adams"].link])
        client = Client(headers={"accept-language": "en"})

        pages = [client.post(address, {"code": "abcd"}).content.decode() for _guess in range(12)]

        assert "Too many requests" in pages[-1]

    def test_an_arbiter_who_scans_the_players_code_needs_none(self, section: Section) -> None:
        arbiter = builders.with_role(section.event, Role.Kind.ARBITER)
        address = reverse("public:my_here", args=[by_name(section)["Adams"].link])

        client_of(arbiter.user).post(address, {})
        assert there(section) == ["Adams"]

        client_of(arbiter.user).post(address, {"missing": "1"})
        assert there(section) == []


class TestClosing:
    def test_the_missing_are_absent_and_announced_byes_stay(self, organizer: Actor, section: Section) -> None:
        found = by_name(section)
        entries.announce_absence(organizer, found["Berg"].pk, round_number=1, kind="HALF_BYE")
        for name in ("张伟", "陈一"):
            check_in.mark(organizer, found[name].pk, present=True)

        answer = client_of(organizer.user).post(reverse("desk:check_in_close", args=[section.pk]))

        assert answer.status_code == 302
        kinds = {entry.player.name: [a.kind for a in entry.absences.all()] for entry in found.values()}
        assert kinds == {"Berg": ["HALF_BYE"], "Adams": ["ZERO_BYE"], "张伟": [], "陈一": []}
        assert check_in.close(organizer, section.pk).absent == ()

    def test_who_comes_after_all_plays(self, organizer: Actor, section: Section) -> None:
        found = by_name(section)
        check_in.close(organizer, section.pk, sure=True)
        assert found["Adams"].absences.count() == 1

        check_in.mark(organizer, found["Adams"].pk, present=True)

        assert found["Adams"].absences.count() == 0
        assert there(section) == ["Adams"]

    def test_over_half_missing_is_asked_again(self, organizer: Actor, section: Section) -> None:
        check_in.mark(organizer, by_name(section)["Adams"].pk, present=True)
        client, address = client_of(organizer.user), reverse("desk:check_in_close", args=[section.pk])
        assert 'name="sure"' in client.get(address).content.decode()

        assert client.post(address).status_code == 409
        assert not by_name(section)["Berg"].absences.exists()

        assert client.post(address, {"sure": "1"}).status_code == 302
        assert by_name(section)["Berg"].absences.exists()

    def test_exactly_half_is_not_asked(self, organizer: Actor, section: Section) -> None:
        for name in ("Adams", "Berg"):
            check_in.mark(organizer, by_name(section)[name].pk, present=True)

        assert len(check_in.close(organizer, section.pk).absent) == 2

    def test_who_may_close_and_when(self, organizer: Actor, section: Section) -> None:
        with pytest.raises(NotAllowed):
            check_in.close(builders.with_role(section.event, Role.Kind.ARBITER), section.pk, sure=True)
        robin = builders.section(organizer, players=4, format=Section.Format.ROUND_ROBIN)
        with pytest.raises(WrongState):
            check_in.close(organizer, robin.pk, sure=True)
        Section.objects.filter(pk=section.pk).update(state=Section.State.CLOSED)
        for write in (
            lambda: check_in.close(organizer, section.pk),
            lambda: check_in.mark(organizer, by_name(section)["Adams"].pk, present=True),
        ):
            with pytest.raises(WrongState):
                write()


class TestKnownAhead:
    """The table of players by rounds."""

    def send(self, actor: Actor, section: Section, **cells: str) -> int:
        client = client_of(actor.user)
        address = reverse("desk:absence_table", args=[section.pk])
        return client.post(
            address, {name.replace("_", "-"): kind for name, kind in cells.items()}
        ).status_code

    def kinds(self, section: Section) -> dict[str, dict[int, str]]:
        return {
            name: {a.round_number: a.kind for a in entry.absences.all()}
            for name, entry in by_name(section).items()
            if entry.absences.exists()
        }

    def test_all_are_saved_at_once(self, organizer: Actor, section: Section) -> None:
        adams, berg = by_name(section)["Adams"], by_name(section)["Berg"]
        entries.announce_absence(organizer, adams.pk, round_number=1, kind="ZERO_BYE")
        page = (
            client_of(organizer.user).get(reverse("desk:absence_table", args=[section.pk])).content.decode()
        )
        assert page.count("<select") == 12

        status = self.send(
            organizer, section,
            **{f"a_{adams.pk}_1": "", f"a_{adams.pk}_3": "HALF_BYE", f"a_{berg.pk}_2": "ZERO_BYE", f"a_{berg.pk}_1": ""},
        )  # fmt: skip

        assert status == 302
        assert self.kinds(section) == {"Adams": {3: "HALF_BYE"}, "Berg": {2: "ZERO_BYE"}}

    @pytest.mark.parametrize("cell", ["a_{pk}_9", "a_{pk}_0", "a_{pk}_x", "a_x_1", "a_0_1", "a_99999999_1"])
    def test_one_wrong_cell_saves_nothing(self, organizer: Actor, section: Section, cell: str) -> None:
        adams = by_name(section)["Adams"]

        status = self.send(
            organizer, section, **{f"a_{adams.pk}_1": "ZERO_BYE", cell.format(pk=adams.pk): "ZERO_BYE"}
        )

        assert status in {400, 404}
        assert self.kinds(section) == {}

    def test_no_other_kind_and_no_paired_round(self, organizer: Actor, section: Section) -> None:
        adams = by_name(section)["Adams"]
        assert self.send(organizer, section, **{f"a_{adams.pk}_1": "WHITE"}) == 400
        builders.draft(organizer, section)
        assert self.send(organizer, section, **{f"a_{adams.pk}_1": "ZERO_BYE"}) == 409
        assert self.kinds(section) == {}

    def test_who_may(self, organizer: Actor, section: Section) -> None:
        adams = by_name(section)["Adams"]
        arbiter = builders.with_role(section.event, Role.Kind.ARBITER)
        assert (
            client_of(arbiter.user).get(reverse("desk:absence_table", args=[section.pk])).status_code == 200
        )
        assert self.send(arbiter, section, **{f"a_{adams.pk}_1": "ZERO_BYE"}) == 403
        other = builders.section(builders.organizer(), players=1).entries.get()
        assert self.send(organizer, section, **{f"a_{other.pk}_1": "ZERO_BYE"}) == 404
        assert self.kinds(section) == {}


def test_dates_in_the_wrong_order_are_refused_in_words(organizer: Actor) -> None:
    fields = {"name": "Cup", "starts_on": "2026-12-02", "ends_on": "2026-12-01"}
    page = client_of(organizer.user).post(reverse("desk:event_new"), fields).content.decode()

    assert "The last day is before the first day." in page
    assert "event_dates_in_order" not in page
    assert not Event.objects.filter(name="Cup").exists()
