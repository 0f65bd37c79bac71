"""What a case holds in the ledger; the rows are kept."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_longer_codes")]
    operations = [
        migrations.CreateModel(
            name="Hold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("case", models.CharField(max_length=20)),
                ("is_final", models.BooleanField(default=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("RESULT", "Result"),
                            ("TO_PLAY", "To Play"),
                            ("SEATS", "Seats"),
                            ("STATUS", "Status"),
                            ("POINTS", "Points"),
                        ],
                        max_length=8,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("round_number", models.PositiveSmallIntegerField(default=0)),
                ("board", models.PositiveSmallIntegerField(default=0)),
                ("values", models.JSONField(default=dict)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "pairing",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="holds",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "section",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="holds",
                        to="tournaments.section",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=["section"],
                        name="holds_in_force",
                    )
                ],
            },
        ),
    ]
