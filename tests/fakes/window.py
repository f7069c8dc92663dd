"""The tests' side of the real program: starts it, tells it what to do, looks at it, and ends it in every way."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.fakes.script import SSE, FakeServer, head, send
from tests.fakes.server import Step

CHILD = Path(__file__).with_name("window_child.py")
PATIENCE_S = 40.0
_DELTA = 'data: {{"id":"c1","model":"m","choices":[{{"index":0,"delta":{{"content":{}}},"finish_reason":null}}]}}\n\n'
FINISH = 'data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


class WindowProcess:
    """A running window over a data folder; as a context manager it is killed at the end."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"} | environment,
        )
        self._received = b""

    def __enter__(self) -> WindowProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def ready(self) -> WindowProcess:
        """Returns when the window has been painted."""
        assert self.read() == {"value": "ready"}
        return self

    def read(self) -> Any:
        """The next line that it says."""
        assert self.process.stdout is not None
        end_s = time.monotonic() + PATIENCE_S
        while b"\n" not in self._received:
            is_readable, _, _ = select.select([self.process.stdout], [], [], max(0.0, end_s - time.monotonic()))
            assert is_readable, "the window says nothing"
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            assert piece, f"the window has ended: {self.ended()}"
            self._received += piece
        line, _, self._received = self._received.partition(b"\n")
        return json.loads(line)

    def tell(self, line: str) -> None:
        """Says a line to it, without waiting for an answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def do(self, expression: str) -> Any:
        """The value of an expression over ``window``."""
        self.tell(expression)
        answer = self.read()
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def until(self, expression: str) -> None:
        """Waits until an expression over ``window`` is true."""
        end_s = time.monotonic() + PATIENCE_S
        while not self.do(f"bool({expression})"):
            assert time.monotonic() < end_s, f"never: {expression}"
            time.sleep(0.02)

    def show_tab(self, index: int) -> None:
        """Brings a tab to the front and waits until its conversation and its draft are there."""
        self.do(f"window.tabs.go_to({index})")
        self.until("window.current_tab and (window.tabs.current.loading is None or window.tabs.current.loading.done())")

    def quit(self) -> None:
        """Quits as the user does, and expects a clean end."""
        self.tell("window.actions_registry['app.quit'].trigger()")
        status, output = self.ended()
        assert (status, output) == (0, ""), output

    def end_by(self, number: signal.Signals) -> tuple[int, str]:
        """Sends a signal; status and standard error of the end."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Waits for the end; its status and what it wrote to standard error."""
        _, output = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, output.decode()


def send_and_wait(window: WindowProcess, text: str, *, shows: str) -> None:
    """Sends a message from the conversation in front and waits until it shows a text."""
    window.do(f"window.current_tab.send({text!r})")
    window.until(f"{shows!r} in repr(painted(window.current_tab))")


def use_server(folder: Path, server: FakeServer, *, provider: str = "custom") -> None:
    """Settings with which every new conversation asks ``server``, as the provider of a row."""
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "settings.toml").write_text(
        f'version = 2\n[chat]\ndefault_model = "{provider}/m"\n[providers.{provider}]\nbase_url = "{server.base_url}"\n'
    )


def delta(text: str) -> str:
    """A piece of an answer, as it goes over the wire."""
    return _DELTA.format(json.dumps(text))


def answer(*texts: str) -> tuple[Step, ...]:
    """A whole answer."""
    return (*beginning(*texts), send(FINISH), {"do": "end"})


def beginning(*texts: str) -> tuple[Step, ...]:
    """An answer up to its last delta."""
    return (head(200, SSE), *(send(delta(text)) for text in texts))
