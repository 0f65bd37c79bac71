
import django.core.validators
import django.db.models.constraints
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0009_swiss_options'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='group',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='group'),
        ),
        migrations.AddField(
            model_name='pairing',
            name='advances',
            field=models.CharField(blank=True, choices=[('w', 'WHITE'), ('b', 'BLACK')], default='', max_length=1),
        ),
        migrations.AddField(
            model_name='section',
            name='bracket',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='section',
            name='group_places',
            field=models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(16)], verbose_name='players of each group who go on'),
        ),
        migrations.AddField(
            model_name='section',
            name='groups',
            field=models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(64)], verbose_name='groups'),
        ),
        migrations.AddField(
            model_name='section',
            name='match_rule',
            field=models.CharField(blank=True, default='', max_length=24, verbose_name='games of a match'),
        ),
        migrations.AddField(
            model_name='section',
            name='team_boards',
            field=models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='boards of a team match'),
        ),
        migrations.AddField(
            model_name='section',
            name='team_places',
            field=models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(20)], verbose_name='places counted for a club'),
        ),
        migrations.AddField(
            model_name='section',
            name='third_place',
            field=models.BooleanField(default=False, verbose_name='match for the third place'),
        ),
        migrations.AlterField(
            model_name='section',
            name='format',
            field=models.CharField(choices=[('SWISS', 'Swiss'), ('ROUND_ROBIN', 'round robin'), ('DOUBLE_ROUND_ROBIN', 'double round robin'), ('KNOCKOUT', 'knock-out'), ('GROUPS_KNOCKOUT', 'groups, then knock-out'), ('TEAM_SWISS', 'team Swiss'), ('TEAM_ROUND_ROBIN', 'team round robin')], default='SWISS', max_length=20, verbose_name='format'),
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('rating', models.PositiveIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(4000)], verbose_name='rating')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='tournaments.entry')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='MatchGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('stage', models.PositiveSmallIntegerField(default=0)),
                ('first_white', models.BooleanField(default=True)),
                ('outcome', models.CharField(default='UNPLAYED', max_length=15)),
                ('grade', models.CharField(blank=True, default='', max_length=12)),
                ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='match_games', to='tournaments.pairing')),
                ('first', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.teammember')),
                ('second', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.teammember')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddConstraint(
            model_name='teammember',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['DEFERRED'], fields=('entry', 'position'), name='one_member_of_a_position'),
        ),
        migrations.AddConstraint(
            model_name='matchgame',
            constraint=models.UniqueConstraint(fields=('pairing', 'number'), name='one_match_game_of_a_number'),
        ),
    ]
