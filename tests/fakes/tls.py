"""Certificate authorities, the certificates they give, and a server that answers over TLS."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import ssl
from collections.abc import AsyncGenerator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

PEM = serialization.Encoding.PEM


class Authority:
    """A certificate authority that nobody knows; its name is that of ``folder``.

    Attributes:
        ca_file: its own certificate, in PEM form.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(folder.name)
        builder = _certificate(self._name, self._name, self._key.public_key(), _in_days(-10), _in_days(10))
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.ca_file = str(folder / "ca.pem")
        Path(self.ca_file).write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(PEM))

    def issue(self, host: str, *, is_expired: bool = False) -> Path:
        """The file of a certificate for ``host`` and its key."""
        return self._write(host, self._name, None, _in_days(-1 if is_expired else 1))

    def self_signed(self, host: str) -> Path:
        """The same, by no authority but the certificate itself."""
        return self._write(host, _name(host), ec.generate_private_key(ec.SECP256R1()), _in_days(1))

    def _write(
        self, host: str, issuer: x509.Name, own_key: ec.EllipticCurvePrivateKey | None, until: datetime.datetime
    ) -> Path:
        key = own_key or ec.generate_private_key(ec.SECP256R1())
        builder = _certificate(_name(host), issuer, key.public_key(), _in_days(-2), until)
        builder = builder.add_extension(x509.SubjectAlternativeName([_subject(host)]), critical=False)
        certificate = builder.sign(own_key or self._key, hashes.SHA256()).public_bytes(PEM)
        plain = serialization.NoEncryption()
        file = self._folder / f"{host}.pem"
        file.write_bytes(certificate + key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, plain))
        return file


class TlsServer:
    """What a running server is asked for.

    Attributes:
        port: on 127.0.0.1.
        heads: the heads of the requests so far, in lower case.
        connection_count: how many handshakes succeeded.
        go_on: answers are held back after their first event until it is set.
    """

    def __init__(self) -> None:
        self.port = 0
        self.heads: list[str] = []
        self.connection_count = 0
        self.go_on = asyncio.Event()
        self.go_on.set()

    def url(self, host: str = "localhost") -> str:
        """Its base URL under a name."""
        return f"https://{host}:{self.port}/v1"


@contextlib.asynccontextmanager
async def tls_server(certificate: Path | None, *events: str) -> AsyncGenerator[TlsServer, None]:
    """Answers every request with the server-sent ``events``; without a certificate over plain HTTP."""
    server = TlsServer()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connection_count += 1
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                size = next(
                    (line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length")), "0"
                )
                await reader.readexactly(int(size))
                server.heads.append(head)
                body_size = sum(len(event.encode()) for event in events)
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n")
                writer.write(b"content-length: %d\r\n\r\n" % body_size)
                for event in events:
                    writer.write(event.encode())
                    await writer.drain()
                    await server.go_on.wait()
        writer.close()

    context = server_context(certificate) if certificate is not None else None
    listener = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    server.port = listener.sockets[0].getsockname()[1]
    async with listener:
        yield server


def server_context(certificate: Path) -> ssl.SSLContext:
    """What a server listens with that has the certificate and key of a file."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    since: datetime.datetime,
    until: datetime.datetime,
) -> x509.CertificateBuilder:
    return x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number(), since, until)


def _subject(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def _in_days(count: int) -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=count)
