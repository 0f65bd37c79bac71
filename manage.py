#!/usr/bin/env python3
"""Runs one command of the site: ``.venv/bin/python manage.py COMMAND``."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from config.problems import one_sentence
    except ImportError:
        sys.exit("The parts are not installed: run `make setup`, then `.venv/bin/python manage.py ...`.")
    with one_sentence():
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
