"""Interests of a committee member in a case (article 16.2, "neutral"): found from what the ledger and the member say."""

from __future__ import annotations

from games.models import Appeal, Relation
from tournaments.models import Entry, Role, Standings, User
from tournaments.services.standings import win_points

PARTY, CLUB, RULED, FAMILY, OTHER, STANDINGS = "party", "club", "ruled", "family", "other", "standings"


def interests_of(user: User, appeal: Appeal) -> list[str]:
    """Codes, sorted: a party himself, a party's club or delegation, made the ruling, family, other, a rival's side."""
    parties = [entry for entry in (appeal.appellant, appeal.opponent) if entry is not None]
    clubs = {entry.player.club for entry in parties if entry.player.club}
    own = _own_entries(user, appeal)
    found = set()
    if any(entry.player.user_id == user.pk for entry in parties):
        found.add(PARTY)
    if clubs & _clubs_of(user, appeal, own):
        found.add(CLUB)
    if user.pk in (appeal.ruling.made_by_id, appeal.ruling.approved_by_id):
        found.add(RULED)
    ties = Relation.objects.filter(
        event=appeal.event, user=user, entry__player__in=[e.player for e in parties]
    )
    found |= {FAMILY if tie.kind == Relation.Kind.FAMILY else OTHER for tie in ties}
    if _fights(user, appeal, parties, own):
        found.add(STANDINGS)
    return sorted(found)


def _own_entries(user: User, appeal: Appeal) -> list[Entry]:
    return list(Entry.objects.filter(section__event=appeal.event, player__user=user).select_related("player"))


def _clubs_of(user: User, appeal: Appeal, own: list[Entry]) -> set[str]:
    named = Role.objects.filter(event=appeal.event, user=user).values_list("delegation", flat=True)
    return {name for name in (*named, *(entry.player.club for entry in own)) if name}


def _fights(user: User, appeal: Appeal, parties: list[Entry], own: list[Entry]) -> bool:
    """Whether the member, or a player of his delegation, stands within one win of a party in the same section."""
    table = Standings.objects.filter(section=appeal.section).order_by("-after_round", "-version").first()
    if table is None:
        return False
    points = {row["entry"]: row["points"] for row in table.rows}
    clubs = _clubs_of(user, appeal, own)
    mates = Entry.objects.filter(section=appeal.section, player__club__in=clubs).values_list("pk", flat=True)
    playing = {entry.pk for entry in own if entry.section_id == appeal.section_id}
    near = win_points(appeal.section)
    rivals = (playing | set(mates)) - {entry.pk for entry in parties}
    return any(
        abs(points[rival] - points[party.pk]) <= near
        for rival in rivals
        for party in parties
        if rival in points and party.pk in points
    )
