"""What a provider would receive is what it receives: headers, body and ledger, with the key left out (PROV8)."""

import asyncio
import json

import httpx
import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.blocks import Image, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Origin, Tool, User, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.providers.registry import WIRE_FORMATS, ProviderRegistry, wire_format
from agdesk.core.providers.rendering import MASK, Rendering, render_for, rendering_of
from agdesk.core.trace.events import RequestPrepared
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.wire import RequestSent
from agdesk.core.workspace import Workspace

KEY = "sk-secret-of-the-tests-0123456789"
ELSEWHERE = Origin("elsewhere", "m", "another")
HISTORY = (
    user("What is in this picture?"),
    Assistant((Thinking("hm", "sig"), ToolUse("c1", "look", {"q": 1}, '{"q": 1}')), ELSEWHERE),
    Tool((ToolResult("c1", "look", (Text("a cat"),)),)),
    Assistant((Text("A cat."), ToolUse("c2", "look", {}, "{}")), ELSEWHERE),
    User((Text("And now?"), Image(Url("https://pictures.example/a.png"), "image/png"))),
)


def row(wire: str, **changes) -> Endpoint:
    return Endpoint("here", "Here", wire, "https://api.example/v1/", key_env="HERE_KEY", **changes)


def rendered(wire: str, request: MessageRequest, *, model: ModelInfo | None = None, **changes) -> Rendering:
    model = model or ModelInfo(request.model, request.model)
    return render_for(request, wire=wire_format(wire), endpoint=row(wire, **changes), model=model, has_key=True)


@pytest.mark.parametrize("wire", WIRE_FORMATS)
async def test_what_is_shown_is_what_is_sent(wire):
    request = MessageRequest("m", HISTORY, temperature=0.5, seed=7)
    model = ModelInfo("m", "m", lacks=("seed",), refused=("temperature", "generationConfig.temperature"))
    endpoint = row(wire, headers={"X-Title": "agdesk"})
    records, bodies, seen = [], [], []
    recorder = Recorder("s")
    recorder.records.subscribe(lambda record: records.append(record.payload))
    recorder.blobs.subscribe(lambda blob: bodies.append(json.loads(blob[1])))

    def answer(sent):
        seen.append(sent)
        return httpx.Response(500, content=b"{}")

    async def resolve():
        return Access(endpoint, KEY)

    pool = HttpPool(Secrets(), transport=httpx.MockTransport(answer))
    provider = HttpProvider(endpoint, wire=wire_format(wire), pool=pool, resolve=resolve, describe=lambda _model: model)
    trace = RequestTrace(recorder, "req-1")
    with pytest.raises(Exception, match="500"), trace.preparing(RequestPrepared(1, len(HISTORY), 10)):
        async for _ in provider.chat_stream(request, trace=trace):
            pass
    prepared, sent = records[:2]
    assert isinstance(prepared, RequestPrepared) and isinstance(sent, RequestSent)
    shown = rendered(wire, request, model=model, headers={"X-Title": "agdesk"})
    assert (shown.method, shown.url) == (sent.method, sent.url)
    assert shown.body == bodies[0]
    assert shown.ledger == prepared.ledger and len(shown.ledger) >= 3
    added_by_the_client = {"host", "content-length"}
    assert {name.lower() for name, _ in shown.headers} == {
        name.lower() for name, _ in sent.headers
    } - added_by_the_client
    for name, value in shown.headers:
        assert seen[0].headers[name] == value.replace("$HERE_KEY", KEY)


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_the_key_is_a_variable_or_a_mask(wire):
    request = MessageRequest("m", (user("Hi"),))
    with_variable = rendered(wire, request)
    assert [value for _, value in with_variable.headers if "$HERE_KEY" in value]
    assert with_variable.key_env == "HERE_KEY"
    endpoint = Endpoint("here", "Here", wire, "https://api.example/v1", headers={"X-Token": KEY})
    model = ModelInfo("m", "m")
    masked = render_for(request, wire=wire_format(wire), endpoint=endpoint, model=model, has_key=True)
    assert sum(MASK in value for _, value in masked.headers) == 2
    without = render_for(request, wire=wire_format(wire), endpoint=endpoint, model=model, has_key=False)
    assert sum(MASK in value for _, value in without.headers) == 1
    assert KEY not in repr(masked) + repr(without)


def test_an_endpoint_without_an_address_is_told():
    with pytest.raises(ConfigurationError, match="no base URL"):
        render_for(
            MessageRequest("m", ()),
            wire=wire_format("openai_chat"),
            endpoint=Endpoint("here", "Here", "openai_chat", ""),
            model=ModelInfo("m", "m"),
            has_key=False,
        )


def registry(tmp_path, settings: str = "") -> ProviderRegistry:
    (tmp_path / "settings.toml").write_text("version = 2\n" + settings)
    return ProviderRegistry(data_folder=tmp_path)


async def of(found: ProviderRegistry, provider_id: str, text: str = "Hi") -> Rendering:
    return await asyncio.to_thread(rendering_of, found, provider_id, MessageRequest("m", (user(text),)))


async def test_a_provider_of_the_registry_is_rendered_as_it_is_set(tmp_path):
    found = registry(
        tmp_path,
        '[providers.custom]\nbase_url = "http://127.0.0.1:9/v1"\nkey = "env:MY_KEY"\n'
        '[providers.openai]\nkey = "keyring"\n',
    )
    assert (await of(found, "custom")).url == "http://127.0.0.1:9/v1/chat/completions"
    assert "authorization" not in {name.lower() for name, _ in (await of(found, "custom")).headers}, "it has no key"
    assert dict((await of(found, "openai")).headers)["Authorization"] == f"Bearer {MASK}"
    assert dict((await of(found, "anthropic")).headers)["x-api-key"] == "$ANTHROPIC_API_KEY"
    assert (await of(found, "builtin")).url.startswith("http://127.0.0.1:")
    with pytest.raises(ConfigurationError, match="nobody"):
        await of(found, "nobody")
    await found.aclose()


async def test_a_known_key_in_the_conversation_is_not_shown(tmp_path):
    found = registry(tmp_path)
    found.secrets.add(KEY)
    rendering = await of(found, "openai", f'my key is "{KEY}"')
    assert KEY not in repr(rendering)
    assert rendering.body["messages"][0]["content"].startswith('my key is "key-')
    await found.aclose()


async def test_auto_is_rendered_for_the_model_it_stands_for(tmp_path):
    workspace = Workspace(registry(tmp_path), data_dir=tmp_path)
    session = workspace.open_session("auto/best")
    rendering = await workspace.rendered(session, "auto/best", "Hi")
    assert rendering.provider_id == "builtin" and rendering.body["messages"][-1]["content"] == "Hi"
    assert session.model_ref == "auto/best" and not session.has_history
    with pytest.raises(ConfigurationError, match="names no model"):
        await workspace.rendered(session, "nothing")
    await workspace.aclose()
