"""Points and stages of a section's own; sections that are paired keep the treatment of forfeits that they began with."""

from typing import Any

from django.db import migrations, models

CHANGED = (
    "FMJD_SWISS", "FMJD_SWISS_RATING", "CN_ROUND_ROBIN", "FMJD_ROUND_ROBIN", "XIANGQI_2011_ROUND_ROBIN",
    "KNDB_ROUND_ROBIN",
)  # fmt: skip


def keep_treatment(apps: Any, schema_editor: Any) -> None:
    begun = apps.get_model("tournaments", "Section").objects.filter(
        preset__in=CHANGED, rounds__state__in=["PAIRED", "PUBLISHED", "CLOSED"]
    )
    for section in begun.distinct():
        if "forfeits_in_solkoff" in section.policy:
            continue
        section.policy["forfeits_in_solkoff"] = False
        section.save(update_fields=["policy"])
        for table in section.standings.all():
            table.policy["forfeits_in_solkoff"] = False
            table.save(update_fields=["policy"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0015_holds")]
    operations = [
        migrations.AddField(
            "section",
            "own_match",
            models.JSONField(blank=True, default=dict, verbose_name="stages of our own"),
        ),
        migrations.AddField(
            "section",
            "own_points",
            models.JSONField(blank=True, default=dict, verbose_name="points of our own"),
        ),
        migrations.RunPython(keep_treatment, migrations.RunPython.noop),
    ]
