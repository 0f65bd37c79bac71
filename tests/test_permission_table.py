"""Every address of the site is in the permission table, and the table names no address that is gone."""

from collections.abc import Iterable, Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.permission_table import TABLE

# The admin keeps its own permissions, all behind its own log-in.
OUTSIDE = {"admin"}


def named_addresses(
    patterns: Iterable[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLPattern):
            yield pattern.name or "", route
        elif pattern.namespace not in OUTSIDE:
            space = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from (
                (f"{space}{name}" if name else "", at)
                for name, at in named_addresses(pattern.url_patterns, route)
            )


def test_every_address_has_a_name_and_a_row() -> None:
    addresses = list(named_addresses(get_resolver().url_patterns))

    assert [route for name, route in addresses if not name] == []
    assert sorted({name for name, _ in addresses} - TABLE.keys()) == []


def test_no_row_is_left_of_an_address_that_is_gone() -> None:
    addresses = {name for name, _ in named_addresses(get_resolver().url_patterns)}

    assert sorted(TABLE.keys() - addresses) == []


def test_every_row_says_who() -> None:
    assert [name for name, who in TABLE.items() if not who] == []
