"""Fetching goes to the address that was looked up, and to none of the own network unseen."""

import asyncio

import pytest

from agdesk.core.ir.effect import Unforeseen, UrlFetch
from agdesk.core.ir.messages import text_of
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.builtin import fetch_url
from agdesk.core.tools.builtin.fetch_url import FetchUrl
from agdesk.core.tools.registry import ToolRegistry
from agdesk.core.trace.transport import ProxyChoice
from tests.fakes.proxy import fake_proxy
from tests.fakes.script import CUT, END, HOLD, FakeServer, head, send
from tests.fakes.tls import Authority, tls_server
from tests.fakes.tools import call
from tests.unit.core.tools.builtin.using import outcome_of, refused, use

TEXT = ("content-type", "text/html; charset=utf-8")
HOST = "docs.example.test"


@pytest.fixture(scope="module")
def running():
    with FakeServer() as server:
        yield server


@pytest.fixture
def server(running):
    running.forget()
    return running


class Fetching(FetchUrl):
    """``looked_up`` are the hosts and ports that it asked for."""

    def __init__(self, ips, **options):
        self.looked_up: list[tuple[str, int]] = []

        async def resolve(host, port):
            self.looked_up.append((host, port))
            if not ips:
                raise OSError("no such host")
            return ips

        super().__init__(resolve=resolve, **options)


def tool(*ips, **options):
    """One to whom every name is at these addresses."""
    return Fetching(ips, **options)


def url_of(server, path="/page"):
    return f"http://{HOST}:{server.port}{path}"


async def seen(made, url):
    """The context of a call whose effect the user has seen."""
    return ToolContext(approved=await made.effect({"url": url}, ToolContext()))


async def test_a_text_is_given_as_it_is(server):
    server.script(head(200, TEXT), send("<p>Gr\u00fc\u00dfe</p>"), END)
    made, url = tool("127.0.0.1"), url_of(server, "/a?b=c#part")
    outcome = await outcome_of(made, await seen(made, url), url=url)
    assert text_of(outcome.result.content) == "[status 200, text/html]\n<p>Gr\u00fc\u00dfe</p>"
    assert (outcome.result.is_error, outcome.effect) == (False, f"fetched {url}")
    (request,) = server.requests
    assert (request.method, request.target, request.body) == ("GET", "/a?b=c", "")
    assert request.headers["host"] == f"{HOST}:{server.port}"
    assert set(request.headers) == {"host", "user-agent", "accept", "accept-encoding"}


async def test_the_effect_shows_where_it_would_go_and_asks_nobody(server):
    made = tool("127.0.0.1", "93.184.215.14")
    assert await made.effect({"url": f"http://{HOST.upper()}:{server.port}/x"}, ToolContext()) == UrlFetch(
        f"http://{HOST.upper()}:{server.port}/x", "http", HOST, server.port, "127.0.0.1", is_private=True
    )
    public = await tool("93.184.215.14").effect({"url": "https://a.example/"}, ToolContext())
    assert public == UrlFetch("https://a.example/", "https", "a.example", 443, "93.184.215.14")
    assert server.requests == []


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a.example/", "http://user@a.example/", "a.example", "http://2130706433/"]
)
async def test_only_plain_addresses_of_http_are_fetched(url):
    made = tool("93.184.215.14")
    assert "is no address that can be fetched" in await refused(made, ToolContext(), url=url)
    assert isinstance(await made.effect({"url": url}, ToolContext()), Unforeseen)
    assert made.looked_up == []


@pytest.mark.parametrize("ip", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1", "::ffff:127.0.0.1"])
async def test_an_address_of_the_own_network_is_refused_if_nobody_saw_it(ip, server):
    for ips in ((ip,), ("93.184.215.14", ip)):
        words = await refused(tool(*ips), ToolContext(), url=url_of(server))
        assert f"{HOST} is at {ip}, an address of this machine or of a local network" in words
    other = UrlFetch("http://x/", "http", "x", 80, "192.168.1.1", is_private=True)
    assert "is at" in await refused(tool(ip), ToolContext(approved=other), url=url_of(server))
    assert server.requests == []


async def test_a_name_that_leads_elsewhere_once_it_was_approved_is_refused(server):
    """DNS rebinding: the approval showed a public address."""
    url = url_of(server)
    context = await seen(tool("93.184.215.14"), url)
    assert "is at 127.0.0.1" in await refused(tool("127.0.0.1"), context, url=url)
    assert server.requests == []


async def test_a_name_that_is_not_found_is_told():
    made = tool()
    assert await refused(made, ToolContext(), url=f"http://{HOST}/") == f"The host {HOST} was not found"
    assert await made.effect({"url": f"http://{HOST}/"}, ToolContext()) == Unforeseen(f"The host {HOST} was not found.")


async def test_names_are_looked_up_by_the_system(server):
    server.script(head(200, TEXT), send("hi"), END)
    made, url = FetchUrl(), f"http://localhost:{server.port}/"
    effect = await made.effect({"url": url}, ToolContext())
    assert effect.is_private and effect.address in ("127.0.0.1", "::1")
    context = ToolContext(approved=UrlFetch(url, "http", "localhost", server.port, "127.0.0.1", is_private=True))
    if effect.address == "127.0.0.1":
        assert "hi" in await use(made, context, url=url)


async def test_the_next_address_is_tried_if_nobody_takes_the_connection(server, monkeypatch):
    monkeypatch.setattr(fetch_url, "is_reachable_by_all", lambda _ip: True)
    server.script(head(200, TEXT), send("hi"), END)
    assert "hi" in await use(tool("127.0.0.2", "127.0.0.1"), ToolContext(), url=url_of(server))
    words = await refused(tool("127.0.0.2", "127.0.0.3"), ToolContext(), url=url_of(server))
    assert words == f"{HOST}:{server.port} refused the connection"


async def test_a_redirect_within_the_host_is_followed_checked_and_told(server):
    server.script(head(302, ("location", "/next")), END)
    server.script(head(200, TEXT), send("there"), END)
    made, url = tool("127.0.0.1"), url_of(server)
    text = await use(made, await seen(made, url), url=url)
    assert text == f"[{url} redirects to {url_of(server, '/next')}]\n[status 200, text/html]\nthere"
    assert [request.target for request in server.requests] == ["/page", "/next"]
    assert len(made.looked_up) == 3  # for the effect, and once for each request


@pytest.mark.parametrize(
    "target",
    ["http://other.example.test/x", "//other.example.test/x", f"http://{HOST}:1/x", "ftp://a/", "https://u@a/"],
)
async def test_a_redirect_to_another_place_is_told_and_not_followed(target, server):
    server.script(head(301, ("location", target)), END)
    made, url = tool("127.0.0.1"), url_of(server)
    text = await use(made, await seen(made, url), url=url)
    assert "which was not fetched: it is another place" in text and target.removeprefix("//") in text
    assert len(server.requests) == 1


async def test_a_redirect_whose_host_has_moved_into_the_own_network_is_refused(server):
    server.script(head(302, ("location", "/next")), END)
    answers = [("127.0.0.1",), ("127.0.0.1",), ("127.0.0.9",)]

    async def resolve(_host, _port):
        return answers.pop(0)

    made, url = FetchUrl(resolve=resolve), url_of(server)
    assert "is at 127.0.0.9" in await refused(made, await seen(made, url), url=url)
    assert len(server.requests) == 1


async def test_redirects_that_do_not_end_are_given_up(server):
    for _ in range(fetch_url.MAX_REDIRECTS + 1):
        server.script(head(302, ("location", "/page")), END)
    made, url = tool("127.0.0.1"), url_of(server)
    assert "redirects more than 5 times" in await refused(made, await seen(made, url), url=url)


async def test_a_long_text_is_cut_and_the_connection_closed(server, monkeypatch):
    monkeypatch.setattr(fetch_url, "LIMIT_BYTES", 10)
    server.script(head(200, TEXT), send("0123456789abc"), HOLD)
    made, url = tool("127.0.0.1"), url_of(server)
    assert await use(made, await seen(made, url), url=url) == (
        "[status 200, text/html]\n0123456789\n[… cut after 10 bytes]"
    )
    await asyncio.to_thread(server.wait_for_disconnect)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ([("content-type", "image/png")], "is no text but image/png"),
        ([("content-type", "application/octet-stream")], "is no text but application/octet-stream"),
        ([TEXT, ("content-encoding", "gzip")], "came compressed"),
    ],
)
async def test_what_is_no_text_is_not_read(headers, words, server):
    server.script(head(200, *headers), send("x" * 100), HOLD)
    made, url = tool("127.0.0.1"), url_of(server)
    assert words in await refused(made, await seen(made, url), url=url)
    await asyncio.to_thread(server.wait_for_disconnect)


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("application/ld+json", b"{}", "{}"),
        ("text/plain; charset=latin-1", b"caf\xe9", "café"),
        ("text/plain; charset=nonsense", b"caf\xc3\xa9", "café"),
        ("text/plain", b"\xff", "\ufffd"),
    ],
)
async def test_texts_are_decoded_as_they_say(content_type, body, text, server):
    server.script(head(200, ("content-type", content_type)), send(body), END)
    made, url = tool("127.0.0.1"), url_of(server)
    assert (await use(made, await seen(made, url), url=url)).endswith(f"]\n{text}")


async def test_an_error_of_the_server_is_an_error_with_its_words(server):
    server.script(head(404, TEXT), send("nothing here"), END)
    made, url = tool("127.0.0.1"), url_of(server)
    assert await refused(made, await seen(made, url), url=url) == "[status 404, text/html]\nnothing here"


async def test_an_answer_that_is_cut_off_is_an_error(server):
    server.script(head(200, TEXT, framing="length", length=100), send("some"), CUT)
    made, url = tool("127.0.0.1"), url_of(server)
    assert await refused(made, await seen(made, url), url=url) == f"{HOST}:{server.port} cut the answer off"


async def test_cancelling_closes_the_connection(server):
    server.script(head(200, TEXT), send("some"), HOLD)
    made, url = tool("127.0.0.1"), url_of(server)
    context = await seen(made, url)
    fetching = spawn(ToolRegistry([made]).invoke(call("fetch_url", {"url": url}), context, timeout_s=60), name="test")
    while not await asyncio.to_thread(lambda: server.requests):
        await asyncio.sleep(0.01)
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    await asyncio.to_thread(server.wait_for_disconnect)


async def test_the_certificate_must_be_for_the_name_though_the_address_is_dialled(tmp_path, monkeypatch):
    authority = Authority(tmp_path / "authority")
    monkeypatch.setenv("SSL_CERT_FILE", authority.ca_file)
    for name, is_trusted in ((HOST, True), ("other.example.test", False)):
        async with tls_server(authority.issue(name), "data: hi") as server:
            made, url = tool("127.0.0.1"), server.url(HOST)
            context = await seen(made, url)
            if is_trusted:
                assert "data: hi" in await use(made, context, url=url)
                assert f"host: {HOST}:{server.port}" in server.heads[0]
            else:
                assert "it is for another host" in await refused(made, context, url=url)


async def test_through_a_proxy_the_proxy_looks_up_the_name(server):
    server.script(head(200, TEXT), send("hi"), END)
    async with fake_proxy({HOST: server.port}, credentials="me:pass") as proxy:
        choice = ProxyChoice("manual", proxy.url("me:pass"))
        made, url = tool(proxies=lambda: choice), f"http://{HOST}/x"
        effect = await made.effect({"url": url}, ToolContext())
        assert effect == UrlFetch(url, "http", HOST, 80, "", proxy=f"127.0.0.1:{proxy.port}")
        assert "hi" in await use(made, ToolContext(), url=url)
        assert proxy.requests == [f"GET http://{HOST}/x HTTP/1.1"]
        assert made.looked_up == []
    words = await refused(made, ToolContext(), url=url)
    assert words.endswith(f"(through the proxy 127.0.0.1:{proxy.port})")


async def test_a_proxy_that_cannot_be_used_is_told():
    made = tool("93.184.215.14", proxies=lambda: ProxyChoice("manual", ""))
    assert "The proxy in the settings has no address" in await refused(made, ToolContext(), url=f"http://{HOST}/")
