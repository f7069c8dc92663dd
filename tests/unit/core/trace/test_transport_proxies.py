"""Which proxy stands before a host, and what is no proxy (L16, SEC5)."""

import base64
import ssl
import traceback

import httpx
import pytest

from agdesk.core.errors import ConfigurationError, TransportError
from agdesk.core.trace.transport import ProxyChoice
from agdesk.core.trace.transport.failures import describe_proxy_failure
from agdesk.core.trace.transport.proxies import is_private_host, proxy_for

MANUAL = ProxyChoice("manual", "http://proxy.example:3128")
PASSWORD = "hunter2hunter2"
LOCAL_HOSTS = """
localhost LOCALHOST localhost. api.localhost nas printer.local 127.0.0.1 127.9.9.9 10.1.2.3 192.168.0.7 172.16.0.1
169.254.1.1 ::1 fe80::1 fd00::1
"""


def url_for(scheme: str, host: str, choice: ProxyChoice) -> str | None:
    proxy = proxy_for(scheme, host, choice)
    return proxy.url if proxy is not None else None


@pytest.fixture
def no_system_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("host", LOCAL_HOSTS.split())
@pytest.mark.parametrize("choice", [ProxyChoice(), MANUAL], ids=["system", "manual"])
def test_no_proxy_stands_before_this_machine_and_the_local_network(host, choice, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("all_proxy", "http://proxy.example:3128")
    assert is_private_host(host)
    assert proxy_for("https", host, choice) is None


def test_a_proxy_that_cannot_be_used_does_not_keep_a_local_server_from_being_asked():
    assert proxy_for("http", "127.0.0.1", ProxyChoice("manual", "socks5://127.0.0.1")) is None


def test_the_proxy_of_the_system_is_used_for_all_other_hosts(no_system_proxy, monkeypatch):
    system = ProxyChoice()
    assert url_for("https", "api.example.com", system) is None
    monkeypatch.setenv("all_proxy", "http://general:1")
    assert url_for("https", "api.example.com", system) == "http://general:1"
    monkeypatch.setenv("https_proxy", "special:2")
    assert url_for("https", "api.example.com", system) == "http://special:2"
    assert url_for("http", "api.example.com", system) == "http://general:1"
    monkeypatch.setenv("no_proxy", "example.com")
    assert url_for("https", "api.example.com", system) is None
    assert url_for("https", "8.8.8.8", system) == "http://special:2"


def test_the_users_proxy_and_no_proxy_do_not_ask_the_system(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://of.the.system:1")
    monkeypatch.setenv("no_proxy", "*")
    assert url_for("https", "api.example.com", MANUAL) == "http://proxy.example:3128"
    assert url_for("https", "api.example.com", ProxyChoice("none", MANUAL.url)) is None


@pytest.mark.parametrize(
    ("bypass", "is_bypassed"),
    [
        ("api.example.org", True),
        ("API.example.org", True),
        (".example.org", True),
        ("a.test, .example.org ,b.test", True),
        ("*", True),
        ("", False),
        (",", False),
        ("example.org", False),
        (".api.example.org", False),
        ("xample.org", False),
        (".org.uk", False),
    ],
)
@pytest.mark.parametrize("mode", ["manual", "system"])
def test_hosts_of_the_bypass_list_are_reached_directly(no_system_proxy, monkeypatch, mode, bypass, is_bypassed):
    monkeypatch.setenv("https_proxy", MANUAL.url)
    proxy = proxy_for("https", "api.example.org", ProxyChoice(mode, MANUAL.url, bypass))
    assert (proxy is None) is is_bypassed


def test_a_dot_means_what_is_below_it_and_not_a_name_that_ends_alike():
    choice = ProxyChoice("manual", MANUAL.url, ".example.org")
    assert proxy_for("https", "example.org", choice) is not None
    assert proxy_for("https", "badexample.org", choice) is not None
    assert proxy_for("https", "a.b.example.org", choice) is None


@pytest.mark.parametrize(
    ("address", "name", "url"),
    [
        ("proxy.example:3128", "proxy.example:3128", "http://proxy.example:3128"),
        (" http://proxy.example/ ", "proxy.example", "http://proxy.example"),
        ("https://u:p@proxy.example:8443", "proxy.example:8443", "https://proxy.example:8443"),
        ("http://[::1]:3128", "[::1]:3128", "http://[::1]:3128"),
    ],
)
def test_an_address_may_be_given_as_people_write_it(address, name, url):
    proxy = proxy_for("https", "api.example.org", ProxyChoice("manual", address))
    assert (proxy.name, proxy.url) == (name, url)


BAD = [
    "",
    " ",
    "http://",
    "ftp://h:1",
    "http://h:port",
    "http://h:99999",
    "http://h/proxy.pac",
    "http://h?x",
    "http://[::",
]


@pytest.mark.parametrize("address", [*BAD, "socks5://h:1080", "socks4://h", "socks5h://h"])
def test_what_is_no_proxy_is_refused_with_the_place_to_set_it_right(address):
    with pytest.raises(ConfigurationError) as caught:
        proxy_for("https", "api.example.org", ProxyChoice("manual", address))
    assert "Settings › Network" in caught.value.hint
    if address.startswith("socks"):
        assert address.partition(":")[0] in caught.value.message and "HTTP proxy" in caught.value.hint


def test_a_wrong_proxy_of_the_system_is_said_to_be_that(no_system_proxy, monkeypatch):
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(ConfigurationError, match="The system's proxy is a socks5 proxy") as caught:
        proxy_for("https", "api.example.org", ProxyChoice())
    assert "https_proxy" in caught.value.hint


@pytest.mark.parametrize("rest", ["h:port", "h/x", "h:99999"])
@pytest.mark.parametrize("scheme", ["http", "socks5", "ftp"])
def test_no_error_tells_the_password(scheme, rest):
    with pytest.raises(ConfigurationError) as caught:
        proxy_for("https", "api.example.org", ProxyChoice("manual", f"{scheme}://user:{PASSWORD}@{rest}"))
    assert PASSWORD not in "".join(traceback.format_exception(caught.value))
    assert PASSWORD not in repr(caught.value.to_record())


def test_no_repr_tells_the_password():
    choice = ProxyChoice("manual", f"http://user:{PASSWORD}@proxy.example")
    assert PASSWORD not in repr(choice) + repr(proxy_for("https", "api.example.org", choice))


def test_a_percent_sign_in_a_password_is_undone_and_every_form_of_it_is_a_secret():
    proxy = proxy_for("https", "api.example.org", ProxyChoice("manual", "http://me:p%40ssw%3Ard@proxy.example"))
    assert (proxy.user, proxy.password) == ("me", "p@ssw:rd")
    secrets = tuple(proxy.secrets())
    assert "p@ssw:rd" in secrets
    assert base64.b64encode(b"me:p@ssw:rd").decode() in secrets
    assert tuple(proxy_for("https", "api.example.org", MANUAL).secrets()) == ()


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (httpx.ConnectTimeout("x"), "did not accept a connection"),
        (httpx.ConnectError("x"), "cannot be reached"),
        (httpx.ProxyError("502 secret words"), "did not connect to api.example.org (status 502)"),
        (httpx.ProxyError("407 secret words"), "wants a user name and password"),
        (httpx.ProxyError("secret words"), "did not connect"),
        (httpx.RemoteProtocolError("secret words"), "broke the connection"),
        (ssl.SSLError("secret words"), "No secure connection"),
        (ssl.SSLCertVerificationError("secret words"), "certificate of the proxy"),
    ],
)
def test_a_failure_of_the_proxy_names_the_proxy_and_quotes_nothing(failure, words):
    if isinstance(failure, ssl.SSLCertVerificationError):
        failure.verify_code, failure.verify_message = 10, "certificate has expired"
    error = describe_proxy_failure(
        failure, "api.example.org", proxy="proxy.example:3128", has_password=False, hint="Look there."
    )
    assert type(error) is TransportError
    assert "proxy proxy.example:3128" in error.message and words in error.message
    assert "secret words" not in error.message and "Look there." in error.hint
    assert error.is_timeout is isinstance(failure, httpx.ConnectTimeout)


def test_a_password_that_is_wrong_is_told_from_one_that_is_missing():
    error = describe_proxy_failure(httpx.ProxyError("407 x"), "host", proxy="p", has_password=True, hint="Look there.")
    assert "does not accept this user name and password" in error.message
