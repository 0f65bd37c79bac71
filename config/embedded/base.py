"""Django's PostgreSQL backend, which starts the embedded server before the first connection."""

import sys
from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.client import DatabaseClient as PostgresClient

from config.embedded import server


class DatabaseClient(PostgresClient):
    executable_name = str(server.binary("psql")) if server.binary_folder() else "psql"

    def runshell(self, parameters: Any) -> None:
        _serve(self.connection.settings_dict)
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    client_class = DatabaseClient

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        folder = Path(settings_dict["FOLDER"])
        settings_dict["NAME"] = settings_dict.get("NAME") or server.DATABASE
        settings_dict["USER"] = server.SUPERUSER
        settings_dict["HOST"] = str(server.socket_folder(folder))
        super().__init__(settings_dict, alias)

    def get_new_connection(self, conn_params: Any) -> Any:
        _serve(self.settings_dict)
        return super().get_new_connection(conn_params)


def _serve(settings: dict[str, Any]) -> None:
    server.hold(Path(settings["FOLDER"]), durable=settings.get("DURABLE", True), report=_report)


def _report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
