"""The numbers that the engine spoke of, kept with each round; for rounds paired before, those of now."""

from django.db import migrations, models

FILL = """
UPDATE tournaments_round AS r
SET numbers = (
    SELECT coalesce(jsonb_object_agg(e.number::text, e.id), '{}'::jsonb)
    FROM tournaments_entry AS e
    WHERE e.section_id = r.section_id AND e.number IS NOT NULL
)
WHERE r.proposal <> '[]'::jsonb;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_event_without_maker")]
    operations = [
        migrations.AddField(
            model_name="round",
            name="numbers",
            field=models.JSONField(default=dict),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
