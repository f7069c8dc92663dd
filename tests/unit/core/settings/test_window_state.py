"""The window's file: what is written comes back, and what anybody else wrote into it harms nothing."""

import json
import stat
import subprocess
import sys

import pytest

from agdesk.core.settings.window_state import (
    ASIDE_NAME,
    FILE_NAME,
    MOST_TABS,
    PanelState,
    Rect,
    TabState,
    WindowState,
    read_window_state,
    write_window_state,
)

STATE = WindowState(
    tabs=(
        TabState("a1", "openai/gpt-5", scroll_place="m#3#-12", has_parameters_open=True),
        TabState("b-2", is_detached=True, geometry=Rect(-1280, 40, 800, 600)),
    ),
    current="a1",
    geometry=Rect(10, 20, 1100, 760),
    is_maximized=True,
    left_panel=PanelState(260, False),
    right_panel=PanelState(400, True),
    conversation_list='["today"]',
    inspector="AAAA",
    settings_geometry=Rect(0, 0, 700, 500),
)


@pytest.fixture
def folder(tmp_path, caplog):
    """A data folder; what the reader logs is read by the tests that care."""
    return tmp_path


def read(folder, document):
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    (folder / FILE_NAME).write_bytes(content)
    return read_window_state(folder)


def was_kept_aside(folder):
    return (folder / ASIDE_NAME).exists()


def test_a_missing_file_gives_the_defaults(folder):
    assert read_window_state(folder) == WindowState()
    assert list(folder.iterdir()) == []


def test_what_is_written_comes_back_from_a_private_file(folder):
    write_window_state(folder, STATE)
    assert read_window_state(folder) == STATE
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]


def test_the_defaults_come_back_too(folder):
    write_window_state(folder, WindowState())
    assert read_window_state(folder) == WindowState()


def test_what_a_newer_agdesk_wrote_is_kept(folder):
    state = read(folder, {"tabs": [{"session_id": "a", "color": 0}], "workspaces": [{"name": "x"}], "ratio": 0})
    assert state.tabs == (TabState("a", unknown={"color": 0}),)
    assert not was_kept_aside(folder)
    write_window_state(folder, state)
    document = json.loads((folder / FILE_NAME).read_bytes())
    assert (document["workspaces"], document["ratio"], document["tabs"][0]["color"]) == ([{"name": "x"}], 0, 0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"null",
        b"\xff\xfe\x00",
        b"\x00" * 100,
        b"[" * 100_000,
        b'{"geometry": [' + b"9" * 5000 + b", 0, 1, 1]}",
        b" " * 5_000_000 + b"{}",
    ],
    ids=lambda content: repr(content[:12]),
)
def test_a_broken_file_gives_the_defaults_and_is_kept_aside(folder, content):
    assert read(folder, content) == WindowState()
    assert (folder / ASIDE_NAME).read_bytes() == content
    assert not (folder / FILE_NAME).exists()


@pytest.mark.parametrize(
    "document",
    [
        {"tabs": {"a": 1}},
        {"tabs": [7, None, [], {}, {"session_id": ""}, {"session_id": "../../etc"}, {"session_id": "x" * 101}]},
        {"tabs": [{"session_id": 7}]},
        {"current": ["a"]},
        {"current": "x" * 5000},
        {"geometry": [0, 0, 0, 10]},
        {"geometry": [0, 0, 10]},
        {"geometry": "0,0,10,10"},
        {"geometry": [0, 0, True, 10]},
        {"geometry": [0, 0, 1.5, 10]},
        {"geometry": [10**9, 0, 10, 10]},
        {"is_maximized": 1},
        {"left_panel": 260},
        {"left_panel": {"width": -1, "is_folded": False}},
        {"right_panel": {"width": 260}},
        {"inspector": {}},
    ],
    ids=json.dumps,
)
def test_a_value_of_the_wrong_kind_is_the_default_and_the_file_is_kept_aside(folder, document):
    assert read(folder, document) == WindowState()
    assert was_kept_aside(folder)


def test_one_wrong_value_takes_nothing_else_with_it(folder):
    state = read(folder, {"tabs": [{"session_id": "a", "geometry": 1}, 7, {"session_id": "b"}], "current": "b"})
    assert [tab.session_id for tab in state.tabs] == ["a", "b"]
    assert state.current == "b"
    assert was_kept_aside(folder)


def test_a_conversation_is_in_one_tab(folder):
    state = read(folder, {"tabs": [{"session_id": "a", "model_ref": "x/1"}, {"session_id": "a"}]})
    assert state.tabs == (TabState("a", "x/1"),)


def test_there_are_at_most_five_hundred_tabs(folder):
    many = [{"session_id": f"s{number}"} for number in range(MOST_TABS + 100)]
    assert len(read(folder, {"tabs": many}).tabs) == MOST_TABS
    write_window_state(folder, WindowState(tabs=tuple(TabState(f"s{number}") for number in range(MOST_TABS + 100))))
    assert len(read_window_state(folder).tabs) == MOST_TABS


def test_a_text_that_is_no_text_survives(folder):
    state = WindowState(current="\ud800", conversation_list="\u2028\0")
    write_window_state(folder, state)
    assert read_window_state(folder) == state


def test_a_folder_or_a_pipe_in_its_place_is_not_read(folder):
    (folder / FILE_NAME).mkdir()
    assert read_window_state(folder) == WindowState()


def test_a_folder_that_cannot_be_written_is_an_error_of_the_disk(folder):
    with pytest.raises(OSError, match="missing"):
        write_window_state(folder / "missing", STATE)


def test_only_the_standard_library_is_needed_to_read_it():
    code = (
        "import sys, agdesk.core.settings.window_state\n"
        "print({'pydantic', 'httpx', 'keyring', 'tomli_w', 'PySide6'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
