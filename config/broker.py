"""The default broker: a folder under the data folder, so that one machine needs no message server.

The transport is kombu's own for files. Three things are added: a message appears under its name only once it is
whole and on the disk, so that no worker reads half of one; the folders are made when first used and again when somebody
deletes them under a running site; and a file that cannot be understood is put aside, in the folder ``unreadable``. What
was in it is done by the sweep.
"""

import logging
import os
import uuid
from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.transport.filesystem import exchange_queue_t
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps, loads

SCHEME = "folder"
logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._make_folders()

    def _make_folders(self) -> None:
        for folder in (self.data_folder_in, self.data_folder_out, self.control_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)

    def get_table(self, exchange: str) -> list[Any]:
        """Whoever listened declared it in the folder; when that is gone, exchange and queue bear one name."""
        own = exchange_queue_t(exchange, "", exchange)
        try:
            return super().get_table(exchange) or [own]
        except (ValueError, TypeError, ChannelError):
            self._put_aside(self.control_folder / f"{exchange}.exchange")
            return [own]

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None
    ) -> None:
        try:
            super()._queue_bind(exchange, routing_key or "", pattern, queue or "")
        except (ValueError, TypeError, ChannelError):
            self._put_aside(self.control_folder / f"{exchange}.exchange")
            self._make_folders()
            super()._queue_bind(exchange, routing_key or "", pattern, queue or "")

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # kombu's own folder channel leaves `timeout` out
        """The oldest message of the queue. Whoever renames the file has it: of several workers, one."""
        for name in self._names(queue):
            taken = Path(self.data_folder_in) / f"{name}.{uuid.uuid4()}.taken"
            try:
                (Path(self.data_folder_in) / name).rename(taken)
            except OSError:
                continue  # another worker was quicker
            message = _message(taken)
            if message is None:
                self._put_aside(taken)
                continue
            taken.unlink(missing_ok=True)
            return message
        raise Empty

    def _names(self, queue: str) -> list[str]:
        try:
            names = os.listdir(self.data_folder_in)
        except FileNotFoundError:
            self._make_folders()
            return []
        return sorted(name for name in names if name.partition(".")[2] == f"{queue}.msg")

    def _put_aside(self, path: Path) -> None:
        """Out of the way, for whoever wants to see what it was; a site never stops at one file."""
        aside = Path(self.data_folder_in).parent / "unreadable"
        logger.warning("%s cannot be understood and is put aside into %s", path, aside)
        try:
            aside.mkdir(exist_ok=True)
            path.replace(aside / path.name)
        except OSError:
            logger.warning("%s cannot be put aside", path, exc_info=True)

    def _put(  # type: ignore[override]  # kombu's own two classes disagree about the name
        self, queue: str, payload: Any, **kwargs: Any
    ) -> None:
        name = f"{time_ns()}_{uuid.uuid4()}"
        self._make_folders()
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.draft"
        with draft.open("wb") as file:
            file.write(str_to_bytes(dumps(payload)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, folder / f"{name}.{queue}.msg")
        _sync_folder(folder)


def _message(path: Path) -> dict[str, Any] | None:
    """What a file says, if it is a message as kombu writes them."""
    try:
        message = loads(path.read_text())
        properties = message["properties"]
        is_whole = isinstance(properties["delivery_info"], dict) and bool(properties["delivery_tag"])
        return message if is_whole and isinstance(message["body"], str) else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Transport(filesystem.Transport):
    Channel = Channel


def register() -> None:
    """Let ``folder://`` name this transport."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
