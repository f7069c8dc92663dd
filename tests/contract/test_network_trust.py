"""SEC5: an extra authority vouches for its own provider's server, for its names, and for nothing else."""

import pytest

from agdesk.core.errors import ConfigurationError, TransportError
from agdesk.core.trace.wire import RequestSent
from tests.contract.conversation import DONE, KEY, chunk, conversation
from tests.contract.network import network

pytest.importorskip("cryptography")

from tests.fakes.tls import Authority, tls_server

ANSWER = (chunk(content="secure", finish="stop"), DONE)
PLACE = "Settings › Providers › Extra certificate authority"


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "authority")


async def test_a_server_of_an_unknown_authority_gets_no_key(authority):
    async with tls_server(authority.issue("localhost"), *ANSWER) as server, conversation(server.url()) as asked:
        with pytest.raises(TransportError, match=r"The certificate of localhost:\d+ is not trusted: ") as caught:
            await asked.ask()
    assert PLACE in caught.value.hint
    assert server.heads == [] and asked.closed().error == caught.value.to_record()


async def test_its_provider_trusts_an_extra_authority_and_no_other_provider_does(authority, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with tls_server(authority.issue("127.0.0.1"), *ANSWER) as server, network(tmp_path) as net:
        here = server.url("127.0.0.1")
        net.set(providers__custom__base_url=here, providers__custom__ca_file=authority.ca_file)
        net.set(providers__openai__base_url=here)
        assert (await (await net.to("custom")).ask()).text() == "secure"
        with pytest.raises(TransportError, match="is not trusted"):  # although there is an open connection to it
            await (await net.to("openai")).ask()
        assert len(server.heads) == 1 and KEY not in server.heads[0]


async def test_an_authority_that_is_set_or_taken_away_counts_from_the_next_request_on(authority, tmp_path):
    async with tls_server(authority.issue("127.0.0.1"), *ANSWER) as server, network(tmp_path) as net:
        net.set(providers__custom__base_url=server.url("127.0.0.1"))
        for ca_file in (None, authority.ca_file, None):
            net.set(providers__custom__ca_file=ca_file)
            asked = await net.to("custom")
            if ca_file:
                assert (await asked.ask()).text() == "secure"
            else:
                with pytest.raises(TransportError, match="is not trusted"):
                    await asked.ask()
    assert len(server.heads) == 1


async def test_the_systems_authorities_stay_trusted_beside_an_extra_one(authority, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", authority.ca_file)
    other = Authority(tmp_path / "other").ca_file
    async with (
        tls_server(authority.issue("localhost"), *ANSWER) as server,
        conversation(server.url(), ca_file=other) as asked,
    ):
        assert (await asked.ask()).text() == "secure"


async def test_a_self_signed_certificate_is_trusted_when_it_is_itself_the_file(authority):
    certificate = authority.self_signed("localhost")
    async with (
        tls_server(certificate, *ANSWER) as server,
        conversation(server.url()) as asked,
    ):
        with pytest.raises(TransportError, match="self-signed"):
            await asked.ask()
        async with conversation(server.url(), ca_file=str(certificate)) as asked:
            assert (await asked.ask()).text() == "secure"


async def test_a_name_that_the_certificate_is_not_for_is_refused_though_the_authority_is_known(authority):
    async with (
        tls_server(authority.issue("other.localhost"), *ANSWER) as server,
        conversation(server.url(), ca_file=authority.ca_file) as asked,
    ):
        with pytest.raises(TransportError, match="is not trusted: it is for another host") as caught:
            await asked.ask()
    assert PLACE in caught.value.hint and server.heads == []


async def test_a_certificate_that_has_expired_is_refused_though_the_authority_is_known(authority):
    async with (
        tls_server(authority.issue("localhost", is_expired=True), *ANSWER) as server,
        conversation(server.url(), ca_file=authority.ca_file) as asked,
    ):
        with pytest.raises(TransportError, match="is not trusted: it has expired") as caught:
            await asked.ask()
    assert PLACE in caught.value.hint and server.heads == []


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_a_file_that_cannot_be_used_is_told_before_anything_is_sent(authority, tmp_path, content):
    file = tmp_path / "extra.pem"
    if content is not None:
        file.write_text(content)
    async with (
        tls_server(authority.issue("localhost"), *ANSWER) as server,
        conversation(server.url(), ca_file=str(file)) as asked,
    ):
        with pytest.raises(ConfigurationError) as caught:
            await asked.ask()
    assert str(file) in caught.value.message and "Fake" in caught.value.message
    assert server.connection_count == 0
    assert not any(isinstance(payload, RequestSent) for payload in asked.payloads)


async def test_a_connection_is_used_again_by_the_same_provider(authority):
    async with (
        tls_server(authority.issue("localhost"), *ANSWER) as server,
        conversation(server.url(), ca_file=authority.ca_file) as asked,
    ):
        for _ in range(3):
            await asked.ask()
    assert (len(server.heads), server.connection_count) == (3, 1)
