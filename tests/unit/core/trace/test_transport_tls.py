"""TLS contexts: made once, an extra authority beside the system's, and what is no such file."""

import os
import shutil
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.trace.transport.failures import describe_failure
from agdesk.core.trace.transport.tls import TlsContexts

pytest.importorskip("cryptography")

from tests.fakes.tls import Authority

on_openssl = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system itself verifies")


@pytest.fixture
def ca_file(tmp_path):
    return Authority(tmp_path / "own").ca_file


def test_a_context_is_made_once_and_verifies(ca_file):
    contexts = TlsContexts()
    for file in ("", ca_file):
        context = contexts.get(file)
        assert contexts.get(file) is context
        assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname
    assert contexts.get("") is not contexts.get(ca_file)


@on_openssl
def test_where_openssl_finds_no_certificates_those_of_the_distribution_are_used(tmp_path, ca_file, monkeypatch):
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setattr("agdesk.core.trace.transport.tls._BUNDLES", (str(tmp_path / "none"), ca_file))
    assert names_in(TlsContexts().get()) == {"own"}


@on_openssl
def test_a_handshake_reads_no_certificates_again(ca_file, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", ca_file)
    context = TlsContexts().get()
    before = context.get_ca_certs()
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(Path(ca_file).parent / "later").ca_file))
    context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="api.example.org")
    assert context.get_ca_certs() == before


@on_openssl
def test_an_extra_authority_is_added_to_those_of_the_system_and_to_no_other_context(tmp_path, monkeypatch):
    system, own = Authority(tmp_path / "system"), Authority(tmp_path / "own")
    monkeypatch.setenv("SSL_CERT_FILE", system.ca_file)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))
    contexts = TlsContexts()
    assert names_in(contexts.get(own.ca_file)) == {"system", "own"}
    assert names_in(contexts.get()) == {"system"}


def names_in(context: ssl.SSLContext) -> set[str]:
    subjects: list[Any] = [certificate["subject"] for certificate in context.get_ca_certs()]
    return {dict(part[0] for part in subject)["commonName"] for subject in subjects}


def test_a_file_that_has_changed_is_read_again(ca_file, tmp_path):
    contexts = TlsContexts()
    before = contexts.get(ca_file)
    os.utime(ca_file, ns=(1, 1))
    assert contexts.get(ca_file) is not before


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "No such file"),
        (lambda path: path.write_text(""), "PEM"),
        (lambda path: path.write_text("hello"), "PEM"),
        (lambda path: path.write_bytes(b"\x30\x82\x01\x0a\x00\xff"), "PEM"),
        (lambda path: path.write_text("-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"), "PEM"),
        (lambda path: path.mkdir(), "director"),
    ],
    ids=["missing", "empty", "text", "der", "broken", "folder"],
)
def test_a_file_that_is_none_is_named_with_its_provider(tmp_path, make, reason):
    path = tmp_path / "ca.pem"
    make(path)
    with pytest.raises(ConfigurationError) as caught:
        TlsContexts().get(str(path), owner="My Server")
    assert all(word in caught.value.message for word in (str(path), "My Server", reason))
    assert "Extra certificate authority" in caught.value.hint


def test_a_file_that_became_good_is_used(tmp_path, ca_file):
    path = tmp_path / "late.pem"
    contexts = TlsContexts()
    with pytest.raises(ConfigurationError):
        contexts.get(str(path))
    shutil.copy(ca_file, path)
    assert contexts.get(str(path)).verify_mode is ssl.CERT_REQUIRED


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (9, "not valid yet"),
        (10, "has expired"),
        (18, "self-signed"),
        (19, "self-signed"),
        (20, "unable to get local issuer"),
        (62, "another host"),
        (64, "another host"),
    ],
)
def test_a_certificate_error_says_which_and_where_to_help(code, words):
    failure = ssl.SSLCertVerificationError("certificate verify failed")
    failure.verify_code, failure.verify_message = code, "unable to get local issuer certificate"
    error = describe_failure(failure, "api.example.org")
    assert error.message.startswith("The certificate of api.example.org is not trusted: ") and words in error.message
    assert "Settings › Providers › Extra certificate authority" in error.hint
