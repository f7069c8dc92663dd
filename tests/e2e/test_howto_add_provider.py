"""docs/howto-add-provider.md, followed to the letter: its row, its test, its commands, and the request it promises."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from agdesk.cli import main
from agdesk.core.providers import presets
from agdesk.core.settings.paths import resource
from tests.fakes.script import END, SSE, FakeServer, head, send
from tests.wire import test_shipped_rows as rows_under_test

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/howto-add-provider.md").read_text("utf-8")
KEY = "csk-0123456789abcdef"
CHUNK = {"id": "c1", "object": "chat.completion.chunk", "model": "gpt-oss-120b"}
ANSWER = "".join(
    f"data: {unit}\n\n"
    for unit in (
        json.dumps(CHUNK | {"choices": [{"index": 0, "delta": {"content": "Hello."}, "finish_reason": None}]}),
        json.dumps(CHUNK | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
        "[DONE]",
    )
)


def block(language: str) -> str:
    """The only code block of a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def commands() -> list[list[str]]:
    return [shlex.split(line, comments=True) for line in block("sh").splitlines()]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """The shipped rows and the page's."""
    folder = tmp_path / "providers"
    shutil.copytree(resource("providers"), folder)
    (written,) = re.findall(r"`resources/providers/(\S+\.toml)`; the name of the file", PAGE)
    (folder / written).write_text(block("toml"), "utf-8")
    monkeypatch.setattr(presets, "resource", lambda name: tmp_path / name)
    presets.shipped_endpoints.cache_clear()
    yield presets.shipped_endpoints()
    presets.shipped_endpoints.cache_clear()


def test_the_row_is_read_and_the_page_s_test_of_it_passes(rows, monkeypatch):
    assert len(rows) == len(rows_under_test.ROWS) + 1
    monkeypatch.setattr(rows_under_test, "ROWS", rows)
    names = dict(vars(rows_under_test))
    code = block("python")
    exec(compile(code, "docs/howto-add-provider.md", "exec"), names)
    (name,) = re.findall(r"^def (test_\w+)", code, re.MULTILINE)
    names[name]()


def test_every_test_of_all_rows_holds_for_the_row(rows):
    row = rows["cerebras"]
    rows_under_test.test_a_row_names_a_provider_that_the_catalogue_knows(row)
    rows_under_test.test_l15_the_address_of_a_row_is_in_order_and_is_what_a_bare_host_becomes(row)
    rows_under_test.test_nothing_is_sent_that_neither_the_user_nor_the_row_set(row)
    rows_under_test.test_every_parameter_is_sent_or_in_the_ledger(row)
    rows_under_test.test_what_a_dialect_refuses_is_in_no_request(row)


@pytest.mark.usefixtures("rows")
def test_the_commands_do_what_the_page_says(tmp_path, monkeypatch, capsys):
    body = tmp_path / "BODY"
    body.write_text(ANSWER)
    seen = []
    with FakeServer() as server:
        server.script(head(200, SSE), send(ANSWER), END)
        for words in commands():
            if "=" in words[0]:
                monkeypatch.setenv(words.pop(0).partition("=")[0], KEY)
            assert words.pop(0) == ".venv/bin/agdesk"
            arguments = [
                "--data-dir",
                str(tmp_path / "data"),
                *(str(body) if word == "BODY" else word for word in words),
            ]
            if words[0] == "ask":
                arguments += ["--base-url", server.base_url]
            assert main(arguments) == 0
            seen.append((words[0], capsys.readouterr().out))
        (request,) = server.requests
    output = dict(seen)
    assert list(output) == ["models", "doctor", "replay", "ask"]
    assert "cerebras" in output["models"] and "CEREBRAS_API_KEY" in output["doctor"]
    assert json.loads(output["replay"])["ignored_fields"] == 0
    assert output["ask"] == "Hello.\n"
    assert request.json == json.loads(block("json"))
    assert request.headers["authorization"] == f"Bearer {KEY}"
