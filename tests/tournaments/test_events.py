"""Events and sections: the first account, making, changing what may still change, officials, showing and closing."""

from __future__ import annotations

import pytest

from tests.tournaments import builders as b
from tests.tournaments.test_parallel import together
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, SiteError, WrongState
from tournaments.models import AuditEntry, Event, Job, Role, Section, User
from tournaments.services import events, rounds

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


class TestFirstAccount:
    def test_it_is_made_once(self) -> None:
        first = events.set_up_first_organizer(username="zhang", password=PASSWORD)

        with pytest.raises(WrongState) as told:
            events.set_up_first_organizer(username="li", password=PASSWORD)

        assert told.value.code == "already-set-up"
        assert (first.is_staff, User.objects.count()) == (True, 1)
        assert first.check_password(PASSWORD)

    def test_a_weak_password_makes_no_account(self) -> None:
        with pytest.raises(BadInput) as told:
            events.set_up_first_organizer(username="zhang", password="12345678")

        assert list(told.value.values["fields"]) == ["password"]
        assert not User.objects.exists()

    @pytest.mark.django_db(transaction=True)
    def test_of_several_at_once_one_is_first(self) -> None:
        answers = together(
            *[
                lambda name=name: events.set_up_first_organizer(username=name, password=PASSWORD)
                for name in ("zhang", "li", "wang")
            ]
        )

        assert sum(isinstance(answer, User) for answer in answers) == 1
        assert sum(isinstance(answer, SiteError) for answer in answers) == 2
        assert User.objects.count() == 1


class TestEvent:
    def test_its_maker_is_its_organizer(self, organizer) -> None:
        event = events.create_event(organizer, {"name": "岳阳公开赛"})

        assert event.state == Event.State.DRAFT
        assert list(event.roles.values_list("user", "kind")) == [(organizer.user.pk, "ORGANIZER")]

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"name": ""}, "name"),
            ({"name": "A", "code": "岳阳"}, "code"),
            ({"name": "A", "code": "a b"}, "code"),
            ({"name": "A", "colour": "red"}, "colour"),
            ({"name": "A", "starts_on": "2026-05-02", "ends_on": "2026-05-01"}, "__all__"),
        ],
    )
    def test_wrong_fields_are_named(self, organizer, fields, wrong) -> None:
        with pytest.raises(BadInput) as told:
            events.create_event(organizer, fields)

        assert list(told.value.values["fields"]) == [wrong]
        assert not Event.objects.exists()

    def test_only_staff_make_events(self) -> None:
        for actor in (Actor(), Actor(user=b.user())):
            with pytest.raises(NotAllowed):
                events.create_event(actor, {"name": "A"})

        assert not Event.objects.exists()

    def test_shown_twice_is_logged_once(self, organizer) -> None:
        event = events.create_event(organizer, {"name": "A"})

        events.show_event(organizer, event.pk, public=True)
        events.show_event(organizer, event.pk, public=True)

        assert AuditEntry.objects.filter(action="show-event").count() == 1

    def test_names_in_any_script_have_addresses_of_letters_and_digits(self, organizer) -> None:
        for name in ("岳阳公开赛", "Монгол Улсын аварга", "سنغال", "🏆"):
            event = events.create_event(organizer, {"name": name})
            assert event.code.isascii() and event.code.isalnum()


class TestOfficials:
    def test_the_last_organizer_stays(self, organizer) -> None:
        event = events.create_event(organizer, {"name": "A"})

        with pytest.raises(WrongState):
            events.remove_role(organizer, event.roles.get().pk)

        assert event.roles.count() == 1

    def test_a_role_given_twice_is_one(self, organizer) -> None:
        event = events.create_event(organizer, {"name": "A"})
        person = b.user()

        first = events.assign_role(organizer, event.pk, username=person.username, kind="ARBITER")
        second = events.assign_role(organizer, event.pk, username=person.username, kind="ARBITER")

        assert first.pk == second.pk
        assert AuditEntry.objects.filter(action="assign-role").count() == 1

    def test_an_unknown_name_needs_a_first_password(self, organizer) -> None:
        event = events.create_event(organizer, {"name": "A"})

        with pytest.raises(BadInput):
            events.assign_role(organizer, event.pk, username="nobody", kind="ARBITER")
        made = events.assign_role(organizer, event.pk, username="nobody", kind="ARBITER", password=PASSWORD)

        assert made.user.check_password(PASSWORD)
        assert not made.user.is_staff

    def test_a_role_in_one_event_is_none_in_another(self, organizer) -> None:
        mine = b.section(organizer, players=2)
        other = b.section(b.organizer(), players=2)
        chief = b.with_role(mine.event, Role.Kind.CHIEF_ARBITER)

        with pytest.raises(NotFound):
            rounds.request_pairing(chief, other.pk)

        assert not Job.objects.exists()


class TestSection:
    def test_the_preset_gives_the_tie_breaks(self, organizer) -> None:
        section = b.section(organizer, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN")
        assert section.tiebreaks == ["WINS", "DIRECT", "LOTS"]

        events.update_section(organizer, section.pk, {"preset": "FMJD_SWISS"})
        section.refresh_from_db()
        assert section.tiebreaks == ["SOLKOFF_TRUNC_FULL", "WINS", "DIRECT", "LOTS"]

        events.update_section(organizer, section.pk, {"preset": "CN_SWISS", "tiebreaks": ["WINS"]})
        section.refresh_from_db()
        assert section.tiebreaks == ["WINS"]

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"tiebreaks": ["LUCK"]}, "tiebreaks"),
            ({"scheme": "LUCK"}, "scheme"),
            ({"preset": "LUCK"}, "preset"),
            ({"policy": {"luck": True}}, "policy"),
            ({"policy": {"forfeits_in_wins": "perhaps"}}, "policy"),
            ({"rounds_total": 0}, "rounds_total"),
            ({"lateness_limit": 61}, "lateness_limit"),
            ({"code": "A"}, "code"),
            ({"format": "LADDER"}, "format"),
        ],
    )
    def test_wrong_options_are_named(self, organizer, fields, wrong) -> None:
        section = b.section(organizer)

        with pytest.raises(BadInput) as told:
            events.update_section(organizer, section.pk, fields)

        assert list(told.value.values["fields"]) == [wrong]
        assert Section.objects.get(pk=section.pk).version == section.version

    @pytest.mark.parametrize(
        "fields",
        [{"format": "ROUND_ROBIN"}, {"numbering": "LOT"}, {"scheme": "WDL_310"}, {"initial_colour": "b"}],
    )
    def test_what_the_pairings_rest_on_is_frozen_once_a_round_is_paired(self, organizer, fields) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)
        if "scheme" in fields:
            fields = {"scheme": other_scheme(section)}

        with pytest.raises(WrongState) as told:
            events.update_section(organizer, section.pk, fields)

        assert told.value.code == "frozen"

    def test_what_the_places_rest_on_then_needs_a_reason(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)
        b.work_all(section)

        with pytest.raises(BadInput) as told:
            events.update_section(organizer, section.pk, {"tiebreaks": ["WINS"]})
        assert told.value.code == "reason-needed"
        events.update_section(organizer, section.pk, {"tiebreaks": ["WINS"]}, reason="as announced")
        b.work_all(section)

        assert section.standings.get(after_round=1).tiebreaks == ["WINS"]
        line = AuditEntry.objects.filter(action="edit-section").first()
        assert (line.reason, line.after) == ("as announced", {"tiebreaks": ["WINS"]})

    def test_not_fewer_rounds_than_are_paired(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.play_round(organizer, section)
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            events.update_section(organizer, section.pk, {"rounds_total": 1}, reason="storm")

        assert Section.objects.get(pk=section.pk).rounds_total == 7

    def test_a_paired_section_is_not_deleted(self, organizer) -> None:
        section = b.section(organizer, players=4)
        b.draft(organizer, section)

        with pytest.raises(WrongState):
            events.delete_section(organizer, section.pk)

        assert Section.objects.filter(pk=section.pk).exists()


def other_scheme(section: Section) -> str:
    from tournaments.engine.scoring import SCHEMES

    return next(code for code in SCHEMES if code != section.scheme)
