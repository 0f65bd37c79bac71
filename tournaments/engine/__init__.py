"""Pairing, tie-breaks, standings and report files of tournaments: frozen values in, frozen values out. Standard library only.

The public modules: `types` and `scoring` (the words and the points), `swiss`, `roundrobin`, `knockout`, `teams`,
`micromatch` (who meets whom, and what a match is worth), `check` and `simulate`, `tiebreaks`, `policies`, `presets`,
`standings`, `workings`, `withdrawals`, and `trf` (report files). They are imported one by one, so that a program loads
only what it uses.
"""

__version__ = "0.1.0"

__all__ = [
    "check",
    "knockout",
    "micromatch",
    "policies",
    "presets",
    "roundrobin",
    "scoring",
    "simulate",
    "standings",
    "swiss",
    "teams",
    "tiebreaks",
    "trf",
    "types",
    "withdrawals",
    "workings",
]
