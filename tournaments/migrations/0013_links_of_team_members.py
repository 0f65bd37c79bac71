"""Every player of a team gets a link of his own."""

from typing import Any

from django.db import migrations, models

from tournaments.models import link_token


def give_links(apps: Any, schema_editor: Any) -> None:
    members = list(apps.get_model("tournaments", "TeamMember").objects.all())
    for member in members:
        member.link = link_token()
    apps.get_model("tournaments", "TeamMember").objects.bulk_update(members, ["link"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_attempts")]
    operations = [
        migrations.AddField(
            "teammember", "link", models.CharField(default="", editable=False, max_length=40)
        ),
        migrations.RunPython(give_links, migrations.RunPython.noop),
        migrations.AlterField(
            "teammember",
            "link",
            models.CharField(default=link_token, editable=False, max_length=40, unique=True),
        ),
    ]
