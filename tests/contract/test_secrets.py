"""SEC1: the key is in the request on the wire and nowhere else, whatever the server does; and which key it is."""

import json
import traceback

import pytest

from agdesk.core.errors import ConfigurationError, LlmError
from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.trace.events import payload_to_json
from tests.contract.conversation import DONE, KEY, chunk, conversation
from tests.fakes.keyrings import MemoryKeyring, PlainTextKeyring, secret_store
from tests.fakes.script import CUT, END, RESET, SSE, drip, head, raw, send, sleep

ESCAPED_KEY = 'sk-"quo\\ted"/canary-0123'


def everything(asked) -> str:
    records = json.dumps([payload_to_json(payload) for payload in asked.payloads], ensure_ascii=False)
    text: str = records + asked.body.decode("utf-8", "replace") + "".join(blob.decode() for blob in asked.blobs)
    return text


async def test_a_key_that_the_server_repeats_in_headers_and_body_is_in_no_record(fake_server):
    headers = (SSE, ("x-echo", KEY), ("authorization", f"Bearer {KEY}"), ("set-cookie", "id=0123456789"))
    half = len(KEY) // 2
    body = chunk(content=KEY[:3] + " or ") + chunk(content=f"you said {KEY}!") + chunk(finish="stop") + DONE
    cut = body.index(KEY) + half
    fake_server.script(head(200, *headers), send(body[:cut]), sleep(0.05), send(body[cut:]), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert fake_server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in everything(asked) and "id=0123456789" not in everything(asked)
    assert response.text().startswith("sk- or you said key-") and response.text().endswith("!")
    assert len(asked.body) == len(body.encode())


async def test_a_key_that_drips_in_byte_by_byte_is_in_no_record(fake_server):
    body = chunk(content=f"a {KEY} b", finish="stop") + DONE
    fake_server.script(head(200, SSE), drip(body, 0.0005), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert KEY not in everything(asked)
    assert response.text().startswith("a key-") and response.text().endswith(" b")


async def test_a_key_that_json_escapes_is_in_no_record(fake_server):
    body = chunk(content=f"a {ESCAPED_KEY} b", finish="stop") + DONE
    fake_server.script(head(200, SSE), send(body), END)
    async with conversation(fake_server.base_url, key=ESCAPED_KEY) as asked:
        response = await asked.ask()
    assert ESCAPED_KEY not in response.text() and response.text().startswith("a key-")
    assert json.dumps(ESCAPED_KEY)[1:-1] not in everything(asked)


async def test_a_key_in_the_users_own_message_is_sent_and_not_recorded(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + DONE), END)
    async with conversation(fake_server.base_url) as asked:
        await asked.ask(MessageRequest("m", (user(f"is {KEY} valid?"),)))
    assert f"is {KEY} valid?" in fake_server.requests[0].body
    assert KEY not in everything(asked)
    assert len(asked.blobs[0]) == len(fake_server.requests[0].body)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param((head(401), send(json.dumps({"error": {"message": f"Incorrect key {KEY}"}})), END), id="401"),
        pytest.param((head(500), send(f"<html>{KEY}</html>"), END), id="a page"),
        pytest.param((head(500), send(f"crashed with {KEY[:20]}"), sleep(0.05), RESET), id="a reset"),
        pytest.param((raw(f"{KEY} is no status line\r\n\r\n".encode()), CUT), id="no HTTP"),
        pytest.param((raw(f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode()), CUT), id="no header"),
        pytest.param((head(200, SSE), raw(f"{KEY}\r\n".encode()), CUT), id="no chunk size"),
        pytest.param((head(200, SSE), send(f"error: {KEY}\n\n"), END), id="no event"),
        pytest.param((head(200, SSE), send(f'data: {{"error": "{KEY}"}}\n\n'), END), id="an error in the stream"),
        pytest.param((head(200, SSE), send(f"data: {{{KEY}\n\n"), END), id="no JSON"),
        pytest.param((head(429, ("retry-after", KEY), ("x-request-id", KEY)), send("{}"), END), id="headers"),
    ],
)
async def test_no_error_tells_the_key(fake_server, script):
    fake_server.script(*script)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(LlmError) as caught:
            await asked.ask()
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert KEY not in repr(caught.value.to_record())
    assert KEY not in everything(asked)


async def test_the_same_key_has_the_same_token_wherever_it_stands(fake_server):
    fake_server.script(head(200, SSE, ("x-echo", KEY)), send(chunk(content=KEY, finish="stop") + DONE), END)
    async with conversation(fake_server.base_url) as asked:
        token = (await asked.ask()).text()
    sent, started = asked.payloads[:2]
    assert dict(started.headers)["x-echo"] == token
    assert dict(sent.headers)["authorization"] == f"Bearer {token}"


# --- which key is sent ---

STORED = {("agdesk/openai/default", "default"): "sk-stored-0123"}
ENVIRONMENT = {"OPENAI_API_KEY": "sk-usual-0123", "MY_KEY": "sk-mine-0123"}


async def ask_openai(tmp_path, fake_server, *, reference="", backend=None, environment=None, held=""):
    """Asks as the settings say where the key is; gives what the server was told."""
    (tmp_path / "settings.toml").write_text(f'version = 2\n[providers.openai]\nkey = "{reference}"\n')
    registry = ProviderRegistry(data_folder=tmp_path, base_urls={"openai": fake_server.base_url})
    registry.keys = secret_store(backend or MemoryKeyring(STORED), environment=environment)
    if held:
        registry.keys.hold("openai", held)
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + DONE), END)
    try:
        await registry.get("openai").chat(MessageRequest("m", (user("Hi"),)))
    finally:
        await registry.aclose()
    return fake_server.requests[0].headers["authorization"]


@pytest.mark.parametrize(
    ("reference", "held", "sent"),
    [
        ("", "", "sk-usual-0123"),
        ("keyring", "", "sk-stored-0123"),
        ("env:MY_KEY", "", "sk-mine-0123"),
        ("env:MY_KEY", "sk-held-0123", "sk-held-0123"),
    ],
)
async def test_the_key_is_the_one_that_the_settings_refer_to(tmp_path, fake_server, reference, held, sent):
    told = await ask_openai(tmp_path, fake_server, reference=reference, environment=ENVIRONMENT, held=held)
    assert told == f"Bearer {sent}"


@pytest.mark.parametrize(
    ("reference", "backend", "words"),
    [
        ("env:MY_OTHER_KEY", MemoryKeyring(STORED), ["The environment variable MY_OTHER_KEY is not set."]),
        ("keyring", MemoryKeyring(), ["Give a key in"]),
        ("keyring", PlainTextKeyring(STORED), ["keyrings.alt.file", "Give a key in"]),
        ("", MemoryKeyring(), ["Set the environment variable OPENAI_API_KEY and start agdesk again, or give"]),
        ("", MemoryKeyring(failure=OSError("no bus")), ["no bus", "OPENAI_API_KEY"]),
    ],
)
async def test_without_a_key_nothing_is_sent_and_the_settings_page_is_named(
    tmp_path, fake_server, reference, backend, words
):
    environment = {"MY_KEY": "sk-mine-0123"} | ({"OPENAI_API_KEY": "sk-usual-0123"} if reference else {})
    with pytest.raises(ConfigurationError, match="no key for OpenAI") as caught:
        await ask_openai(tmp_path, fake_server, reference=reference, backend=backend, environment=environment)
    assert all(word in caught.value.hint for word in [*words, "Settings › Providers"])
    assert fake_server.requests == []


async def test_an_accounts_key_goes_to_its_own_server_and_its_providers_key_does_not(tmp_path, fake_server):
    entries = STORED | {("agdesk/openai/openai-work", "openai-work"): "sk-of-work-0123"}
    (tmp_path / "settings.toml").write_text(
        "version = 2\n[providers.openai]\nkey = 'keyring'\n[providers.openai-work]\npreset = 'openai'\n"
        f"key = 'keyring'\nbase_url = '{fake_server.base_url}'\nheaders = {{ 'X-Title' = 'agdesk' }}\n"
    )
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(MemoryKeyring(entries), environment=ENVIRONMENT)
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + DONE), END)
    try:
        await registry.get("openai-work").chat(MessageRequest("m", (user("Hi"),)))
        registry.keys = secret_store(MemoryKeyring(STORED), environment=ENVIRONMENT)
        with pytest.raises(ConfigurationError, match="no key for OpenAI"):
            await registry.get("openai-work").chat(MessageRequest("m", (user("Hi"),)))
    finally:
        await registry.aclose()
    (request,) = fake_server.requests
    assert request.headers["authorization"] == "Bearer sk-of-work-0123" and request.headers["x-title"] == "agdesk"
