"""``HttpProvider``: what it sends, what it refuses to send, whole answers, and lists of models."""

import json

import httpx
import pytest
from typing_extensions import override

from agdesk.core.errors import ConfigurationError, ProtocolError, ProviderRejection, TransportError
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from tests.fakes.memory import DONE, END, REQUEST, Asked, KeyWire, answer_of, endpoint, text


async def test_what_is_sent_is_the_rendered_body_with_the_headers_of_all():
    row = endpoint(headers={"User-Agent": "mine", "x-extra": "1"})
    asked = Asked(answer_of(text("a"), DONE), row=row, key="sk-0123456789", wire=KeyWire())
    await asked.stream()
    (request,) = asked.requests
    assert (request.method, str(request.url)) == ("POST", "https://fake.example/v1/fake")
    assert request.content == b'{"model":"model-1","stream":true}'
    assert request.headers["authorization"] == "Bearer sk-0123456789"
    assert request.headers["accept-encoding"] == "identity"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-extra"] == "1"
    assert request.headers.get_list("user-agent") == ["mine"]
    assert request.extensions["timeout"] == {"connect": 10.0, "read": None, "write": None, "pool": None}


async def test_half_a_surrogate_pair_in_the_history_is_sent_as_a_replacement_character():
    """T27."""
    asked = Asked(answer_of(text("a"), DONE))
    async for _ in asked.provider.chat_stream(MessageRequest("\ud83d model \ud83d\ude00", ())):
        pass
    assert json.loads(asked.requests[0].content)["model"] == "\ufffd model \U0001f600"


async def test_a_provider_without_a_key_names_the_variable_to_set():
    asked = Asked(answer_of(DONE), row=endpoint(needs_key=True, key_env="FAKE_API_KEY"), key=" \n")
    with pytest.raises(ConfigurationError) as caught:
        await asked.stream()
    assert "Fake" in caught.value.message and "FAKE_API_KEY" in caught.value.hint
    assert asked.requests == [] and asked.payloads == []


@pytest.mark.parametrize("key", ["sk-01234\n56789", "sk-“quoted”-0123", "sk-\x00-0123456"])
async def test_a_key_that_cannot_be_sent_is_refused_without_being_quoted(key):
    asked = Asked(answer_of(DONE), key=key, wire=KeyWire())
    with pytest.raises(ConfigurationError) as caught:
        await asked.stream()
    assert "sk-" not in str(caught.value.to_record())


async def test_white_space_around_a_key_is_not_sent():
    asked = Asked(answer_of(text("a"), DONE), key=" sk-0123456789\n", wire=KeyWire())
    await asked.stream()
    assert asked.requests[0].headers["authorization"] == "Bearer sk-0123456789"


@pytest.mark.parametrize("base_url", ["", "not an address", "ftp://host/v1", "https://", "http://[::1"])
async def test_a_base_url_that_is_none_is_refused(base_url):
    with pytest.raises(ConfigurationError, match="Fake"):
        await Asked(answer_of(DONE), row=endpoint(base_url=base_url)).stream()


async def test_a_header_that_cannot_be_sent_is_refused_without_being_quoted():
    asked = Asked(answer_of(DONE), row=endpoint(headers={"x-token": "geheim-ü-0123"}))
    with pytest.raises(ConfigurationError, match="Fake") as caught:
        await asked.stream()
    assert caught.value.__suppress_context__


async def test_a_credential_of_the_endpoints_own_headers_is_not_recorded_either():
    row = endpoint(headers={"X-Auth-Token": "Token gateway-0123456789"})
    asked = Asked(lambda request: answer_of(text(request.headers["x-auth-token"]), DONE), row=row)
    await asked.stream()
    assert asked.requests[0].headers["x-auth-token"] == "Token gateway-0123456789"
    assert "gateway-0123456789" not in repr(asked.payloads) and b"gateway-0123456789" not in asked.body


async def test_chat_gives_the_whole_answer():
    response = await Asked(answer_of(text("Hel"), text("lo"), END, DONE)).provider.chat(REQUEST)
    assert response.text() == "Hello"
    assert response.stop_reason is StopReason.END_TURN
    origin = response.message.origin
    assert origin is not None and (origin.provider, origin.model, origin.wire) == ("fake", "model-1", "fake")


async def test_chat_raises_what_the_stream_gives_as_its_last_event():
    with pytest.raises(TransportError):
        await Asked(answer_of(text("a"), httpx.ReadError("reset"))).provider.chat(REQUEST)


async def test_made_up_ids_of_two_answers_differ_though_nothing_is_recorded():
    """D11."""
    asked = Asked(lambda _: answer_of(text("a"), END, DONE))
    first, second = [(await asked.provider.chat(REQUEST)).id for _ in range(2)]
    assert first != second


def test_capabilities_are_those_of_the_model_and_unknown_for_an_unknown_one():
    model = ModelInfo("m", "M", ProviderFeatures(vision=True, max_context_window=8192))
    provider = Asked(answer_of(DONE), row=endpoint(models=(model,))).provider
    assert provider.capabilities("m").features == model.features
    assert provider.capabilities("other").features == ProviderFeatures()
    assert provider.capabilities().features == ProviderFeatures()
    assert provider.capabilities().provider_name == "fake"


class ListWire(KeyWire):
    @override
    def parse_models(self, document):
        return tuple(ModelInfo(row["id"], row["id"]) for row in document["data"])


async def test_the_list_of_models_is_asked_for_with_the_key():
    response = httpx.Response(200, content=b'{"data": [{"id": "a"}, {"id": "b"}]}')
    asked = Asked(response, key="sk-0123456789", wire=ListWire())
    assert [model.id for model in await asked.provider.list_models()] == ["a", "b"]
    (request,) = asked.requests
    assert (request.method, str(request.url)) == ("GET", "https://fake.example/v1/models")
    assert request.headers["authorization"] == "Bearer sk-0123456789"


async def test_a_list_of_models_that_is_refused_or_no_json_is_an_error():
    with pytest.raises(ProviderRejection):
        await Asked(httpx.Response(401, content=b"{}")).provider.list_models()
    with pytest.raises(ProtocolError, match="Fake"):
        await Asked(httpx.Response(200, content=b"<html>")).provider.list_models()


async def test_a_list_of_models_is_waited_for_half_a_minute_at_most(monkeypatch):
    monkeypatch.setattr("agdesk.core.providers.http.LIST_WAIT_S", 0.05)
    with pytest.raises(TransportError, match="sent nothing") as caught:
        await Asked(answer_of(5.0), row=endpoint(is_local=True)).provider.list_models()
    assert caught.value.is_timeout
