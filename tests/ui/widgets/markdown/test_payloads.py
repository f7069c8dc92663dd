"""SEC4: two hundred hostile texts, each really painted: no request, no file opened, and an end."""

import ctypes
import ctypes.util
import os
import socket
import struct
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.markdown.parser import parse, parse_blocks
from agdesk.ui.widgets.transcript import BlockView, MessageView, VirtualTranscript
from tests.ui.widgets.markdown.payloads import ADDRESSES, EMBEDDING, ODD, payloads

LIMIT_S = 60.0  # for one text, on a slow machine
_watched: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Python's own word for what is opened and reached; it cannot be taken out again, only be told not to look."""
    if _watching.is_set() and (event in ("socket.connect", "socket.getaddrinfo") or event == "open"):
        _watched.append(f"{event} {arguments[:2]}")


_watching = threading.Event()


class Server:
    """Counts who connects."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()


class FileWatch:
    """Tells whether a file was opened or read by anyone, Qt's C++ too (inotify, Linux only)."""

    OPEN_ACCESS = 0x20 | 0x1

    def __init__(self, path: Path) -> None:
        library = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
        self._handle: int = library.inotify_init1(os.O_NONBLOCK)
        assert library.inotify_add_watch(self._handle, os.fsencode(path), self.OPEN_ACCESS) >= 0

    def events(self) -> int:
        try:
            found = os.read(self._handle, 65_536)
        except BlockingIOError:
            return 0
        return len(found) // struct.calcsize("iIII")

    def close(self) -> None:
        os.close(self._handle)


@pytest.fixture
def canary(tmp_path) -> Path:
    path = tmp_path / "canary.png"
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(0xFFFF0000)
    assert image.save(str(path))
    return path


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def transcript(qapp, qtbot) -> VirtualTranscript:
    apply_theme(qapp, "light")
    transcript = VirtualTranscript()
    qtbot.addWidget(transcript)
    transcript.resize(700, 500)
    transcript.show()
    return transcript


def paint(transcript: VirtualTranscript, text: str) -> None:
    """Shows a text as stored and paints it; scrolls through what there is of it, to its end."""
    transcript.drop_after(None)
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.replace_message("m", (BlockView("text", text),))
    QApplication.processEvents()
    transcript.grab()
    bar = transcript.verticalScrollBar()
    for value in (0, bar.maximum() // 2, bar.maximum()):
        bar.setValue(value)
        QApplication.processEvents()
        transcript.grab()


def test_there_are_hundreds_of_payloads():
    assert len(ADDRESSES) * len(EMBEDDING) + len(ODD) >= 200


@pytest.mark.timeout(900)
def test_no_hostile_text_causes_a_request_or_opens_a_file(transcript, server, canary):
    paint(transcript, "$x$ **warm** `up`\n\n```py\nx = 1\n```\n\n![x](y)")  # loads the libraries, which are files
    deadline_s = time.monotonic() + 60
    while any(pane.awaits_objects for pane in _panes(transcript)):
        assert time.monotonic() < deadline_s
        QApplication.processEvents()
    watch = FileWatch(canary) if sys.platform == "linux" else None
    sys.addaudithook(_watch)
    _watching.set()
    try:
        for name, text in payloads(port=server.port, path=str(canary)):
            start_s = time.monotonic()
            paint(transcript, text)
            assert time.monotonic() - start_s < LIMIT_S, name
            assert watch is None or watch.events() == 0, name
            assert server.connections == 0, name
    finally:
        _watching.clear()
        if watch is not None:
            watch.close()
    reached = [event for event in _watched if event.startswith("socket") or "canary" in event]
    assert reached == []


def test_the_watches_see_what_they_watch_for(server, canary):
    if sys.platform == "linux":
        watch = FileWatch(canary)
        assert not QImage(str(canary)).isNull()
        assert watch.events() > 0
        watch.close()
    socket.create_connection(("127.0.0.1", server.port)).close()
    deadline_s = time.monotonic() + 10
    while not server.connections:
        assert time.monotonic() < deadline_s


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ODD)
def test_the_work_for_an_odd_text_grows_no_faster_than_the_text(qapp, monkeypatch, name):
    """Counted, not timed: the characters that markdown-it is given, per character of the text."""
    from agdesk.ui.widgets.markdown import MarkdownSplitter

    given = 0

    def counting(source, references):
        nonlocal given
        given += len(source)
        return parse_blocks(source, references)

    monkeypatch.setattr("agdesk.ui.widgets.markdown.splitter.parse_blocks", counting)
    text = ODD[name]
    splitter = MarkdownSplitter()
    for start in range(0, len(text), 4000):
        splitter.feed(text[start : start + 4000])
    splitter.finish()
    assert given <= 40 * len(text) + 100_000
    assert parse("x", {}), "the parser is still of sound mind"


def _panes(transcript: VirtualTranscript):
    from agdesk.ui.widgets.transcript.pane import TextPane

    return [pane for pane in transcript.findChildren(TextPane) if pane.isVisible()]
