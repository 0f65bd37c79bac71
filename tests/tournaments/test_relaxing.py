"""Where no legal pairing exists, one rule can be given up at one press."""

from __future__ import annotations

import pytest

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.engine import swiss
from tournaments.errors import BadInput, NotFound
from tournaments.models import AuditEntry, ForbiddenPair, Job, Role, Section
from tournaments.services import draft, entries, relaxing, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def apart(organizer) -> Section:
    """Two players that the list keeps apart."""
    section = b.section(organizer, players=2, rounds_total=3)
    first, second = section.entries.order_by("pk")
    draft.forbid_pair(organizer, section.pk, first=first.pk, second=second.pk)
    return section


def refused(organizer: Actor, section: Section) -> Job:
    job = b.run(rounds.request_pairing(organizer, section.pk))
    assert job.error_code == "no-legal-pairing"
    return job


def test_a_forbidden_pair_is_lifted_and_the_round_paired_at_one_press(organizer, apart) -> None:
    job = refused(organizer, apart)
    pair = ForbiddenPair.objects.get()
    client = client_of(organizer.user)
    page = client.get(f"/desk/jobs/{job.pk}/").content.decode()
    assert f'name="pair" value="{pair.pk}"' in page

    answer = client.post(f"/desk/sections/{apart.pk}/relax/", {"pair": pair.pk})

    b.work_all(apart)
    assert answer.status_code == 302
    assert not ForbiddenPair.objects.exists()
    assert apart.rounds.get().pairings.filter(board=1).exists()
    assert AuditEntry.objects.filter(action="allow-pair").exists()


def test_club_mates_may_meet_from_this_round_on(organizer) -> None:
    section = b.section(organizer, players=2, rounds_total=3, protect_clubs_rounds=2)
    for entry in section.entries.select_related("player"):
        entry.player.club = "岳阳"
        entry.player.save()
    job = refused(organizer, section)
    assert 'name="clubs"' in client_of(organizer.user).get(f"/desk/jobs/{job.pk}/").content.decode()

    relaxing.relax_and_pair(organizer, section.pk, clubs=True)

    b.work_all(section)
    section.refresh_from_db()
    assert section.protect_clubs_rounds == 0
    assert section.rounds.get().pairings.filter(board=1).exists()
    assert AuditEntry.objects.get(action="let-clubs-meet").before == {"rounds": 2}


def test_a_second_bye_is_given(organizer) -> None:
    section = b.section(organizer, players=3, rounds_total=5)
    for entry in section.entries.order_by("pk")[:2]:
        entries.announce_absence(organizer, entry.pk, round_number=1, kind="BYE")
    b.play_round(organizer, section)
    job = refused(organizer, section)
    assert "second-bye" in job.error_values["relax"]
    entry = section.entries.get(number=3)

    with pytest.raises(NotFound):
        relaxing.relax_and_pair(organizer, section.pk, bye=entry.pk + 1000)
    relaxing.relax_and_pair(organizer, section.pk, bye=entry.pk)

    b.work_all(section)
    assert entry.absences.get().kind == "BYE"
    assert AuditEntry.objects.get(action="grant-bye").after == {"round": 2}
    assert section.rounds.get(number=2).pairings.filter(board=1).exists()


def test_nothing_is_given_up_by_who_may_not_or_without_a_choice(organizer, apart) -> None:
    pair = ForbiddenPair.objects.get()
    for kind in (Role.Kind.PLAYER, Role.Kind.COMMITTEE):
        with pytest.raises(NotFound):
            relaxing.relax_and_pair(b.with_role(apart.event, kind), apart.pk, pair=pair.pk)
    with pytest.raises(BadInput):
        relaxing.relax_and_pair(organizer, apart.pk)
    with pytest.raises(BadInput):
        relaxing.relax_and_pair(organizer, apart.pk, pair=pair.pk, clubs=True)
    other = b.section(organizer, players=2)
    with pytest.raises(NotFound):
        relaxing.relax_and_pair(organizer, other.pk, pair=pair.pk)

    assert ForbiddenPair.objects.count() == 1


def test_a_search_without_end_is_stopped_and_nothing_saved(organizer, monkeypatch) -> None:
    section = b.section(organizer, players=4)

    def never(*_given, should_stop, **_named):
        assert should_stop() is False
        raise swiss.TimeLimit(round=1)

    monkeypatch.setattr(swiss, "pair_round", never)
    job = b.run(rounds.request_pairing(organizer, section.pk))

    assert (job.state, job.error_code) == (Job.State.FAILED, "time-limit")
    assert not section.rounds.exclude(state="OPEN").exists()
    page = client_of(organizer.user).get(f"/desk/jobs/{job.pk}/").content.decode()
    assert "120 seconds" in page
    assert 'name="by_hand"' in page


def test_the_checker_has_the_last_word(organizer, monkeypatch) -> None:
    from dataclasses import replace

    section = b.section(organizer, players=4, rounds_total=3)
    b.play_round(organizer, section)
    honest = swiss.pair_round

    def again(tournament, **given):
        found = honest(tournament, **given)
        return replace(found, boards=tournament.rounds[0].boards)

    monkeypatch.setattr(swiss, "pair_round", again)
    job = b.run(rounds.request_pairing(organizer, section.pk))

    assert (job.state, job.error_code) == (Job.State.FAILED, "invalid-state")
    assert not section.rounds.filter(number=2, state="PAIRED").exists()
