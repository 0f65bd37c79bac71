"""What all tests share. The database is the embedded one, in a folder of its own, started when a test needs it."""

import pytest

from config.catalogues import compile_catalogue


def pytest_configure(config: pytest.Config) -> None:
    """Pages in Chinese need the compiled catalogue, which is not kept in the repository."""
    if not hasattr(config, "workerinput"):
        compile_catalogue()
