"""Servers of models on this machine: who answers is found, who does not is not, and nobody is shown a key."""

import asyncio
import contextlib
import json

import pytest

from agdesk.core.providers.local_servers import find_local_servers
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.settings.file import changed
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from tests.fakes.keyrings import secret_store

PATIENT_S = 20.0
LOCAL = ("litellm", "llama-cpp", "lm-studio", "ollama", "vllm")


@contextlib.asynccontextmanager
async def server(status, body, heads):
    """Answers every request alike; None as ``body`` never answers."""

    async def answer(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            if body is None:
                await reader.read()
            else:
                text = body.encode()
                writer.write(b"HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % (status, len(text)))
                writer.write(text)
                await writer.drain()
        writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"


def registry_at(tmp_path, **addresses):
    """A registry whose local rows have these addresses, and otherwise one where nobody listens."""
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(environment={"LITELLM_API_KEY": "sk-canary-012345", "OLLAMA_API_KEY": "canary-0123"})
    settings = registry.settings_file.current()
    for provider_id in LOCAL:
        address = addresses.pop(provider_id.replace("-", "_"), "http://127.0.0.1:1/v1")
        settings = changed(settings, f"providers.{provider_id}.base_url", address)
    for account_id, address in addresses.items():
        settings = changed(settings, f"providers.{account_id}", {"preset": "custom", "base_url": address})
    registry.settings_file.save(settings)
    return registry


async def test_servers_are_found_with_their_models_and_never_given_a_key(tmp_path):
    heads = []
    chat = json.dumps({"data": [{"id": "a"}, {"id": "b"}]})
    ollama = json.dumps({"models": [{"name": "llama3.2:3b", "model": "llama3.2:3b"}]})
    async with (
        server(200, chat, heads) as lm_studio,
        server(200, ollama, heads) as ollama_at,
        server(401, '{"error": {"message": "no key"}}', heads) as litellm,
        server(200, '{"data": []}', heads) as mine,
    ):
        registry = registry_at(
            tmp_path, lm_studio=lm_studio, ollama=f"{ollama_at}/api", litellm=f"{litellm}/v1", mine=f"{mine}/v1"
        )
        found = await find_local_servers(registry, limit_s=PATIENT_S)
        await registry.aclose()
    assert [(one.provider_id, one.base_url, one.models and [model.id for model in one.models]) for one in found] == [
        ("litellm", f"{litellm}/v1", None),
        ("lm-studio", f"{lm_studio}/v1", ["a", "b"]),
        ("ollama", f"{ollama_at}/api", ["llama3.2:3b"]),
        ("mine", f"{mine}/v1", ()),
    ]
    assert len(heads) == 4
    assert not any("canary" in head or "authorization" in head.lower() for head in heads)


async def test_the_models_of_a_server_that_was_found_can_be_chosen_at_once(tmp_path):
    async with server(200, '{"data": [{"id": "a"}]}', []) as mine:
        workspace = Workspace(registry_at(tmp_path, mine=f"{mine}/v1"), data_dir=tmp_path)
        await asyncio.to_thread(workspace.load_models)
        assert "mine/a" not in workspace.model_refs()
        await workspace.find_local_servers()
        assert "mine/a" in workspace.model_refs()
        await workspace.aclose()


async def test_what_nobody_could_read_or_type_is_not_offered_and_is_told(tmp_path):
    body = json.dumps({"data": [{"id": "a\ufffd"}, {"id": "b\x00"}, {"id": "c"}, {"id": "d" * 5000}, {"id": "c"}]})
    async with server(200, body, []) as address:
        registry = registry_at(tmp_path, vllm=f"{address}/v1")
        (found,) = await find_local_servers(registry, limit_s=PATIENT_S)
        await registry.aclose()
    assert found.models is not None and [model.id for model in found.models] == ["c"]
    assert found.left_out == 3


@pytest.mark.parametrize(
    ("status", "body"), [(404, "nothing here"), (200, "<html>a printer</html>"), (500, "{}"), (302, "")]
)
async def test_other_programs_are_not_taken_for_servers_of_models(tmp_path, status, body):
    heads = []
    async with server(status, body, heads) as address:
        registry = registry_at(tmp_path, llama_cpp=f"{address}/v1")
        assert await find_local_servers(registry, limit_s=PATIENT_S) == ()
        await registry.aclose()
    assert len(heads) == 1


async def test_one_that_does_not_answer_in_time_is_not_found_and_keeps_no_other_from_being(tmp_path):
    heads = []
    async with server(200, None, heads) as silent, server(200, '{"data": [{"id": "a"}]}', heads) as quick:
        registry = registry_at(tmp_path, vllm=f"{silent}/v1", lm_studio=f"{quick}/v1")
        found = await find_local_servers(registry, limit_s=2.0)
        await registry.aclose()
    assert [row.provider_id for row in found] == ["lm-studio"]


async def test_cancelling_ends_the_questions(tmp_path):
    heads = []
    async with server(200, None, heads) as silent:
        registry = registry_at(tmp_path, vllm=f"{silent}/v1")
        search = spawn(find_local_servers(registry, limit_s=PATIENT_S), name="search")
        while not heads:
            await asyncio.sleep(0.005)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        await registry.aclose()


async def test_only_servers_of_this_machine_and_of_private_networks_are_asked(tmp_path, monkeypatch):
    registry = registry_at(tmp_path, mine="http://127.0.0.1:1/v1", theirs="https://models.example.org/v1")
    asked = []

    def record(endpoint):
        asked.append(endpoint.id)
        return ProviderRegistry.without_key(registry, endpoint)

    monkeypatch.setattr(registry, "without_key", record)
    assert await find_local_servers(registry, limit_s=PATIENT_S) == ()
    assert asked == [*LOCAL, "mine"]
    await registry.aclose()
