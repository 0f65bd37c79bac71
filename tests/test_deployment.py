"""What is shipped for servers: settings that pass Django's own examination, no secret in the image, logs and numbers to watch."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from config import logs, serve
from tournaments.models import Job

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"


def test_the_examination_of_a_site_with_tls_finds_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            **{name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
            "VAR": str(tmp_path),
            "PUBLIC_URL": "https://draughts.example.org",
        },
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


def test_every_service_that_stays_says_whether_it_is_well(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "healthcheck" not in service} == {
        "migrate",
        "balancer",
    }


def test_only_this_machine_reaches_the_balancer(services: dict[str, Any]) -> None:
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}

    assert ports == {"balancer": ["127.0.0.1:8000:80"]}


def test_no_secret_goes_into_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()

    assert {"deploy/environment", "var", "**/secret_key", "**/seal.key", "**/backup-*.zip"} <= set(ignored)


def test_servers_run_what_the_one_command_runs() -> None:
    for part in ("web", "worker"):
        assert f"config.serve --only {part}" in (DEPLOY / f"{part}.sh").read_text()
    assert "--without-mingle" in serve.worker_command()


def _proxy_settings(folder: Path, *, port: int, site: str) -> str:
    text = (DEPLOY / "nginx.conf").read_text()
    changes = {
        "listen 80;": f"listen 127.0.0.1:{port};",
        "/var/cache/nginx/pages": str(folder / "pages"),
        "http://web:8000": site,
        "/dev/stdout": str(folder / "access.log"),
    }
    for there, here in changes.items():
        assert there in text
        text = text.replace(there, here)
    return text


class _Site(BaseHTTPRequestHandler):
    """Says how often it was asked for an address, publicly or, below /e/draft, privately."""

    asked: Counter[str] = Counter()

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        body = f"{self.asked[self.path]} {self.headers.get('Accept-Language')}".encode()
        kind = "private, no-cache" if self.path.startswith("/e/draft") else "public, no-cache"
        self.send_response(200)
        self.send_header("Cache-Control", kind)
        self.send_header("Vary", "Cookie, Accept-Language")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_given: Any) -> None:
        pass


def test_the_proxy_keeps_what_is_everybody_s_and_nothing_else(tmp_path: Path) -> None:
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    _Site.asked.clear()
    behind = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=behind.serve_forever, daemon=True).start()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    text = _proxy_settings(tmp_path, port=port, site=f"http://127.0.0.1:{behind.server_port}")
    text = text.replace("proxy_cache_valid 200 1s", "proxy_cache_valid 200 60s")
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind}; "
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""  # its own folders are this test's
    whole = tmp_path / "whole.conf"
    whole.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; daemon off; {user} events {{}} http {{ {folders} {text} }}"
    )
    process = subprocess.Popen([nginx, "-c", str(whole), "-p", str(tmp_path)])

    def body(path: str, **headers: str) -> str:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.read().decode()

    try:
        for _try in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        chinese = {"Accept-Language": "zh"}
        assert [body("/e/open/a/") for _time in range(2)] == ["1 None", "1 None"]
        assert body("/e/open/a/", **chinese) == "2 zh"
        assert body("/e/open/a/", Cookie="sessionid=x") == "3 None"
        assert body("/e/open/a/") == "1 None"
        assert [body("/e/draft/a/") for _time in range(2)] == ["1 None", "2 None"]
        assert [body("/my/abc/") for _time in range(2)] == ["1 None", "2 None"]
        assert "abc" not in (tmp_path / "access.log").read_text()
    finally:
        process.terminate()
        process.wait(timeout=10)
        behind.shutdown()


def test_the_balancer_s_settings_are_read_by_nginx(tmp_path: Path) -> None:
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    text = _proxy_settings(tmp_path, port=1, site="http://127.0.0.1:2")
    whole = tmp_path / "whole.conf"
    whole.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {text} }}")

    done = subprocess.run(
        [nginx, "-t", "-c", str(whole), "-p", str(tmp_path)], capture_output=True, text=True
    )

    assert "syntax is ok" in done.stderr, done.stderr


def test_the_proxy_s_log_strikes_personal_links_out() -> None:
    pattern = re.search(r'"~(\^.*?)" "(.*)";', (DEPLOY / "nginx.conf").read_text())
    assert pattern is not None
    found = re.fullmatch(pattern[1].replace("?<", "?P<"), "/my/abcDEF/sheet/4/?x=1")
    assert found is not None and found.groupdict() == {"before": "/my/", "after": "/sheet/4/?x=1"}


class TestLogs:
    def test_an_answer_carries_the_number_of_its_request(self, client: Client) -> None:
        assert re.fullmatch("[0-9a-f]{16}", client.get("/nothing").headers["X-Request-ID"])
        assert client.get("/nothing", headers={"X-Request-ID": "abc-1"}).headers["X-Request-ID"] == "abc-1"
        forged = client.get("/nothing", headers={"X-Request-ID": "a b\tc"}).headers["X-Request-ID"]
        assert forged != "a b\tc"

    def test_every_line_is_one_object_with_its_request_or_job(self) -> None:
        record = logging.LogRecord("x", logging.WARNING, __file__, 1, "at %s", ("/my/abcDEF/",), None)
        token = logs.context.set("job 7")
        try:
            logs.Context().filter(record)
            logs.HidePersonalLinks().filter(record)
        finally:
            logs.context.reset(token)

        line = json.loads(logs.JsonLines().format(record))

        assert (line["job"], line["message"], line["level"]) == ("7", "at /my/***/", "WARNING")


@pytest.mark.django_db
class TestMetrics:
    def test_they_tell_the_parts_and_the_queue(self, client: Client) -> None:
        text = client.get("/metrics").content.decode()

        assert 'draughts_part_up{part="database"} 1.0' in text
        assert "draughts_oldest_job_seconds 0.0" in text
        assert not Job.objects.exists()

    @pytest.mark.parametrize("address", ["192.0.2.1", ""])
    def test_others_find_no_such_page(self, client: Client, address: str) -> None:
        assert client.get("/metrics", REMOTE_ADDR=address).status_code == 404
        assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 404

    def test_with_the_token_from_anywhere(self, client: Client, settings: Any) -> None:
        settings.METRICS_TOKEN = "abc"

        assert client.get("/metrics").status_code == 404
        given = client.get("/metrics", REMOTE_ADDR="192.0.2.1", headers={"Authorization": "Bearer abc"})
        assert given.status_code == 200
