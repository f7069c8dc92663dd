"""SEC1: a key is set, everything that runs without a window is used, and everything is searched for the key."""

from __future__ import annotations

import base64
import gzip
import json
import os
import sqlite3
import sys
import zlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.fakes.canary import CANARY, Watched, find_leaks, leaks_in, run_watched
from tests.fakes.script import END, JSON, SSE, FakeServer, head, send
from tests.fakes.server import Step

ROOT = Path(__file__).resolve().parents[2]
AGDESK = (sys.executable, "-m", "agdesk")
ACCOUNT = """
[providers.openai-work]
preset = "openai"
base_url = "ADDRESS"
key = "env:OPENAI_API_KEY"
headers = { "X-Title" = "agdesk" }
"""
ECHO = (SSE, ("x-echo", CANARY), ("set-cookie", f"session={CANARY}"), ("x-escaped", quote(CANARY)))


def echoing_answer() -> tuple[Step, ...]:
    """An answer that says the key, in two pieces, with the key in the headers."""
    delta = {"index": 0, "delta": {"content": f"your key is {CANARY}."}, "finish_reason": "stop"}
    body = f"data: {json.dumps({'id': 'c1', 'model': 'm', 'choices': [delta]})}\n\ndata: [DONE]\n\n"
    half = len(body) // 2
    return (head(200, *ECHO), send(body[:half]), send(body[half:]), END)


def echoing_failure() -> tuple[Step, ...]:
    """A refusal that quotes the key in body and headers."""
    error = {"error": {"message": f"Incorrect API key provided: {CANARY}", "code": CANARY, "param": quote(CANARY)}}
    headers = (JSON, ("x-request-id", CANARY), ("retry-after", CANARY), ("www-authenticate", f"Bearer {CANARY}"))
    return (head(401, *headers), send(json.dumps(error)), END)


@dataclass
class Use:
    """What was run, where, and who may have seen it."""

    root: Path
    server: FakeServer
    runs: dict[str, Watched]

    def run(self, name: str, *arguments: str, key: str | None = CANARY, stdin: str = "") -> Watched:
        """Runs a program; ``key`` is in the variables of two providers."""
        home = self.root / "home"
        env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        env |= {"HOME": str(home), "TMPDIR": str(self.root / "tmp")}
        if key is not None:
            env |= {"OPENAI_API_KEY": key, "AGDESK_CUSTOM_KEY": key}
        self.runs[name] = run_watched(arguments, env=env, stdin=stdin, cwd=ROOT)
        return self.runs[name]

    def agdesk(self, name: str, *arguments: str) -> Watched:
        return self.run(name, *AGDESK, "--data-dir", str(self.root / "data"), *arguments)

    def ask(self, name: str, *script: Step, flags: tuple[str, ...] = ()) -> Watched:
        self.server.script(*script)
        return self.agdesk(name, "ask", "--model", "openai/gpt-5", "--base-url", self.server.base_url, *flags, "Hi")


@pytest.fixture(scope="module")
def use(tmp_path_factory):
    """Everything, once."""
    root = tmp_path_factory.mktemp("canary")
    for folder in ("home", "tmp"):
        (root / folder).mkdir()
    with FakeServer() as server:
        use = Use(root, server, {})
        (root / "data").mkdir(mode=0o700)
        (root / "data" / "settings.toml").write_text(ACCOUNT.replace("ADDRESS", server.base_url))
        server.script(*echoing_answer())
        use.agdesk("ask account", "ask", "--model", "openai-work/gpt-5", "Hi")
        for kind, flags in (("text", ()), ("json", ("--json",)), ("events", ("--events",))):
            use.ask(f"ask {kind}", *echoing_answer(), flags=flags)
            use.ask(f"refused ask {kind}", *echoing_failure(), flags=flags)
        body = root / "recorded.body"
        server.script(*echoing_answer())
        server.script(*echoing_failure())
        session = (sys.executable, "-m", "tests.fakes.canary_session", str(root / "data"), server.base_url, str(body))
        use.run("session key", *session, key=None, stdin=f"{CANARY}\nHi\nHi again\n")
        for output in ((), ("--json",), ("--events",)):
            use.agdesk(" ".join(("replay", *output)), "replay", str(body), "--format", "openai_chat", *output)
        for name in ("doctor", "models"):
            use.agdesk(name, name)
            use.agdesk(f"{name} json", name, "--json")
        yield use


@pytest.mark.timeout(200)
def test_the_key_was_really_used_and_its_echoes_really_arrived(use):
    requests = use.server.requests
    assert len(requests) == 9
    assert requests[0].headers["x-title"] == "agdesk"
    assert "your key is key-" in use.runs["ask account"].output
    assert {request.headers["authorization"] for request in requests} == {f"Bearer {CANARY}"}
    for kind in ("text", "json", "events"):
        assert use.runs[f"ask {kind}"].status == 0, use.runs[f"ask {kind}"].output
        assert "your key is key-" in use.runs[f"ask {kind}"].output
        assert use.runs[f"refused ask {kind}"].status == 1
        assert "key-" in use.runs[f"refused ask {kind}"].output
    assert use.runs["session key"].status == 0, use.runs["session key"].output
    assert '"response_started"' in use.runs["session key"].output
    assert "your key is key-" in use.runs["replay"].output
    doctor = json.loads(use.runs["doctor json"].output)
    sources = {row["id"]: row["source"] for row in doctor["providers"]}
    assert sources["openai"] == sources["openai-work"] == "env:OPENAI_API_KEY"
    assert (use.root / "data" / "logs").is_dir()


@pytest.mark.timeout(200)
def test_no_file_holds_the_key(use):
    assert find_leaks(use.root, CANARY) == []


@pytest.mark.timeout(200)
def test_no_output_no_command_line_and_no_childs_environment_holds_the_key(use):
    found = [
        leak
        for name, run in use.runs.items()
        for leak in (*leaks_in(run.output, CANARY, place=name), *leaks_in(run.seen, CANARY, place=f"{name}: processes"))
    ]
    assert found == []


@pytest.mark.model
@pytest.mark.timeout(200)
def test_the_built_in_models_process_gets_none_of_the_keys(use):
    run = use.agdesk("built-in model", "ask", "--model", "builtin/smollm2-135m", "Hi")
    assert run.status == 0, run.output
    assert run.child_count >= 1
    assert b"serve-model" in run.seen
    assert leaks_in(run.seen, CANARY, place="processes") == []
    assert leaks_in(run.output, CANARY, place="output") == []
    assert find_leaks(use.root, CANARY) == []


@pytest.mark.timeout(200)
def test_a_window_keeps_the_key_nowhere_when_it_is_sent_pasted_drafted_and_echoed(tmp_path):
    for folder in ("home", "tmp", "data"):
        (tmp_path / folder).mkdir()
    with FakeServer() as server:
        (tmp_path / "data" / "settings.toml").write_text(f'[providers.openai]\nbase_url = "{server.base_url}"\n')
        use = Use(tmp_path, server, {})
        server.script(*echoing_answer())
        server.script(*echoing_failure())
        server.script(*echoing_answer())
        messages = f"Hi\nmy key is {CANARY}, is it right?\n{CANARY}\na draft with {CANARY} in it\n"
        window = (sys.executable, "-m", "tests.fakes.canary_window", str(tmp_path / "data"))
        run = use.run("window", *window, stdin=messages)
        assert run.status == 0, run.output
        requests = server.requests
    assert [request.headers["authorization"] for request in requests] == [f"Bearer {CANARY}"] * 3
    assert [leaks_in(request.body, CANARY, place="sent") for request in requests] == [[], [], []]
    with closing(sqlite3.connect(tmp_path / "data" / "agdesk.db")) as database:
        counts = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("turn", "draft")]
    assert counts == [3, 1], "nothing was kept that could hold the key"
    assert find_leaks(tmp_path, CANARY) == []
    assert leaks_in(run.output, CANARY, place="output") == leaks_in(run.seen, CANARY, place="processes") == []


# --- the search finds what it promises to find ---


@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("plain", f"x{CANARY}x".encode()),
        ("JSON", json.dumps({"key": CANARY}).encode()),
        ("JSON", json.dumps(json.dumps({"key": CANARY})).encode()),
        ("JSON", json.dumps(CANARY).replace("/", "\\/").encode()),
        ("URL", quote(CANARY, safe="").encode()),
        *(("base64", base64.b64encode(b"y" * lead + CANARY.encode() + b"more")) for lead in range(7)),
        *(("base64", base64.urlsafe_b64encode(b"?" * lead + CANARY.encode() + b"?")) for lead in range(3)),
        ("UTF-16", CANARY.encode("utf-16")),
        ("plain", b"head" + zlib.compress(CANARY.encode()) + b"tail"),
        ("plain", gzip.compress(CANARY.encode(), mtime=0)),  # by the clock its name differs between the workers
    ],
)
def test_a_planted_key_is_found_in_every_form(tmp_path, form, content):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file.bin").write_bytes(content)
    (leak,) = [leak for leak in find_leaks(tmp_path, CANARY) if leak.endswith(form)]
    assert leak.startswith(str(Path("folder", "file.bin")))


def test_a_planted_key_is_found_in_a_database_where_it_is_packed_or_cut_over_pages(tmp_path):
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE packed (body BLOB)")
        database.execute("CREATE TABLE cut (text TEXT)")
        noise = os.urandom(40_000)
        database.execute("INSERT INTO packed VALUES (?)", (zlib.compress(noise + CANARY.encode()),))
        for lead in range(4096 - 20, 4096 + 20):
            database.execute("INSERT INTO cut VALUES (?)", ("x" * lead + CANARY + "y" * 5000,))
        database.commit()
        leaks = find_leaks(tmp_path, CANARY)
    assert any("table packed, compressed" in leak for leak in leaks)
    assert any("table cut: plain" in leak for leak in leaks)


def test_a_planted_key_is_found_in_a_childs_environment_and_command_line(tmp_path):
    child = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(1)', *sys.argv[1:]])"
    )
    env = {"PATH": os.environ["PATH"]}
    clean = run_watched((sys.executable, "-c", child), env=env)
    assert (clean.child_count, leaks_in(clean.seen, CANARY, place="")) == (1, [])
    told = run_watched((sys.executable, "-c", child), env=env | {"SOME_KEY": CANARY})
    assert leaks_in(told.seen, CANARY, place="processes") == ["processes: plain"]
