"""A ruling that comes rounds after its incident: the games played meanwhile stand on every surface alike."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.tournaments import builders as b
from tournaments.models import Pairing, Role, Standings
from tournaments.selectors import points, public
from tournaments.services import corrections, results, rounds
from tournaments.services.results import Line

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("played", "kept"), [(5, True), (3, False)])
def test_points_agree_when_the_incident_lies_before_the_last_game(played: int, kept: bool) -> None:
    actor = b.organizer()
    section = b.section(
        actor, players=8, format="ROUND_ROBIN", rounds_total=7, preset="CN_ROUND_ROBIN", withdrawal="ANNUL"
    )
    b.draft(actor, section)
    rounds.publish_all_rounds(actor, section.pk)
    boards = Pairing.objects.filter(round__section=section, round__number__lte=played, black__isnull=False)
    results.record_outcomes(
        actor, section.pk, [Line(pairing=p.pk, outcome="DRAW", version=p.version) for p in boards]
    )
    gone = b.entry_list(section)[0]
    chief = b.with_role(section.event, Role.Kind.CHIEF_ARBITER)

    with transaction.atomic():
        corrections.disqualify_entry(chief, gone.pk, round_number=2, reason="14.2.5")
    b.work_all(section)

    table = Standings.objects.filter(section=section, after_round=played).latest("version")
    section.refresh_from_db()
    book = public.ledger(section)
    shown = points.totals(book.tournament, policy=book.policy, entry_of=book.entry_of, after_round=played)
    assert {row["entry"]: row["points"] for row in table.rows} == shown
    assert shown[gone.pk] == (played if kept else 0)
