"""Real HTTP servers, each a process of its own, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.script import FakeServer


@pytest.fixture(scope="session")
def _server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture(scope="session")
def _other_server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture
def fake_server(_server: FakeServer) -> FakeServer:
    """A scripted server that has seen nothing yet."""
    _server.forget()
    return _server


@pytest.fixture
def other_server(_other_server: FakeServer) -> FakeServer:
    """A second one, on another port."""
    _other_server.forget()
    return _other_server
