"""The short rehearsal: web, worker and database as real processes, some of them killed while results come in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.e2e
def test_the_short_rehearsal_goes_well() -> None:
    left_out = {"CELERY_BROKER_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rehearsal"],
        cwd=ROOT,
        env={**env, "REHEARSAL_PLAYERS": "24"},
        capture_output=True,
        text=True,
        timeout=900,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "the rehearsal went well" in done.stdout
