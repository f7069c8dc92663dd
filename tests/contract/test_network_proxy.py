"""SEC5, L16: requests go through the proxy that is set, local ones never, and its password is in no record."""

import base64
import socket

import pytest

from agdesk.core.errors import ConfigurationError, TransportError
from agdesk.core.trace.wire import RequestSent, ResponseClosed
from tests.contract.conversation import DONE, KEY, chunk
from tests.contract.network import network
from tests.fakes.proxy import fake_proxy

pytest.importorskip("cryptography")

from tests.fakes.tls import Authority, server_context, tls_server

HOST = "api.example.test"
PASSWORD = "p@ss-canary-0123"
CREDENTIALS = f"me:{PASSWORD}"
IN_URL = "me:p%40ss-canary-0123"
BASIC = base64.b64encode(CREDENTIALS.encode()).decode()
ANSWER = (chunk(content="through", finish="stop"), DONE)


@pytest.fixture
def authority(tmp_path, monkeypatch):
    """The authority of this system's only trusted certificates."""
    made = Authority(tmp_path / "authority")
    monkeypatch.setenv("SSL_CERT_FILE", made.ca_file)
    monkeypatch.setenv("AGDESK_CUSTOM_KEY", KEY)
    return made


@pytest.fixture
def known_name(monkeypatch):
    """``HOST`` is this machine, for those who go there directly."""
    look_up = socket.getaddrinfo

    def getaddrinfo(host, *arguments, **options):
        return look_up("127.0.0.1" if host in (HOST, HOST.encode()) else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


async def test_https_goes_through_a_tunnel_that_does_not_see_the_key(authority, tmp_path):
    async with (
        tls_server(authority.issue(HOST), *ANSWER) as server,
        fake_proxy({HOST: server.port}) as proxy,
        network(tmp_path) as net,
    ):
        net.set(providers__custom__base_url=f"https://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url())
        assert (await (await net.to("custom")).ask()).text() == "through"
        assert proxy.requests == [f"CONNECT {HOST}:443 HTTP/1.1"]
        assert KEY not in proxy.heads[0] and f"bearer {KEY}" in server.heads[0]
        await (await net.to("custom")).ask()
        assert len(proxy.requests) == 1, "the tunnel is used again"


async def test_http_is_handed_to_the_proxy_with_its_whole_address(authority, tmp_path):
    async with (
        tls_server(None, *ANSWER) as server,
        fake_proxy({HOST: server.port}) as proxy,
        network(tmp_path) as net,
    ):
        net.set(providers__custom__base_url=f"http://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url())
        assert (await (await net.to("custom")).ask()).text() == "through"
        assert proxy.requests == [f"POST http://{HOST}/v1/chat/completions HTTP/1.1"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_L16_this_machine_is_never_reached_through_a_proxy(authority, tmp_path, monkeypatch, host):
    async with tls_server(None, *ANSWER) as server, fake_proxy({}) as proxy, network(tmp_path) as net:
        monkeypatch.setenv("http_proxy", proxy.url())
        net.set(providers__custom__base_url=f"http://{host}:{server.port}/v1")
        for mode in ("manual", "system"):
            net.set(network__proxy=mode, network__proxy_url=proxy.url())
            assert (await (await net.to("custom")).ask()).text() == "through"
        assert proxy.requests == [] and len(server.heads) == 2


@pytest.mark.parametrize(
    ("settings", "is_proxied"),
    [
        ({}, True),
        ({"network__proxy": "system"}, True),
        ({"network__proxy": "none"}, False),
        ({"network__proxy_bypass": ".example.test"}, False),
        ({"network__proxy_bypass": "*"}, False),
        ({"network__proxy_bypass": "example.test"}, True),
    ],
)
async def test_the_environments_proxy_counts_where_the_settings_let_it(
    authority, tmp_path, monkeypatch, known_name, settings, is_proxied
):
    async with (
        tls_server(authority.issue(HOST), *ANSWER) as server,
        fake_proxy({HOST: server.port}) as proxy,
        network(tmp_path) as net,
    ):
        monkeypatch.setenv("https_proxy", proxy.url())
        net.set(providers__custom__base_url=server.url(HOST), **settings)
        assert (await (await net.to("custom")).ask()).text() == "through"
        assert len(proxy.requests) == int(is_proxied)


@pytest.mark.parametrize("bypass", [HOST, ".example.test", f"a.test, {HOST}"])
async def test_hosts_of_the_bypass_list_are_reached_directly(authority, tmp_path, known_name, bypass):
    async with tls_server(authority.issue(HOST), *ANSWER) as server, fake_proxy({}) as proxy, network(tmp_path) as net:
        net.set(providers__custom__base_url=server.url(HOST))
        net.set(network__proxy="manual", network__proxy_url=proxy.url(), network__proxy_bypass=bypass)
        assert (await (await net.to("custom")).ask()).text() == "through"
        assert proxy.requests == []


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("given", "words"), [("", "wants a user name"), ("me:wrong-wrong", "does not accept this user")]
)
async def test_a_proxy_that_wants_a_password_is_named_not_the_provider(authority, tmp_path, scheme, given, words):
    async with fake_proxy({}, credentials=CREDENTIALS) as proxy, network(tmp_path) as net:
        net.set(providers__custom__base_url=f"{scheme}://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url(given))
        asked = await net.to("custom")
        with pytest.raises(TransportError, match=f"The proxy 127.0.0.1:{proxy.port} {words}") as caught:
            await asked.ask()
    assert "407" in caught.value.message and "Settings › Network" in caught.value.hint
    assert "wrong-wrong" not in repr(caught.value.to_record()) + net.recorded()
    assert asked.closed().error == caught.value.to_record()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_the_password_reaches_the_proxy_and_no_record(authority, tmp_path, scheme):
    leaks = " ".join((PASSWORD, IN_URL, BASIC))
    answer = (chunk(content=leaks, finish="stop"), DONE)
    async with (
        tls_server(authority.issue(HOST) if scheme == "https" else None, *answer) as server,
        fake_proxy({HOST: server.port}, credentials=CREDENTIALS) as proxy,
        network(tmp_path) as net,
    ):
        net.set(providers__custom__base_url=f"{scheme}://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url(IN_URL))
        text = (await (await net.to("custom")).ask()).text()
        assert BASIC in proxy.heads[0]
        assert BASIC.lower() not in server.heads[0]
    recorded = net.recorded() + text
    assert f"{scheme}://{HOST}/v1/chat/completions" in recorded
    for secret in (PASSWORD, "p%40ss-canary-0123", BASIC):
        assert secret not in recorded


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_that_is_down_is_named_not_the_provider(authority, tmp_path, scheme):
    async with fake_proxy({}) as proxy:
        pass
    async with network(tmp_path) as net:
        net.set(providers__custom__base_url=f"{scheme}://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url(IN_URL))
        with pytest.raises(TransportError, match=f"The proxy 127.0.0.1:{proxy.port} refused") as caught:
            await (await net.to("custom")).ask()
    assert "Settings › Network" in caught.value.hint
    assert "canary" not in repr(caught.value.to_record()) + net.recorded().replace(KEY, "")


async def test_a_proxy_that_does_not_connect_is_named_with_its_status(authority, tmp_path):
    async with fake_proxy({}) as proxy, network(tmp_path) as net:
        proxy.status = 503
        net.set(providers__custom__base_url=f"https://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url())
        with pytest.raises(TransportError, match=rf"The proxy .* did not connect to {HOST} \(status 503\)"):
            await (await net.to("custom")).ask()


async def test_behind_the_proxy_a_wrong_certificate_is_the_servers(tmp_path, authority):
    stranger = Authority(tmp_path / "stranger")
    async with (
        tls_server(stranger.issue(HOST), *ANSWER) as server,
        fake_proxy({HOST: server.port}) as proxy,
        network(tmp_path) as net,
    ):
        net.set(providers__custom__base_url=f"https://{HOST}/v1")
        net.set(network__proxy="manual", network__proxy_url=proxy.url())
        with pytest.raises(TransportError, match=f"The certificate of {HOST} is not trusted"):
            await (await net.to("custom")).ask()
        assert server.heads == []
        net.set(providers__custom__ca_file=stranger.ca_file)
        assert (await (await net.to("custom")).ask()).text() == "through"


async def test_a_proxy_may_be_spoken_to_over_tls_and_is_trusted_by_the_systems_certificates_only(tmp_path, authority):
    stranger = Authority(tmp_path / "stranger")
    async with tls_server(authority.issue(HOST), *ANSWER) as server, network(tmp_path) as net:
        net.set(providers__custom__base_url=f"https://{HOST}/v1", network__proxy="manual")
        net.set(providers__custom__ca_file=stranger.ca_file)
        for owner in (authority, stranger):
            context = server_context(owner.issue("localhost"))
            async with fake_proxy({HOST: server.port}, context=context) as proxy:
                net.set(network__proxy_url=f"https://localhost:{proxy.port}")
                if owner is authority:
                    assert (await (await net.to("custom")).ask()).text() == "through"
                else:
                    with pytest.raises(TransportError, match="The certificate of the proxy localhost"):
                        await (await net.to("custom")).ask()
                await net.registry.aclose()


@pytest.mark.parametrize("address", ["", "socks5://127.0.0.1:1080", f"http://{IN_URL}@h:port"])
async def test_a_proxy_that_cannot_be_used_is_told_before_anything_is_sent(authority, tmp_path, address):
    async with network(tmp_path) as net:
        net.set(providers__custom__base_url=f"https://{HOST}/v1", network__proxy="manual", network__proxy_url=address)
        asked = await net.to("custom")
        with pytest.raises(ConfigurationError) as caught:
            await asked.ask()
    assert "Settings › Network" in caught.value.hint
    assert "canary" not in repr(caught.value.to_record())
    assert not any(isinstance(payload, RequestSent) for payload in asked.payloads)


async def test_a_change_counts_from_the_next_request_on_and_a_running_answer_goes_on(authority, tmp_path, known_name):
    async with (
        tls_server(authority.issue(HOST), *ANSWER) as server,
        fake_proxy({HOST: server.port}) as proxy,
        network(tmp_path) as net,
    ):
        net.set(providers__custom__base_url=server.url(HOST))
        net.set(network__proxy="manual", network__proxy_url=proxy.url())
        asked = await net.to("custom")
        server.go_on.clear()
        running = asked.stream()
        assert await anext(running) is not None
        net.set(network__proxy="none")
        server.go_on.set()
        assert (await asked.ask()).text() == "through", "the same provider, without the proxy"
        assert len(proxy.requests) == 1 and server.connection_count == 2
        rest = [event async for event in running]
        assert rest
        ends = [payload for payload in asked.payloads if isinstance(payload, ResponseClosed)]
        assert [end.error for end in ends] == [None, None]
        net.set(network__proxy="manual")
        await asked.ask()
    assert len(server.heads) == 3
