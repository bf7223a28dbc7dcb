"""Webhooks go to the public Internet and to nobody's private network."""

from __future__ import annotations

import pytest

from services.process.bounds import MAX_URL
from services.webhooks.addresses import is_loopback, is_public
from services.webhooks.urls import check_url

PRIVATE = {
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "this network": ["0.0.0.0", "0.1.2.3", "::"],
    "private use, RFC 1918": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    "carrier-grade NAT, RFC 6598": ["100.64.0.1", "100.127.255.255"],
    "link-local, where clouds keep their metadata": ["169.254.169.254", "fe80::1", "fe80::1%eth0"],
    "unique local, RFC 4193": ["fc00::1", "fd00:ec2::254"],
    "site-local, deprecated": ["fec0::1"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1"],
    "broadcast and reserved": ["255.255.255.255", "240.0.0.1"],
    "documentation and benchmarks": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1"],
    "protocol assignments": ["192.0.0.1", "100::1"],
    "IPv4 in IPv6, mapped": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::ffff:8.8.8.8"],
    "IPv4 in IPv6, compatible": ["::127.0.0.1", "::10.0.0.1"],
    "NAT64": ["64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::a00:1"],
    "6to4 and Teredo": ["2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "no address at all": ["", "localhost", "127.1", "0x7f.1", "2130706433"],
}


@pytest.mark.parametrize(
    "address", [pytest.param(one, id=f"{what}: {one}") for what, all_ in PRIVATE.items() for one in all_]
)
def test_an_address_that_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001::1"])
def test_an_address_that_is(address: str) -> None:
    assert is_public(address)
    assert not is_loopback(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_known_in_every_spelling(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hooks",
        "https://example.com:8443/hooks?key=1",
        "https://[2606:4700:4700::1111]/hooks",
        "https://1.1.1.1",
    ],
)
def test_a_url_an_endpoint_may_have(url: str) -> None:
    check_url(url, loopback=False)


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("http://example.com/", "https"),
        ("ftp://example.com/", "https"),
        ("file:///etc/passwd", "https"),
        ("example.com", "https"),
        ("https://", "host"),
        ("https:///hooks", "host"),
        ("https://example.com:0/", "host"),
        ("https://example.com:99999/", "not a URL"),
        ("https://[::1/", "not a URL"),
        ("https://ann:secret@example.com/", "user"),
        ("https://example.com/#part", "fragment"),
        ("https://example.com\\@127.0.0.1/", "characters"),
        ("https://example.com/a b", "characters"),
        ("https://exämple.com/", "xn--exmple-cua.com"),
        ("https://example.com/ä", "characters"),
        ("https://exämple..com/", "characters"),
        ("https://example.com/" + "a" * MAX_URL, "characters"),
        ("https://127.0.0.1/", "public"),
        ("https://169.254.169.254/latest/meta-data", "public"),
        ("https://[::ffff:10.0.0.1]/", "public"),
        ("https://localhost/", "public"),
        ("https://db.internal./", "public"),
    ],
)
def test_a_url_no_endpoint_may_have(url: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        check_url(url, loopback=False)


def test_developers_may_use_their_own_machine_and_no_other() -> None:
    check_url("http://127.0.0.1:9000/hooks", loopback=True)
    check_url("http://localhost:9000/hooks", loopback=True)
    with pytest.raises(ValueError, match="public"):
        check_url("http://10.0.0.1/", loopback=True)
