"""Every code of a preset, a scheme or a match rule has room."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_links_of_team_members")]
    operations = [
        migrations.AlterField(
            "section",
            "match_rule",
            models.CharField(blank=True, default="", max_length=40, verbose_name="games of a match"),
        ),
        migrations.AlterField(
            "section",
            "preset",
            models.CharField(
                blank=True, default="CN_SWISS", max_length=40, verbose_name="tie-break preset"
            ),
        ),
        migrations.AlterField(
            "section", "scheme", models.CharField(default="STD", max_length=40, verbose_name="result scheme")
        ),
    ]
