"""Every known model of every provider: which there are, what is known of them, and what changes it."""

from __future__ import annotations

import contextlib
import json

import pytest

from agdesk.core.errors import ConfigurationError, LlmError
from agdesk.core.providers import http
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.model_lists import Listing
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.settings.file import changed
from tests.fakes.keyrings import MemoryKeyring, secret_store
from tests.fakes.script import END, JSON, FakeServer, head, send

URL = "https://api.openai.com/v1"


@pytest.fixture
def registry(tmp_path):
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(MemoryKeyring({}), environment={})
    return registry


@pytest.fixture
def server():
    with FakeServer() as server:
        yield server


def set_to(registry, key, value):
    file = registry.settings_file
    file.save(changed(file.current(), key, value))


def rows(registry, provider_id=""):
    return {row.ref: row for row in registry.table.load() if not provider_id or row.provider_id == provider_id}


def listed(model_id, **features):
    return ModelInfo(model_id, model_id, ProviderFeatures(**features), source=dict.fromkeys(features, "list"))


def test_without_a_list_there_are_the_models_of_the_row_and_of_the_catalogue(registry):
    found = rows(registry)
    assert "builtin/smollm2-135m" in found
    assert found["openai/gpt-4o-mini"].provider_name == "OpenAI"
    assert not any(row.provider_id == "ollama" for row in found.values()), "nobody lists what is on this machine"


def test_the_providers_own_list_says_which_models_there_are(registry):
    registry.table.lists.put("openai", [listed("gpt-4o-mini"), listed("gpt-99", vision=True)], base_url=URL)
    found = rows(registry, "openai")
    assert set(found) == {"openai/gpt-4o-mini", "openai/gpt-99"}
    assert found["openai/gpt-99"].model.source["vision"] == "list"
    assert found["openai/gpt-4o-mini"].model.source["vision"] == "catalogue"


def test_a_list_of_another_server_says_nothing(registry):
    registry.table.lists.put("openai", [listed("gpt-99")], base_url="http://127.0.0.1:1/v1")
    assert "openai/gpt-99" not in rows(registry)


def test_a_model_that_the_user_has_set_something_for_is_there(registry):
    set_to(registry, "models.openai/gpt-4.2:my.own/x.vision", True)
    row = rows(registry)["openai/gpt-4.2:my.own/x"]
    assert (row.model.features.vision, row.model.source["vision"]) == (True, "user")


def test_a_correction_changes_one_provider_and_taking_it_back_undoes_it(registry):
    before = rows(registry)
    set_to(registry, "models.openai/gpt-4o.tool_use", False)
    after = rows(registry)
    assert after["openai/gpt-4o"].model.features.tool_use is False
    assert after["anthropic/claude-opus-4-8"] is before["anthropic/claude-opus-4-8"], "others are not made again"
    set_to(registry, "models.openai/gpt-4o.tool_use", None)
    assert rows(registry) == before


def test_a_row_can_be_used_with_an_address_and_a_key_if_it_needs_one(registry):
    def usable():
        return {row.provider_id for row in registry.table.load() if row.is_usable}

    registry.table.lists.put("ollama", [listed("llama3.2")], base_url="http://127.0.0.1:11434/api")
    assert usable() == {"builtin", "ollama"}
    registry.keys.hold("anthropic", "key-0123456789")
    set_to(registry, "providers.openai.key", "keyring")
    set_to(registry, "providers.deepseek.key", "env:NOT_SET")
    assert usable() == {"builtin", "ollama", "anthropic", "openai"}
    set_to(registry, "providers.openai.base_url", "not an address")
    assert "openai" not in usable()


def test_an_account_has_its_own_list_and_the_catalogue_of_its_provider(registry):
    set_to(registry, "providers.openai-work.preset", "openai")
    assert rows(registry)["openai-work/gpt-4o"].model.features.vision is True
    registry.table.lists.put("openai-work", [listed("gpt-99")], base_url=URL)
    assert set(rows(registry, "openai-work")) == {"openai-work/gpt-99"}
    assert "openai/gpt-4o" in rows(registry)


def test_rows_and_the_question_for_one_model_say_the_same(registry):
    for row in registry.table.load():
        if row.provider_id in ("builtin", "openai", "zai"):
            assert registry.table.info(row.provider_id, row.model.id) == row.model


def test_a_model_in_no_list_is_known_as_far_as_the_catalogue_goes(registry):
    assert registry.table.info("openai", "gpt-5-2025-08-07").features.thinking is True
    assert registry.table.info("openai", "gpt-99").features.thinking is None
    with pytest.raises(ConfigurationError, match="no provider"):
        registry.table.info("nowhere", "m")


def test_rows_are_there_without_waiting_once_they_were_loaded(registry):
    assert registry.table.rows == ()
    loaded = registry.table.load()
    assert registry.table.rows is loaded


# --- asking ---


def answer(server, body, status=200):
    server.script(head(status, JSON), send(body), END)


async def test_a_list_that_was_asked_for_is_kept(registry, server, tmp_path):
    set_to(registry, "providers.custom.base_url", server.base_url)
    answer(server, '{"data": [{"id": "mine", "max_model_len": 8192}, {"id": "a\\u001b[31mb"}, {"id": ""}]}')
    assert await registry.table.refresh("custom") == Listing(1, left_out=1)
    assert rows(registry, "custom")["custom/mine"].model.features.max_context_window == 8192
    await registry.aclose()
    again = ProviderRegistry(data_folder=tmp_path)
    assert "custom/mine" in {row.ref for row in again.table.load()}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, "{}"),
        (401, '{"error": {"message": "wrong key"}}'),
        (200, "<html>"),
        (200, "[" * 100_000),
        (200, ""),
        (200, '{"data": [{"id": ' + "9" * 5000 + "}]}"),
    ],
)
async def test_a_failed_question_tells_why_and_leaves_the_old_list(registry, server, status, body):
    set_to(registry, "providers.custom.base_url", server.base_url)
    answer(server, '{"data": [{"id": "mine"}]}')
    await registry.table.refresh("custom")
    answer(server, body, status)
    with pytest.raises(LlmError):
        await registry.table.refresh("custom")
    assert set(rows(registry, "custom")) == {"custom/mine"}
    await registry.aclose()


async def test_a_byte_that_is_no_text_spoils_one_name_and_not_the_list(registry, server):
    set_to(registry, "providers.custom.base_url", server.base_url)
    answer(server, b'{"data": [{"id": "bad\xff"}, {"id": "mine"}, {"id": "\xe4\xbd\xa0"}, {"id": "mine"}]}')
    assert await registry.table.refresh("custom") == Listing(2, left_out=1), "what is there twice is not left out"
    assert set(rows(registry, "custom")) == {"custom/mine", "custom/\u4f60"}
    await registry.aclose()


async def test_a_list_without_an_end_is_not_read_to_its_end(registry, server, monkeypatch):
    monkeypatch.setattr(http, "LIST_MAX_BYTES", 1000)
    set_to(registry, "providers.custom.base_url", server.base_url)
    answer(server, json.dumps({"data": [{"id": f"model-{number}"} for number in range(1000)]}))
    with pytest.raises(LlmError, match="is not JSON"):
        await registry.table.refresh("custom")
    await registry.aclose()


async def test_without_a_network_the_old_list_stays(registry):
    with FakeServer() as server:
        set_to(registry, "providers.custom.base_url", server.base_url)
        answer(server, '{"data": [{"id": "mine"}]}')
        await registry.table.refresh("custom")
    with pytest.raises(LlmError):
        await registry.table.refresh("custom")
    assert "custom/mine" in rows(registry)
    await registry.aclose()


async def test_the_built_in_model_is_not_asked(registry, blocked_connections):
    assert await registry.table.refresh("builtin") == Listing(1)
    assert blocked_connections == []


async def test_ollama_is_asked_about_each_of_its_models(registry, server):
    base_url = server.base_url.removesuffix("/v1") + "/api"
    set_to(registry, "providers.ollama.base_url", base_url)
    answer(server, '{"models": [{"name": "qwen3:8b", "model": "qwen3:8b"}]}')
    answer(server, '{"capabilities": ["completion", "tools", "thinking"], "model_info": {}}')
    assert await registry.table.refresh("ollama") == Listing(1)
    model = rows(registry, "ollama")["ollama/qwen3:8b"].model
    assert (model.features.tool_use, model.features.vision, model.source["thinking"]) == (True, False, "list")
    asked = [(request.method, request.target) for request in server.requests]
    assert asked == [("GET", "/api/tags"), ("POST", "/api/show")]
    await registry.aclose()


def test_three_thousand_models_are_no_reason_to_wait(registry):
    """The rows of a provider are made once; asking again makes none."""
    many = [listed(f"org/model-{number}", vision=True) for number in range(3000)]
    registry.table.lists.put("openrouter", many, base_url="https://openrouter.ai/api/v1")
    first = rows(registry, "openrouter")
    assert len(first) == 3000
    again = rows(registry, "openrouter")
    assert all(again[ref] is row for ref, row in first.items())
    with contextlib.suppress(ConfigurationError):
        assert registry.table.info("openrouter", "org/model-7") is first["openrouter/org/model-7"].model
