"""SEC5: certificates are judged by the system's trust store."""

import asyncio
import datetime
import ssl
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("cryptography")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from agdesk.core.errors import TransportError
from tests.contract.conversation import DONE, KEY, chunk, conversation
from tests.fakes.script import END, head


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The file of a self-signed certificate for ``localhost`` and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    file.write_bytes(made.public_bytes(encoding) + key.private_bytes(encoding, form, plain))
    return file


@asynccontextmanager
async def tls_server(certificate):
    """Answers one request; gives its base URL and what it received."""
    received = []

    async def answer(reader, writer):
        received.append(await reader.readuntil(b"\r\n\r\n"))
        body = (chunk(content="secure", finish="stop") + DONE).encode()
        head_of = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n"
        writer.write(head_of % len(body) + body)
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}/v1", received


async def test_a_certificate_that_the_system_trusts_is_accepted(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with tls_server(certificate) as (url, received), conversation(url) as asked:
        assert (await asked.ask()).text() == "secure"
    assert f"bearer {KEY}" in received[0].decode().lower()


async def test_a_certificate_that_nobody_vouches_for_gets_no_key(certificate):
    async with tls_server(certificate) as (url, received), conversation(url) as asked:
        with pytest.raises(TransportError, match=r"The certificate of localhost:\d+ is not trusted: self"):
            await asked.ask()
    assert received == []


async def test_a_certificate_for_another_name_gets_no_key(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with tls_server(certificate) as (url, received), conversation(url.replace("localhost", "127.0.0.1")) as asked:
        with pytest.raises(TransportError, match="is not trusted"):
            await asked.ask()
    assert received == []


async def test_a_redirect_to_the_secure_port_of_the_same_host_is_followed(fake_server, certificate, monkeypatch):
    """T19: http to https."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with tls_server(certificate) as (url, received):
        fake_server.script(head(308, ("location", f"{url}/chat/completions"), framing="length"), END)
        async with conversation(f"http://localhost:{fake_server.port}/v1") as asked:
            assert (await asked.ask()).text() == "secure"
    request = received[0].decode().lower()
    assert f"bearer {KEY}" in request
    assert f"host: {url.split('/')[2]}\r\n" in request
