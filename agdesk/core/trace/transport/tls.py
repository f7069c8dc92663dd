"""TLS contexts: the system's certificates, and for a provider that has one an extra authority beside them (SEC5)."""

from __future__ import annotations

import os
import ssl
import sys
import threading

import truststore

from agdesk.core.errors import ConfigurationError

_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where distributions keep the certificates of the system, in one file."""


class TlsContexts:
    """Contexts that verify servers, each made once and shared. Making one takes some 35 ms: call it on a thread."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, ssl.SSLContext]] = {}
        self._making = threading.Lock()

    def get(self, ca_file: str = "", *, owner: str = "") -> ssl.SSLContext:
        """A context that trusts what the system trusts, and the authorities in ``ca_file``, as the file is now.

        Args:
            ca_file: a PEM file; empty for none.
            owner: the name of the provider whose file it is.

        Raises:
            ConfigurationError: the file cannot be used; names it and its owner.
        """
        with self._making:
            try:
                stamp_ns = os.stat(ca_file).st_mtime_ns if ca_file else 0
                made = self._made.get(ca_file)
                if made is None or made[0] != stamp_ns:
                    context = _system_context()
                    if ca_file:
                        context.load_verify_locations(cafile=ca_file)
                    made = self._made[ca_file] = (stamp_ns, context)
            except OSError as error:  # ssl.SSLError is one
                raise ConfigurationError(
                    f"The extra certificate authority of {owner} cannot be used: {ca_file}: {_reason(error)}",
                    "Choose a PEM file in Settings › Providers › Extra certificate authority, or leave it empty.",
                ) from error
            return made[1]


def _system_context() -> ssl.SSLContext:
    if sys.platform in ("win32", "darwin"):
        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Here truststore would read the system's file again in every handshake: 30 ms each, on the loop. It is read once.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_default_verify_paths()
    if not context.cert_store_stats()["x509_ca"]:  # OpenSSL came with the program and looks where it was built
        for bundle in _BUNDLES:
            if os.path.isfile(bundle):
                context.load_verify_locations(cafile=bundle)
                break
    return context


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return "it holds no certificate in PEM form"
    return error.strerror or type(error).__name__
