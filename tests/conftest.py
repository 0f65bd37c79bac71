"""What all tests share. The database is the embedded one, in a folder of its own, started when a test needs it."""

import pytest
from hypothesis import HealthCheck, settings

from config.catalogues import compile_catalogue
from tournaments.web import rendered, throttling

# The same examples every time, however slow the machine: a run says something about the code alone. Looking further is
# for tests/rules/fuzzing.py.
settings.register_profile(
    "steady", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


def pytest_configure(config: pytest.Config) -> None:
    """Pages in Chinese need the compiled catalogue, which is not kept in the repository."""
    if not hasattr(config, "workerinput"):
        compile_catalogue()


@pytest.fixture(autouse=True)
def nobody_has_asked_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The brakes on guesses and questions count in the database, which each test finds empty; nor may the clock move them."""
    monkeypatch.setattr(throttling, "SECONDS", 24 * 3600)


@pytest.fixture(autouse=True)
def no_page_is_left_of_another_test() -> None:
    rendered.forget()
