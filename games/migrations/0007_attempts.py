"""A game played again is a further attempt at the same number, so that numbers are those of a match's games."""

from typing import Any

from django.db import migrations, models


def as_attempts(apps: Any, schema_editor: Any) -> None:
    """Until now a replay had the next number; no match of several games had more than one."""
    for game in apps.get_model("games", "Game").objects.filter(number__gt=1, replaces__isnull=False):
        game.attempt, game.number = game.number, 1
        game.save(update_fields=["attempt", "number"])


def as_numbers(apps: Any, schema_editor: Any) -> None:
    for game in apps.get_model("games", "Game").objects.filter(attempt__gt=1):
        game.number = game.attempt
        game.save(update_fields=["number"])


class Migration(migrations.Migration):
    dependencies = [("games", "0006_sheets_are_kept")]
    operations = [
        migrations.AddField("game", "attempt", models.PositiveSmallIntegerField(default=1)),
        migrations.RemoveConstraint("game", "one_game_of_a_number"),
        migrations.RunPython(as_attempts, as_numbers),
        migrations.AddConstraint(
            "game",
            models.UniqueConstraint(fields=["pairing", "number", "attempt"], name="one_game_of_a_number"),
        ),
        migrations.AlterModelOptions("game", {"ordering": ["pairing", "number", "attempt"]}),
    ]
