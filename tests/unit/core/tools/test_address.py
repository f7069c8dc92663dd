"""Addresses are read strictly, and those of the own network are told apart."""

import pytest

from agdesk.core.tools.address import Address, is_reachable_by_all, parse_address, parse_host


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://Example.com", Address("https", "example.com", 443)),
        ("http://a.b-c_d.e:8080/x", Address("http", "a.b-c_d.e", 8080)),
        ("http://[::1]:8000/", Address("http", "::1", 8000)),
        ("http://[2001:DB8::0001]/", Address("http", "2001:db8::1", 80)),
        ("http://192.0.2.1", Address("http", "192.0.2.1", 80)),
        ("https://a/ünicode?ä", Address("https", "a", 443)),
    ],
)
def test_a_plain_address_is_read(text, address):
    assert parse_address(text) == address
    assert address.has_usual_port is (address.port in (80, 443))


@pytest.mark.parametrize(
    "text",
    [
        "", "example.com", "ftp://a", "https://", "https:///a", "https://u@a/", "https://a b/", "https://a/ b",
        "https://a\n/", "https://a/\x7f", "https://a\\b", "https://a./", "https://a..b/", "https://ä.de/", "https://a:/",
        "https://a:70000/", "https://[::1/", "https://[g::]/", "https://[1.2.3.4.5]/", "http://1/", "http://0x7f000001/",
        "http://127.1/", "http://010.0.0.1/", "http://a.0x1/", "https://\u212aelvin.org/", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_could_be_read_in_two_ways_is_no_address(text):
    assert parse_address(text) is None


def test_a_host_alone_is_read_with_and_without_a_port():
    assert parse_host("A.example:99") == Address("", "a.example", 99)
    assert parse_host("a.example") == Address("", "a.example", None)
    assert parse_host("a/b") is None and parse_host("ä") is None


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_addresses_of_the_open_internet(address):
    assert is_reachable_by_all(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not(address):
    assert not is_reachable_by_all(address)
