"""A process killed by force in the middle of a decision leaves the case as it was, and it is decided afterwards as ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from games.models import Appeal, AppealDecision, Ruling
from games.services.court import ballots
from games.services.court.effects import Measure
from tests.games import case_cast as cases
from tests.games.court_cast import court, user_of
from tournaments.models import AuditEntry, Notice, Pairing
from tournaments.services.backups import _address_of

pytestmark = pytest.mark.django_db(transaction=True)

# Decides, and stands still with everything written, just before it is committed.
DECIDE = """
import sys, time
import django
django.setup()
from django.db import connection
from games.services.court import ballots
from tournaments.audit import Actor
from tournaments.models import User

actor = Actor(user=User.objects.get(pk=int(sys.argv[1])))

def stand_still():
    print("written", flush=True)
    time.sleep(600)

connection.commit = stand_still
ballots.decide_appeal(actor, int(sys.argv[2]), reasons="It stands.")
"""


def everything() -> list[Any]:
    models = (Appeal, AppealDecision, Ruling, Pairing, Notice, AuditEntry)
    return [list(model._base_manager.order_by("pk").values()) for model in models]


def test_a_kill_in_the_middle_of_a_decision_decides_nothing(tmp_path: Path) -> None:
    stage = court(members=5)
    appeal = cases.voted(stage, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")])
    before = everything()
    environment = {
        **os.environ, "DATABASE_URL": _address_of(str(connection.settings_dict["NAME"])), "VAR": str(settings.VAR),
        "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": str(settings.SECRET_KEY), "SEAL_KEY": str(settings.SEAL_KEY),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", DECIDE, str(user_of(stage.committee[0]).pk), str(appeal.pk)],
        env=environment, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"

    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)

    assert everything() == before
    ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="It stands.")
    appeal.refresh_from_db()
    assert (appeal.state, AppealDecision.objects.count()) == (Appeal.State.DECIDED, 1)
