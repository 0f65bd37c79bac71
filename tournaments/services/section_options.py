"""The options of a section: what a preset and a match rule bring with them, and which choices go together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments import formats
from tournaments.engine import micromatch, policies, scoring, standings, tiebreaks
from tournaments.engine.types import InvalidState
from tournaments.errors import BadInput
from tournaments.models import Section
from tournaments.wording import sections

_POINTS = frozenset({"scheme", "own_points", "match_rule", "own_match", "format"})

Faults = dict[str, list[str]]


def bring(section: Section, fields: Mapping[str, Any]) -> None:
    """Fill in what named choices bring, unless `fields` give their own: a preset its order and treatment, a match rule
    its points.
    """
    preset = standings.PRESETS.get(section.preset)
    if preset is not None:
        if not section.tiebreaks or ("preset" in fields and "tiebreaks" not in fields):
            section.tiebreaks = list(preset.tiebreaks)
        if "preset" in fields and "policy" not in fields:
            section.policy = {}
    if fields.keys() & {"match_rule", "own_match"} and not fields.keys() & {"scheme", "own_points"}:
        _bring_points(section)


def _bring_points(section: Section) -> None:
    if section.format not in formats.FORMATS:
        return  # which `check` words
    try:
        rule = formats.match_rule(section)
        if rule is None or section.scheme not in scoring.SCHEMES:
            return
        if micromatch.fits(rule, section.result_scheme):
            return
    except InvalidState:
        return  # which `check` words
    section.scheme = rule.scheme or "STD"
    section.own_points = {} if rule.scheme or micromatch.is_plain(rule) else micromatch.points_for(rule)


def check(section: Section, changed: Collection[str]) -> None:
    """Raises BadInput by field for a code that does not exist and for `changed` options that do not go together."""
    faults = _unknown(section)
    if not faults and not _POINTS.isdisjoint(changed):
        faults |= _points(section)
    if not faults:
        faults = {
            name: sentence
            for name, sentence in _idle(section).items()
            if name in changed or "format" in changed
        }
    if faults:
        raise BadInput(fields=faults)


def _unknown(section: Section) -> Faults:
    faults: Faults = {}
    if section.format not in formats.FORMATS:
        faults["format"] = [_("There is no such format.")]
    if section.scheme not in scoring.SCHEMES:
        faults["scheme"] = [_("There is no such result scheme.")]
    if section.preset and section.preset not in standings.PRESETS:
        faults["preset"] = [_("There is no such preset.")]
    if section.match_rule and section.match_rule not in micromatch.RULES:
        faults["match_rule"] = [_("There is no such match.")]
    unknown = [code for code in section.tiebreaks if not tiebreaks.is_known(code)]
    if unknown:
        faults["tiebreaks"] = [_("There is no such tie-break: %s.") % ", ".join(map(str, unknown))]
    try:
        policies.TieBreakPolicy.from_json(section.policy)
    except InvalidState as error:
        faults["policy"] = [_("There is no such choice: %s.") % error.values.get("field")]
    return faults


def _points(section: Section) -> Faults:
    """Whether the points of results can be, and are those of the match rule."""
    try:
        scheme = section.result_scheme
    except InvalidState as error:
        return {"own_points": [sections.own_points_fault(error)]}
    if section.own_match:
        try:
            micromatch.own_rule(section.own_match)
        except InvalidState as error:
            return {"own_match": [sections.own_match_fault(error)]}
        if section.match_rule:
            return {"own_match": [_("Choose a match rule, or give stages of your own: not both.")]}
    field = "own_match" if section.own_match else "match_rule"
    if formats.of(section).enters_teams:
        if section.own_match or section.match_rule:
            return {field: [_("A match of teams is played over its boards: leave this at “one game”.")]}
        return {}
    rule = formats.match_rule(section)
    if rule is None or micromatch.fits(rule, scheme):
        return {}
    return {"scheme": [sections.points_of_the_rule(rule)]}


def _idle(section: Section) -> Faults:
    """Options that the format would pass over in silence."""
    found: Faults = {}
    has = formats.of(section)
    if section.acceleration and not has.accelerates:
        found["acceleration"] = [_("Only a Swiss of single players can be accelerated.")]
    if section.ranking != Section.Ranking.RATING and not has.chooses_ranking:
        found["ranking"] = [_("Only a Swiss of single players can go by Solkoff.")]
    if section.drop_absent and not has.pairs_each_round:
        found["drop_absent"] = [_("Only in a Swiss can somebody be left out of the next round.")]
    if section.third_place and not has.has_bracket:
        found["third_place"] = [_("Only a knock-out has a match for the third place.")]
    if section.team_places and has.enters_teams:
        found["team_places"] = [_("Places are counted for clubs where single players play.")]
    if section.protect_clubs_rounds and has.drawn_whole:
        found["protect_clubs_rounds"] = [_("In a round robin everybody meets everybody.")]
    return found
