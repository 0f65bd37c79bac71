"""The default broker: a folder under the data folder, so that one machine needs no message server.

The transport is kombu's own for files. Two things are added: a message appears under its name only once it is
whole, so that a worker never reads half of one, and the folders are made when first used and again when somebody
deletes them under a running site: what lay in them is rung for again by the sweep.
"""

import os
import uuid
from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.transport.filesystem import exchange_queue_t
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps

SCHEME = "folder"


class Channel(filesystem.Channel):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._make_folders()

    def _make_folders(self) -> None:
        for folder in (self.data_folder_in, self.data_folder_out, self.control_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)

    def get_table(self, exchange: str) -> list[Any]:
        """Whoever listened declared it in the folder; when that is gone, exchange and queue bear one name."""
        return super().get_table(exchange) or [exchange_queue_t(exchange, "", exchange)]

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # kombu's own folder channel leaves `timeout` out
        try:
            return super()._get(queue)
        except FileNotFoundError:
            self._make_folders()
            raise Empty from None

    def _put(  # type: ignore[override]  # kombu's own two classes disagree about the name
        self, queue: str, payload: Any, **kwargs: Any
    ) -> None:
        name = f"{time_ns()}_{uuid.uuid4()}"
        self._make_folders()
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.draft"
        draft.write_bytes(str_to_bytes(dumps(payload)))
        os.replace(draft, folder / f"{name}.{queue}.msg")


class Transport(filesystem.Transport):
    Channel = Channel


def register() -> None:
    """Let ``folder://`` name this transport."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
