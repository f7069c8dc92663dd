"""The kept lists of models: they outlive the program, never break it, and nothing in them is trusted."""

from __future__ import annotations

import logging
import time

import pytest

from agdesk.core.errors import SettingsError
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.model_lists import MAX_MODELS, MAX_NAME_CHARACTERS, ModelLists, believable

URL = "https://server.example/v1"
MODEL = ModelInfo(
    "org/model-1",
    "Model 1",
    ProviderFeatures(vision=True, tool_use=False, max_context_window=8192),
    512,
    Prices(0.5, 1.5),
    {"vision": "list"},
    ("temperature",),
    efforts=("low", "high"),
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "models"


def test_a_list_is_there_at_the_next_start(folder):
    before_ms = time.time() * 1000 - 1
    ModelLists(folder).put("openrouter", [MODEL], base_url=URL)
    kept = ModelLists(folder).get("openrouter", base_url=URL)
    assert kept is not None
    assert kept.models == (MODEL,)
    assert before_ms <= kept.fetched_ms <= time.time() * 1000 + 1


def test_a_provider_that_was_never_asked_has_no_list(folder):
    assert ModelLists(folder).get("openai", base_url=URL) is None
    assert not folder.exists()


def test_the_list_of_one_server_says_nothing_of_another(folder):
    lists = ModelLists(folder)
    lists.put("custom", [MODEL], base_url=URL)
    assert lists.get("custom", base_url="http://127.0.0.1:8080/v1") is None
    assert lists.get("custom", base_url=URL) is not None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00garbage",
        b"[]",
        b"null",
        b'{"base_url": "https://server.example/v1"}',
        b'{"base_url": "https://server.example/v1", "fetched_ms": 1, "models": [{"id": 7}]}',
        b'{"base_url": "https://server.example/v1", "fetched_ms": 1, "models": [{"id": "a", "display_name"',
        b"[" * 100_000,
    ],
)
def test_a_broken_file_is_as_good_as_none_and_is_written_anew(folder, caplog, content):
    folder.mkdir()
    (folder / "openai.json").write_bytes(content)
    lists = ModelLists(folder)
    with caplog.at_level(logging.WARNING):
        assert lists.get("openai", base_url=URL) is None
    assert "openai.json is not read" in caplog.text
    assert "garbage" not in caplog.text
    caplog.clear()
    lists.put("openai", [MODEL], base_url=URL)
    assert ModelLists(folder).get("openai", base_url=URL) is not None


def test_a_file_changed_by_hand_is_trusted_no_more_than_a_server(folder):
    folder.mkdir()
    ModelLists(folder).put("openai", [MODEL], base_url=URL)
    path = folder / "openai.json"
    path.write_text(path.read_text().replace("org/model-1", "org/\\u001b[31mmodel"))
    kept = ModelLists(folder).get("openai", base_url=URL)
    assert kept is not None and kept.models == ()


def test_a_list_that_cannot_be_written_is_in_force_all_the_same(folder):
    folder.write_text("a file, not a folder")
    lists = ModelLists(folder)
    with pytest.raises(SettingsError, match="cannot be kept"):
        lists.put("openai", [MODEL], base_url=URL)
    kept = lists.get("openai", base_url=URL)
    assert kept is not None and kept.models == (MODEL,)


def test_an_id_of_a_provider_cannot_leave_the_folder(folder, tmp_path):
    ModelLists(folder).put("../evil", [MODEL], base_url=URL)
    assert [path.parent for path in tmp_path.rglob("*.json")] == [folder]


def test_a_forgotten_list_is_gone_with_its_file(folder):
    lists = ModelLists(folder)
    lists.put("openai", [MODEL], base_url=URL)
    lists.forget("openai")
    lists.forget("openai")
    assert lists.get("openai", base_url=URL) is None
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "model_id", ["", " ", "a\x1b[31m", "a\nb", "a\u202eb", " a", "a ", "x" * (MAX_NAME_CHARACTERS + 1), "y" * 1_000_000]
)
def test_a_name_that_nobody_could_read_or_type_is_left_out(model_id):
    assert believable([ModelInfo(model_id, "Name"), MODEL]) == (MODEL,)


def test_a_model_that_is_listed_twice_is_there_once():
    assert believable([MODEL, ModelInfo(MODEL.id, "Other")]) == (MODEL,)


def test_a_display_name_that_cannot_be_shown_is_replaced_by_the_id():
    (model,) = believable([ModelInfo("m", "M\x07" * 1000)])
    assert model.display_name == "m"


def test_a_list_may_be_long_but_not_endless():
    many = (ModelInfo(f"m{number}", f"m{number}") for number in range(MAX_MODELS + 5))
    assert len(believable(many)) == MAX_MODELS
