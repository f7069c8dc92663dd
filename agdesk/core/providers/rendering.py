"""What a provider receives for a request: pure, with the key left out; ``HttpProvider`` sends just this (PROV8)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agdesk import __version__
from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.media import with_bytes
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, ModelInfo, WireFormat, WireRequest
from agdesk.core.providers.headers import merged
from agdesk.core.providers.parameters import fitted
from agdesk.core.providers.registry import BUILTIN, wire_format
from agdesk.core.providers.repair import repaired
from agdesk.core.providers.tool_schema import offered_tools
from agdesk.core.trace.redact import is_secret_header

if TYPE_CHECKING:
    from agdesk.core.providers.registry import ProviderRegistry

MASK = "••••"
"""Stands where a secret goes."""
_BUILTIN_URL = "http://127.0.0.1:PORT/v1"  # the port is another one at every start
# compression is not asked for: proxies hold compressed streams (T20)
_OWN_HEADERS = {"accept-encoding": "identity", "user-agent": f"agdesk/{__version__}"}


@dataclass(frozen=True, slots=True)
class Rendering:
    """One request as a provider would receive it.

    Attributes:
        headers: those of the request itself; the client adds the length and the host.
        body: the JSON document.
        key_env: the environment variable that stands where the key goes; empty if there is none.
        ledger: what is dropped or changed for this provider, as ``ir.ledger`` writes it.
    """

    provider_id: str
    model: str
    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: Mapping[str, Any]
    key_env: str = ""
    ledger: tuple[str, ...] = ()


def render_for(
    request: MessageRequest, *, wire: WireFormat, endpoint: Endpoint, model: ModelInfo, has_key: bool
) -> Rendering:
    """The request as this endpoint would receive it, secrets masked.

    Args:
        request: what is asked.
        wire: the format of the endpoint.
        endpoint: as set; ``key_env`` is what stands for the key, ``MASK`` if it is empty.
        model: what is known of the model.
        has_key: whether a key is sent.

    Raises:
        ConfigurationError: the endpoint has no base URL.
    """
    if not endpoint.base_url:
        raise no_base_url(endpoint)
    key = f"${endpoint.key_env}" if endpoint.key_env else MASK
    sent = wire_request(request, wire=wire, endpoint=endpoint, model=model, api_key=key if has_key else None)
    own = {name: MASK if is_secret_header(name) else value for name, value in endpoint.headers.items()}
    return Rendering(
        provider_id=endpoint.id,
        model=request.model,
        method="POST",
        url=url_of(endpoint, sent.path),
        headers=tuple(request_headers(sent.headers, own).items()),
        body=sent.body,
        key_env=endpoint.key_env if has_key else "",
        ledger=sent.ledger,
    )


def wire_request(
    request: MessageRequest, *, wire: WireFormat, endpoint: Endpoint, model: ModelInfo, api_key: str | None
) -> WireRequest:
    """The request in the endpoint's format, without what its model does not take; the ledger says all that was done."""
    request, offers = offered_tools(request, model, calls_once=endpoint.dialect.calls_once)
    request, lines = fitted(request, model)
    endpoint = dataclasses.replace(endpoint, models=(model,))
    rendered = wire.render_request(request, endpoint=endpoint, api_key=api_key, is_streaming=True)
    body, repairs = repaired(rendered.body, model.refused, demanded=wire.demanded)
    headers = {"content-type": "application/json", **rendered.headers}
    return WireRequest(rendered.path, body, headers, (*offers, *lines, *rendered.ledger, *repairs))


def request_headers(headers: Mapping[str, str], endpoint_headers: Mapping[str, str]) -> dict[str, str]:
    """Every header of a request: agdesk's own, those of the format, and last those of the endpoint."""
    return merged(merged(_OWN_HEADERS, headers), endpoint_headers)


def url_of(endpoint: Endpoint, path: str) -> str:
    """Where a request to ``path`` goes."""
    return endpoint.base_url.rstrip("/") + path


def no_base_url(endpoint: Endpoint) -> ConfigurationError:
    """Why a provider without an address cannot be asked."""
    hint = "Set it in Settings › Providers (on the command line: --base-url)."
    if endpoint.base_url_hint:
        hint = f"Set it in Settings › Providers (on the command line: --base-url), as in {endpoint.base_url_hint}."
    return ConfigurationError(
        f"{endpoint.name} has no base URL",
        hint,
    )


def rendering_of(registry: ProviderRegistry, provider_id: str, request: MessageRequest) -> Rendering:
    """The request as a provider of the registry would receive it, known keys replaced. Call it on a thread.

    Raises:
        ConfigurationError: there is no such provider, or it cannot be reached as configured.
    """
    endpoint, place = registry.endpoint(provider_id), registry.key_place(provider_id)
    has_key = endpoint.needs_key or registry.keys.is_set(
        place.provider_id, reference=place.reference, key_env=place.key_env, account=place.account
    )
    if provider_id == BUILTIN:
        endpoint, has_key = dataclasses.replace(endpoint, base_url=_BUILTIN_URL), True
    variable = "" if place.reference == "keyring" else place.reference.removeprefix("env:") or place.key_env
    rendering = render_for(
        dataclasses.replace(request, messages=with_bytes(request.messages, registry.read_blob)),
        wire=wire_format(endpoint.wire),
        endpoint=dataclasses.replace(endpoint, key_env=variable),
        model=registry.table.info(provider_id, request.model),
        has_key=has_key,
    )
    return dataclasses.replace(rendering, body=_without_keys(rendering.body, registry.secrets.redact_text))


def _without_keys(body: Mapping[str, Any], redact: Callable[[str], str]) -> dict[str, Any]:
    """The body with known keys replaced; message by message, because a long text at once would hold up the loop."""

    def clean(value: Any) -> Any:
        text = json.dumps(value, ensure_ascii=False)
        cleaned = redact(text)
        return value if cleaned == text else json.loads(cleaned)

    return {
        name: [clean(item) for item in value] if isinstance(value, list) else clean(value)
        for name, value in body.items()
    }
