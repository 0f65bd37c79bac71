#!/bin/sh
# One web container: static files into its own data folder, then the server.
set -eu
python manage.py collectstatic --no-input --verbosity 0
exec python -m granian --interface wsgi --host 0.0.0.0 --port 8000 --workers "${WEB_PROCESSES:-2}" \
    --blocking-threads "${WEB_THREADS:-4}" --respawn-failed-workers config.wsgi:application
