"""Messages of the IR: those that OpenAI's types can express, and any others."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import (
    Audio,
    BlobRef,
    Extension,
    File,
    Image,
    ProviderData,
    ProviderFile,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Url,
)
from agdesk.core.ir.messages import Assistant, Message, Origin, System, Tool, User

PNG, WAV, PDF = (f"data:{kind};base64,QQ==" for kind in ("image/png", "audio/wav", "application/pdf"))
texts = st.text(max_size=4)
names = st.text("abf_:|", min_size=1, max_size=4)
objects = st.dictionaries(texts, st.integers() | texts | st.booleans(), max_size=2)

# --- what both sides can express ---

plain = st.builds(Text, texts)
media = st.sampled_from(
    [
        Image(Url(PNG), "image/png"),
        Image(Url("https://x/i"), "image/*"),
        Audio(Url(WAV), "audio/wav"),
        Audio(Url("data:audio/mpeg;base64,QQ=="), "audio/mpeg"),
        File(Url(PDF), "application/pdf", "a.pdf"),
        File(Url(PDF), "application/pdf"),
        File(ProviderFile("openai", "f"), "application/octet-stream"),
        Extension("openai_chat", "content_part", {"type": "video_url", "video_url": {"url": "u"}}),
    ]
)
details = st.lists(st.builds(lambda t: {"type": "reasoning.text", "text": t}, texts), min_size=1, max_size=2)
thoughts = st.builds(Thinking, st.text(min_size=1, max_size=4)) | st.builds(
    lambda items: Thinking(
        "".join(item["text"] for item in items), None, ProviderData("openai_chat", {"reasoning_details": items})
    ),
    details,
)


def call(call_id: str, name: str, raw: str, data: ProviderData | None = None) -> ToolUse:
    value, error = parse_arguments(raw)
    return ToolUse(call_id, name, value, raw, error, data)


raws = objects.map(json.dumps) | st.sampled_from(["", "{}", '{"a": tru', "[1]", "null", '"{}"'])
calls = st.builds(call, names, names, raws) | st.builds(
    lambda call_id, name, text: call(
        call_id, name, json.dumps({"input": text}, ensure_ascii=False), ProviderData("openai_chat", {"type": "custom"})
    ),
    names,
    names,
    texts,
)


@st.composite
def rounds(draw: Any) -> list[Message]:
    """One answer and, if it has calls, the results of all of them."""
    uses = draw(st.lists(calls, max_size=2, unique_by=lambda use: use.id))
    refusal = draw(st.lists(st.builds(Text, st.text(min_size=1, max_size=3), st.just(True)), max_size=1))
    spoken = draw(st.lists(plain, max_size=2))
    content = (*draw(st.lists(thoughts, max_size=1)), *spoken, *refusal)
    extension = draw(st.lists(st.just(Extension("openai_chat", "annotations", [{"u": 1}])), max_size=1))
    messages: list[Message] = [Assistant((*content, *extension, *uses))]
    if uses:
        results = [ToolResult(use.id, use.name, tuple(draw(st.lists(plain, max_size=2)))) for use in uses]
        messages.append(Tool(tuple(results)))
    return messages


expressible = st.lists(
    st.builds(lambda blocks: [System(tuple(blocks))], st.lists(plain, max_size=2))
    | st.builds(lambda blocks: [User(tuple(blocks))], st.lists(plain | media, max_size=3))
    | rounds(),
    max_size=4,
).map(lambda groups: [message for group in groups for message in group])

# --- what one of them cannot ---

provider_data = st.none() | st.builds(ProviderData, st.sampled_from(["openai_chat", "gemini"]), objects)
signatures = st.none() | st.just("SIG")
sources = st.sampled_from(
    [Url(PNG), Url("https://x/i"), BlobRef("0", 1), ProviderFile("openai", "f"), ProviderFile("p", "f")]
)
any_media = st.one_of(
    *(
        st.builds(kind, sources, st.sampled_from(["image/png", "audio/wav"]), st.none() | names)
        for kind in (Image, Audio, File)
    )
)
extensions = st.builds(
    Extension,
    st.sampled_from(["openai_chat", "anthropic"]),
    st.sampled_from(["annotations", "citations", "audio", "images", "content", "tool_calls"]),
    st.just([{"u": 1}]) | st.just({"id": "a", "data": ["QQ=="]}),
)
any_block = st.one_of(
    st.builds(Text, texts, st.booleans(), st.just(()) | st.just(({"u": 1},)), provider_data),
    st.builds(Thinking, texts, signatures, provider_data),
    st.builds(ToolUse, names, names, st.none() | objects, raws, st.none() | st.just("bad"), provider_data),
    st.builds(ToolResult, names, names, st.lists(plain | any_media, max_size=2).map(tuple), st.booleans()),
    any_media,
    extensions,
)
contents = st.lists(any_block, max_size=3).map(tuple)
any_message = st.one_of(
    st.builds(System, contents),
    st.builds(User, contents),
    st.builds(Assistant, contents, st.none() | st.builds(Origin, names, names, names)),
    st.builds(
        Tool,
        st.lists(st.builds(ToolResult, names, names, contents, st.booleans()), max_size=2).map(tuple),
    ),
)
