"""The bytes of an attachment are in the request and in no history: also when the conversation goes on another day."""

import asyncio
import base64

from agdesk.core.ir.blocks import BlobRef, Text
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.store.store import Store
from agdesk.core.workspace import Workspace
from tests.contract.conversation import DONE, chunk
from tests.fakes.script import END, SSE, head, send

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ANSWER = (head(200, SSE), send(chunk(content="A dot", finish="stop") + DONE), END)


async def test_CHAT7_an_attachment_is_sent_with_its_message_and_again_after_a_restart(fake_server, tmp_path):
    async def opened():
        registry = ProviderRegistry(data_folder=tmp_path, base_urls={"custom": fake_server.base_url})
        workspace = Workspace(registry, data_dir=tmp_path, store=Store.open(tmp_path, budget_bytes=lambda: 0))
        await asyncio.to_thread(workspace.warm_up)
        return workspace

    def parts(number):
        return [part["type"] for part in fake_server.requests[number].json["messages"][0]["content"]]

    def image_of(number):
        return fake_server.requests[number].json["messages"][0]["content"][0]["image_url"]["url"]

    sent = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    fake_server.script(*ANSWER)
    workspace = await opened()
    session = workspace.open_session("custom/m")
    image = await workspace.attach(PNG, name="dot.png")
    rendering = await workspace.rendered(session, "custom/m", (image, Text("What is it?")))
    assert rendering.body["messages"][0]["content"][0]["image_url"]["url"] == sent
    await session.submit((image, Text("What is it?")))
    assert isinstance(image.source, BlobRef)
    assert parts(0) == ["image_url", "text"] and image_of(0) == sent
    fork = await workspace.fork(session, session.branches.tree.leaf_id)
    await workspace.close_session(session)
    workspace.conversations.delete(session.id)
    await workspace.aclose()

    workspace = await opened()
    session, _ = await workspace.open_conversation(fork)
    fake_server.script(*ANSWER)
    await session.submit("And now?")
    assert parts(1) == ["image_url", "text"] and image_of(1) == sent
    await workspace.aclose()
