"""One ruling has one decision; what a decision orders are rulings; appeals on paper, late, joined, and taken up again."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def name_rulings(apps: Any, schema_editor: Any) -> None:
    """Of two decisions on one ruling, which could be made before, the first counts."""
    known = set()
    for decision in apps.get_model("games", "AppealDecision").objects.select_related("appeal").order_by("pk"):
        ruling = decision.appeal.ruling_id
        decision.ruling_id, decision.is_joined = ruling, ruling in known
        decision.save(update_fields=["ruling", "is_joined"])
        known.add(ruling)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_penalties'),
        ('tournaments', '0017_penalties'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='appeal',
            name='joined_to',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='joined', to='games.appeal'),
        ),
        migrations.AddField(
            model_name='appeal',
            name='late_cause',
            field=models.CharField(blank=True, default='', max_length=500),
        ),
        migrations.AddField(
            model_name='appeal',
            name='on_paper',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='appeal',
            name='received_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='appeal',
            name='received_by',
            field=models.CharField(blank=True, default='', max_length=200),
        ),
        migrations.AddField(
            model_name='appeal',
            name='revises',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='revisions', to='games.appeal'),
        ),
        migrations.AddField(
            model_name='appealdecision',
            name='ended_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='appealdecision',
            name='is_joined',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='appealdecision',
            name='ruling',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='games.ruling'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='decided_in',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='measures', to='games.appeal'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='subject',
            field=models.CharField(choices=[('RULING', 'a ruling'), ('RESULT', 'a result entered or accepted'), ('CLAIM', 'a draw claim refused'), ('SEALED', 'a sealed move as it was judged'), ('POINTS', 'points given or taken'), ('REFUSAL', 'a refusal to log or to act'), ('PAIRING', 'a pairing'), ('OTHER', 'another decision')], default='RULING', max_length=8),
        ),
        migrations.RunPython(name_rulings, migrations.RunPython.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='appealdecision',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('is_joined', False)), fields=('ruling',), name='one_decision_on_a_ruling'),
        ),
    ]
