"""T19, SEC3: a redirect is followed on the same host only, and the key goes nowhere else."""

import pytest

from agdesk.core.errors import ProviderRejection
from agdesk.core.trace.wire import RequestSent, ResponseStarted
from tests.contract.conversation import DONE, KEY, chunk, conversation
from tests.fakes.script import END, SSE, head, send

ANSWER = (head(200, SSE), send(chunk(content="a", finish="stop") + DONE), END)


def redirect(location: str, status: int = 307):
    return head(status, ("location", location), framing="length", length=0)


@pytest.mark.parametrize("status", [307, 308])
async def test_on_the_same_host_the_request_is_sent_again_whole(fake_server, status):
    fake_server.script(redirect("/v1/chat/completions/", status), END)
    fake_server.script(*ANSWER)
    async with conversation(fake_server.base_url) as asked:
        assert (await asked.ask()).text() == "a"
    first, second = fake_server.requests
    assert second.target == "/v1/chat/completions/"
    assert (second.method, second.body) == ("POST", first.body)
    assert second.headers["authorization"] == f"Bearer {KEY}"
    kinds = [type(payload) for payload in asked.payloads if isinstance(payload, RequestSent | ResponseStarted)]
    assert kinds == [RequestSent, ResponseStarted] * 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_another_host_gets_neither_key_nor_message(fake_server, other_server, status):
    location = f"{other_server.base_url}/elsewhere"
    fake_server.script(redirect(location, status), END)
    other_server.script(*ANSWER)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
    assert other_server.requests == []
    assert len(fake_server.requests) == 1
    assert location in caught.value.message and caught.value.hint
    assert asked.closed().error == caught.value.to_record()


async def test_the_same_machine_by_another_name_is_another_host(fake_server):
    location = fake_server.base_url.replace("127.0.0.1", "localhost")
    fake_server.script(redirect(location), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection):
            await asked.ask()
    assert len(fake_server.requests) == 1


async def test_the_list_of_models_follows_the_same_rules(fake_server, other_server):
    fake_server.script(redirect(f"{other_server.base_url}/models", 302), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection):
            await asked.provider.list_models()
    assert other_server.requests == []


async def test_a_circle_ends_after_three_redirects(fake_server):
    for _ in range(4):
        fake_server.script(redirect("/v1/chat/completions"), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection):
            await asked.ask()
    assert len(fake_server.requests) == 4


async def test_a_location_that_repeats_the_key_is_shown_without_it(fake_server, other_server):
    fake_server.script(redirect(f"{other_server.base_url}/login?key={KEY}"), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
    assert KEY not in repr(caught.value.to_record()) and KEY not in repr(asked.payloads)
