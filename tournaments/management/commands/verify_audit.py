from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.audit.chain import prove

KINDS = {
    "number-missing": "a row before it is missing",
    "link-broken": "it does not follow the row before it",
    "content-changed": "its content was changed",
    "not-chained": "it is not in the chain",
}


class Command(BaseCommand):
    help = "Prove that no row of the audit log was changed, removed or slipped in. Exit code 1 when one was."

    def handle(self, **_options: Any) -> None:
        proof = prove()
        if proof.broken is not None:
            row = proof.broken
            number = f", number {row.seq}" if row.seq is not None else ""
            raise CommandError(
                f"the audit log is broken at row {row.row}{number}: {KINDS[row.kind]} ({row.kind}). "
                f"The {proof.rows} rows before it are whole.",
                returncode=1,
            )
        self.stdout.write(f"{proof.rows} rows, all whole. Last hash: {proof.last_hash or '-'}")
