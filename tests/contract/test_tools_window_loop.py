"""Tools on the loop of the window: commands and fetches run, are heard, and stop, and the loop goes on meanwhile."""

import asyncio
import os

import pytest

pytest.importorskip("PySide6")

from agdesk.core.ir.messages import text_of
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.builtin import builtin_tools
from agdesk.core.tools.registry import ApprovedCall, ToolRegistry
from tests.fakes.script import END, HOLD, FakeServer, head, send
from tests.fakes.tools import call

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.skipif(os.name != "posix", reason="commands of POSIX")]


async def test_calls_of_every_kind_run_at_once(tmp_path):
    tools, heard = ToolRegistry(builtin_tools()), []
    with FakeServer() as server:
        server.script(head(200, ("content-type", "text/plain")), send("from the server"), END)
        url = f"http://127.0.0.1:{server.port}/"
        effect = await tools.find("fetch_url").effect({"url": url}, ToolContext())
        context = ToolContext(tmp_path, progress=heard.append, approved=effect)
        calls = [
            ApprovedCall(call(name, arguments, id=name), context, 30.0)
            for name, arguments in (
                ("run_command", {"shell": "seq 3; sleep 0.1"}),
                ("fetch_url", {"url": url}),
                ("write_file", {"path": "a.txt", "content": "a"}),
                ("current_time", {}),
            )
        ]
        outcomes = await tools.invoke_all(calls)
    texts = [text_of(outcome.result.content) for outcome in outcomes]
    assert texts[0] == "1\n2\n3\n[exit status 0]" and "".join(heard) == "1\n2\n3\n"
    assert texts[1].endswith("from the server") and texts[2] == "a.txt is written: 1 bytes." and "UTC" in texts[3]


async def test_stopping_ends_them_while_the_loop_goes_on(tmp_path):
    tools = ToolRegistry(builtin_tools())
    with FakeServer() as server:
        server.script(head(200, ("content-type", "text/plain")), send("begin"), HOLD)
        url = f"http://127.0.0.1:{server.port}/"
        effect = await tools.find("fetch_url").effect({"url": url}, ToolContext())
        command = {"shell": "trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done"}
        calls = [
            ApprovedCall(call("run_command", command, id="command"), ToolContext(tmp_path), 60.0),
            ApprovedCall(call("fetch_url", {"url": url}, id="fetch"), ToolContext(approved=effect), 60.0),
        ]
        told, tick_count = {}, 0
        running = spawn(
            tools.invoke_all(calls, on_outcome=lambda one, o: told.update({one.id: text_of(o.result.content)})),
            name="test",
        )
        while not (tmp_path / "pid").exists() or not await asyncio.to_thread(lambda: server.requests):
            await asyncio.sleep(0.01)
        running.cancel()
        while not running.done():
            await asyncio.sleep(0.01)
            tick_count += 1
        assert running.cancelled() and tick_count > 3  # a command that does not hear SIGTERM is given a second
        assert told == {"command": "cancelled, effect unknown", "fetch": "cancelled"}
        await asyncio.to_thread(server.wait_for_disconnect)
