
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_notices'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='family',
            field=models.CharField(blank=True, default='', help_text='The same word for relatives who are to be kept apart; never shown in public.', max_length=60, verbose_name='declared family'),
        ),
        migrations.AddField(
            model_name='section',
            name='acceleration',
            field=models.BooleanField(default=False, verbose_name='Baku acceleration'),
        ),
        migrations.AddField(
            model_name='section',
            name='virtual_points',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name='section',
            name='protect_clubs_rounds',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='rounds in which club-mates, and members of one family, do not meet'),
        ),
    ]
