"""Providers by id: rows, what settings and the command line change in them, and with which key a request goes out."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
from pathlib import Path

import pytest

from agdesk.core.errors import ConfigurationError, ErrorCategory, ProviderRejection
from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, Prices
from agdesk.core.providers.llama_child import starter_gguf
from agdesk.core.providers.registry import WIRE_FORMATS, ProviderRegistry, split_model_ref, wire_format
from agdesk.core.settings.file import changed
from tests.fakes.keyrings import LockedKeyring, MemoryKeyring, key_store_threads, secret_store


@pytest.fixture
def registry(tmp_path):
    return ProviderRegistry(data_folder=tmp_path)


def set_to(registry, **values):
    file = registry.settings_file
    settings = file.current()
    for key, value in values.items():
        settings = changed(settings, key.replace("__", "."), value)
    file.save(settings)


@contextlib.asynccontextmanager
async def refusing_server():
    """A server on this machine that answers 401; gives its address and the heads of the requests it got."""
    heads: list[str] = []

    async def answer(reader, writer):
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        body = json.dumps({"error": {"message": "wrong key", "code": "invalid_api_key"}}).encode()
        writer.write(b"HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Type: application/json\r\n")
        writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1", heads


async def ask(registry, provider_id):
    provider = await asyncio.to_thread(registry.get, provider_id)
    return await provider.chat(MessageRequest("m", (user("Hello"),)))


# --- names ---


@pytest.mark.parametrize(
    ("model_ref", "parts"),
    [
        ("openai/gpt-5", ("openai", "gpt-5")),
        ("openrouter/meta-llama/llama-4:free", ("openrouter", "meta-llama/llama-4:free")),
    ],
)
def test_the_model_is_what_follows_the_first_slash(model_ref, parts):
    assert split_model_ref(model_ref) == parts


@pytest.mark.parametrize("model_ref", ["gpt-5", "openai/", "/gpt-5", ""])
def test_a_reference_without_provider_or_model_is_refused(model_ref):
    with pytest.raises(ConfigurationError, match="names no model"):
        split_model_ref(model_ref)


def test_seed5_there_is_a_default(registry, tmp_path):
    assert registry.default_model_ref == "builtin/smollm2-135m"
    assert ProviderRegistry(data_folder=tmp_path, default_model_ref="openai/x").default_model_ref == "openai/x"


def test_an_unknown_provider_is_refused_with_the_known_ones(registry):
    for call in (registry.get, registry.endpoint):
        with pytest.raises(ConfigurationError, match="no provider 'opnai'") as caught:
            call("opnai")
        assert all(provider_id in caught.value.hint for provider_id in ("builtin", "custom", "openai"))


@pytest.mark.parametrize("name", WIRE_FORMATS)
def test_every_wire_format_is_found_by_its_name(name):
    assert wire_format(name).name == name


def test_an_unknown_wire_format_is_refused_with_the_known_ones():
    with pytest.raises(ConfigurationError, match="morse") as caught:
        wire_format("morse")
    assert "openai_chat" in caught.value.hint


def test_every_shipped_row_names_a_known_wire_format(registry):
    assert {registry.endpoint(provider_id).wire for provider_id in registry.provider_ids()} <= set(WIRE_FORMATS)


# --- making providers ---


def test_a_provider_is_made_once(registry):
    assert registry.get("openai") is registry.get("openai")
    assert registry.get("openai") is not registry.get("builtin")


def test_a_provider_is_made_again_when_its_settings_change(registry):
    before = registry.get("builtin")
    assert before.capabilities("smollm2-135m").features.max_context_window == 4096
    set_to(registry, builtin_model__n_ctx=8192)
    after = registry.get("builtin")
    assert after is not before
    assert after.capabilities("smollm2-135m").features.max_context_window == 8192


def test_what_the_catalogue_knows_is_in_a_providers_capabilities(registry):
    capabilities = registry.get("openai").capabilities("gpt-4o-mini")
    assert capabilities.features.max_context_window == 128_000
    assert capabilities.features.vision is True
    assert capabilities.features.audio_input is None


def test_the_registry_knows_what_the_default_model_can_do(registry):
    assert registry.capabilities() == registry.get("builtin").capabilities("smollm2-135m")
    assert registry.capabilities("openai/gpt-4o-mini").features.vision is True
    with pytest.raises(ConfigurationError, match="no provider 'nowhere'"):
        registry.capabilities("nowhere/m")


def test_a_models_correction_is_in_force_at_once(registry):
    provider = registry.get("openai")
    set_to(registry, **{"models__openai/gpt-4o-mini__vision": False})
    assert registry.get("openai") is provider
    assert provider.capabilities("gpt-4o-mini").features.vision is False


def test_the_starter_models_limits_are_known_and_tools_are_offered_as_a_schema(registry):
    features = registry.table.info("builtin", "smollm2-135m").features
    assert (features.tool_use, features.vision, features.thinking) == (False, False, False)
    assert registry.get("builtin").capabilities("smollm2-135m").features == dataclasses.replace(features, tool_use=True)


# --- settings and addresses ---


def test_a_broken_settings_file_does_not_keep_the_builtin_model_from_working(registry, tmp_path):
    (tmp_path / "settings.toml").write_text("nonsense")
    assert registry.llama_options().gguf == starter_gguf()
    assert registry.llama_options().n_ctx == 4096
    assert registry.settings_file.problem is not None


def test_another_model_file_goes_by_its_own_name_and_little_is_known_of_it(registry, tmp_path):
    set_to(registry, builtin_model__path=str(tmp_path / "Qwen3-0.6B.gguf"), builtin_model__n_ctx=2048)
    assert registry.llama_options().gguf == tmp_path / "Qwen3-0.6B.gguf"
    (model,) = registry.endpoint("builtin").models
    assert model.id == "Qwen3-0.6B"
    assert (model.features.tool_use, model.features.max_context_window) == (None, 2048)
    assert model.source["max_context_window"] == "settings"


def test_a_model_file_may_be_given_relative_to_the_home_folder(registry):
    set_to(registry, builtin_model__path="~/models/x.gguf")
    assert registry.llama_options().gguf == Path.home() / "models" / "x.gguf"


def test_custom_without_an_address_is_refused_with_the_next_step(registry):
    with pytest.raises(ConfigurationError, match="no base URL") as caught:
        registry.get("custom")
    assert "Settings › Providers" in caught.value.hint and "--base-url" in caught.value.hint


def test_customs_address_comes_from_the_settings_and_the_command_line_comes_before(registry, tmp_path):
    set_to(registry, providers__custom__base_url="localhost:1234")
    assert registry.endpoint("custom").base_url == "http://127.0.0.1:1234/v1"
    other = ProviderRegistry(data_folder=tmp_path, base_urls={"custom": "http://127.0.0.1:9/v1", "openai": "10.0.0.1"})
    assert other.endpoint("custom").base_url == "http://127.0.0.1:9/v1"
    assert other.endpoint("openai").base_url == "http://10.0.0.1/v1"
    assert other.endpoint("openai").dialect.max_tokens_field == "max_completion_tokens"


def test_every_provider_can_be_pointed_elsewhere_in_the_settings(registry):
    shipped = registry.endpoint("openai")
    before = registry.get("openai")
    set_to(registry, providers__openai__base_url="gateway.example.org/openai/v1/chat/completions")
    moved = registry.endpoint("openai")
    assert moved.base_url == "https://gateway.example.org/openai/v1"
    assert (moved.key_env, moved.dialect, moved.is_local) == (shipped.key_env, shipped.dialect, False)
    assert registry.get("openai") is not before
    set_to(registry, providers__openai__base_url=None)
    assert registry.endpoint("openai") == shipped


def test_an_extra_authority_is_its_providers_alone_and_may_be_relative_to_the_home_folder(registry):
    set_to(registry, providers__openai__ca_file="~/own.pem", providers__builtin__ca_file="/other.pem")
    assert registry.endpoint("openai").ca_file == str(Path.home() / "own.pem")
    assert {registry.endpoint(provider_id).ca_file for provider_id in ("custom", "builtin")} == {""}


def test_an_address_that_is_none_keeps_its_provider_from_being_used_and_nothing_else(registry):
    count = len(registry.table.load())
    set_to(registry, providers__openai__base_url="not an address")
    with pytest.raises(ConfigurationError, match="not the address of a server"):
        registry.get("openai")
    assert len(registry.table.load()) == count
    assert registry.get("builtin") is not None


@pytest.mark.parametrize("place", ["command line", "settings"])
def test_the_builtin_model_has_no_other_address(tmp_path, place):
    base_urls = {"builtin": "http://127.0.0.1:9"} if place == "command line" else {}
    registry = ProviderRegistry(data_folder=tmp_path, base_urls=base_urls)
    if place == "settings":
        set_to(registry, providers__builtin__base_url="http://127.0.0.1:9")
    with pytest.raises(ConfigurationError, match="no base URL") as caught:
        registry.get("builtin")
    assert "custom" in caught.value.hint


# --- keys ---


async def test_the_key_of_the_environment_goes_to_the_providers_address(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-12345678")
    async with refusing_server() as (address, heads):
        registry = ProviderRegistry(data_folder=tmp_path, base_urls={"openai": address})
        with pytest.raises(ProviderRejection) as caught:
            await ask(registry, "openai")
        assert caught.value.category is ErrorCategory.AUTH
        await registry.aclose()
    (head,) = heads
    assert head.startswith("POST /v1/chat/completions ")
    assert "Bearer sk-canary-12345678" in head
    assert "sk-canary-12345678" not in registry.secrets.redact_text("the key is sk-canary-12345678")


async def test_custom_works_without_a_key_and_sends_one_if_there_is_one(tmp_path, monkeypatch):
    async with refusing_server() as (address, heads):
        registry = ProviderRegistry(data_folder=tmp_path, base_urls={"custom": address})
        with pytest.raises(ProviderRejection):
            await ask(registry, "custom")
        monkeypatch.setenv("AGDESK_CUSTOM_KEY", "my-own-key-1")
        with pytest.raises(ProviderRejection):
            await ask(registry, "custom")
        await registry.aclose()
    assert "authorization" not in heads[0].lower()
    assert "Bearer my-own-key-1" in heads[1]


async def test_without_a_key_nothing_is_sent_and_the_variable_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with refusing_server() as (address, heads):
        registry = ProviderRegistry(data_folder=tmp_path, base_urls={"openai": address})
        with pytest.raises(ConfigurationError, match="no key for OpenAI") as caught:
            await ask(registry, "openai")
        assert "OPENAI_API_KEY" in caught.value.hint
        await registry.aclose()
    assert heads == []


# --- the capability matrix ---


def test_the_matrix_has_the_builtin_model_with_its_price_and_the_catalogues_models(registry):
    rows = {(row.provider_id, row.model.id): row.model for row in registry.table.load()}
    builtin = rows["builtin", "smollm2-135m"]
    assert builtin.prices == Prices(0.0, 0.0)
    assert builtin.source["input_per_million"] == "preset"
    assert rows["openai", "gpt-4o-mini"].source["max_context_window"] == "catalogue"
    assert len(rows) == len(registry.table.load())


def test_an_endpoint_is_a_value(registry):
    assert isinstance(registry.endpoint("openai"), Endpoint)
    assert registry.endpoint("openai") == registry.endpoint("openai")


# --- keys ---


async def test_the_keys_that_are_set_are_known_before_one_is_used(registry):
    seen = []
    backend = MemoryKeyring({("agdesk/custom/default", "default"): "kept-key-0123456789"})
    registry.keys = secret_store(backend, environment={"OPENAI_API_KEY": "env-key-0123456789"}, seen=seen)
    set_to(registry, providers__custom__key="keyring")
    await registry.learn_keys()
    assert set(seen) == {"env-key-0123456789", "kept-key-0123456789"}, "several rows may name one variable"


async def test_a_locked_key_store_is_asked_once_for_all_keys(registry):
    backend = LockedKeyring()
    registry.keys = secret_store(backend, timeout_s=0.2)
    asked = []
    find = registry.keys.find

    async def count(provider_id, **places):
        asked.append(places["reference"])
        return await find(provider_id, **places)

    registry.keys.find = count
    set_to(registry, providers__custom__key="keyring", providers__openai__key="keyring")
    await registry.learn_keys()
    assert asked.count("keyring") == 1
    backend.unlock.set()  # the thread that hangs in the unlock dialog ends with it
    while key_store_threads():
        await asyncio.sleep(0.005)
