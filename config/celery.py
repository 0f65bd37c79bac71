"""The Celery application: one worker command, whatever the broker."""

import os

from celery import Celery
from celery.signals import task_postrun, task_prerun, worker_ready, worker_shutdown

from config import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

broker.register()
app = Celery("tournaments")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def start_pulse(**_signal: object) -> None:
    from config.pulse import pulse

    pulse.start()


@worker_shutdown.connect
def stop_pulse(**_signal: object) -> None:
    from config.pulse import pulse

    pulse.stop()


@task_prerun.connect
def name_job(args: tuple[object, ...] = (), **_signal: object) -> None:
    """Every line of the log that a job writes carries its number."""
    from config import logs

    logs.context.set(f"job {args[0]}" if args else "-")


@task_postrun.connect
def forget_job(**_signal: object) -> None:
    from config import logs

    logs.context.set("-")
