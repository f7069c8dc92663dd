"""Asking a server about each of its models: what it tells, what it does not, and how long that may take."""

from __future__ import annotations

import asyncio

import pytest

from agdesk.core.errors import TransportError
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.model_questions import AT_ONCE, described
from agdesk.core.providers.registry import WIRE_FORMATS, wire_format

OLLAMA = wire_format("ollama")


def models(*ids):
    return [ModelInfo(model_id, model_id) for model_id in ids]


def answers(documents):
    async def ask(question):
        assert question.path == "/show"
        found = documents[question.body["model"]]
        if isinstance(found, Exception):
            raise found
        return found

    return ask


def shown(*abilities, window=None):
    info = {"general.architecture": "llama", "general.name": "Maker's Name"}
    return {"capabilities": list(abilities), "model_info": info | ({"llama.context_length": window} if window else {})}


async def test_an_answer_tells_the_abilities_and_the_window():
    ask = answers({"llava:7b": shown("completion", "vision", window=4096)})
    (info,) = await described(models("llava:7b"), wire=OLLAMA, ask=ask)
    assert (info.id, info.display_name) == ("llava:7b", "llava:7b")
    features = info.features
    assert (features.vision, features.tool_use, features.thinking) == (True, False, False)
    assert (features.max_context_window, info.source["vision"], info.source["tool_use"]) == (4096, "list", "list")


async def test_what_only_embeds_is_left_out():
    ask = answers({"embed": shown("embedding"), "chat": shown("completion", "tools")})
    assert [info.id for info in await described(models("embed", "chat"), wire=OLLAMA, ask=ask)] == ["chat"]


@pytest.mark.parametrize(
    "answer", [TransportError("gone", ""), {}, [], None, 7, "text", {"capabilities": 7}, {"model_info": []}]
)
async def test_a_model_that_is_not_answered_for_stays_as_the_list_has_it(answer):
    listed = ModelInfo("m", "m", ProviderFeatures(vision=True), source={"vision": "list"})
    (info,) = await described([listed], wire=OLLAMA, ask=answers({"m": answer}))
    assert info == listed


async def test_only_so_many_questions_are_under_way_at_once():
    running, most = 0, 0

    async def ask(question):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return shown("completion")

    found = await described(models(*map(str, range(30))), wire=OLLAMA, ask=ask)
    assert (len(found), most) == (30, AT_ONCE)


async def test_a_server_that_never_answers_is_not_waited_for():
    async def ask(question):
        if question.body["model"] == "slow":
            await asyncio.Event().wait()
        return shown("completion", "vision")

    found = await described(models("fast", "slow"), wire=OLLAMA, ask=ask, limit_s=0.2)
    assert {info.id: info.features.vision for info in found} == {"fast": True, "slow": None}


@pytest.mark.parametrize("wire", [name for name in WIRE_FORMATS if name != "ollama"])
async def test_formats_without_a_question_ask_nothing(wire):
    async def ask(question):
        raise AssertionError("nothing is to be asked")

    listed = models("a", "b")
    assert await described(listed, wire=wire_format(wire), ask=ask) == tuple(listed)
