"""Walks an empty database through every migration, and puts a row into every table it can at each step.

Run by test_upgrade with DATABASE_URL; prints one JSON object: rows by table after each step, and at the end.
"""

from __future__ import annotations

import json
import uuid
from datetime import date, datetime
from typing import Any

import django

django.setup()

from django.db import Error, connection, models, transaction  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.utils import timezone  # noqa: E402

OURS = ("tournaments", "games")
_count = 0


def main() -> None:
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    steps = 0
    placed: dict[str, int] = {}
    for migration, _backwards in executor.migration_plan(targets):
        executor = MigrationExecutor(connection)
        state = executor.migrate([(migration.app_label, migration.name)])
        if migration.app_label in OURS:
            steps += 1
            for table in fill(state.apps):
                placed[table] = placed.get(table, 0) + 1
    state = MigrationExecutor(connection).loader.project_state()
    left = {
        model._meta.db_table: model._base_manager.count()
        for model in state.apps.get_models()
        if model._meta.app_label in OURS and not model._meta.proxy
    }
    print(json.dumps({"steps": steps, "placed": placed, "left": left}))


def fill(apps: Any) -> list[str]:
    """One more row in each table whose needs the generator can meet; the others are passed over."""
    waiting = [m for m in apps.get_models() if m._meta.app_label in OURS and not m._meta.proxy]
    done: list[str] = []
    for _round in range(4):
        for model in list(waiting):
            try:
                with transaction.atomic():
                    model._base_manager.bulk_create([model(**values(model))])
            except (Error, LookupError):
                continue
            waiting.remove(model)
            done.append(model._meta.db_table)
    return done


def values(model: Any) -> dict[str, Any]:
    return {
        field.attname: value_of(field)
        for field in model._meta.concrete_fields
        if (not field.primary_key and not (field.null or field.has_default()))
        or (field.unique and not field.primary_key and not field.null)
    }


def value_of(field: Any) -> Any:
    global _count
    _count += 1
    if field.is_relation:
        last = field.related_model._base_manager.order_by("-pk").first()
        if last is None:
            raise LookupError(field.name)
        return last.pk
    if field.choices:
        return field.choices[0][0]
    match field:
        case models.UUIDField():
            return uuid.uuid4()
        case models.CharField() | models.TextField():
            return f"t{_count}"[: getattr(field, "max_length", None) or 20]
        case models.DateTimeField():
            return timezone.now()
        case models.DateField():
            return date(2026, 5, 1)
        case models.BooleanField():
            return False
        case models.JSONField():
            return {}
        case models.BinaryField():
            return b"x"
        case models.IntegerField():
            return _count % 30_000 + 1
    return datetime.now().isoformat()


if __name__ == "__main__":
    main()
