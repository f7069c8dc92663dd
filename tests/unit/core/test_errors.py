"""The tree of errors and its serialisable form."""

import pytest

from agdesk.core.errors import (
    AgdeskError,
    ConfigurationError,
    ErrorCategory,
    ErrorRecord,
    LlmError,
    ProtocolError,
    ProviderRejection,
    SettingsError,
    TransportError,
    snake_case,
)


@pytest.mark.parametrize(
    ("name", "tag"),
    [("LlmError", "llm_error"), ("ProviderRejection", "provider_rejection"), ("Text", "text"), ("", "")],
)
def test_snake_case_of_a_class_name(name, tag):
    assert snake_case(name) == tag


def test_an_error_says_what_failed_and_what_to_do():
    error = ConfigurationError("no key for groq", "add one in Settings › Providers")

    assert str(error) == "no key for groq"
    assert error.to_record() == ErrorRecord(
        "configuration_error", "no key for groq", "add one in Settings › Providers", ErrorCategory.INVALID_REQUEST
    )


def test_every_provider_error_is_caught_as_one():
    for kind in (ConfigurationError, TransportError, ProviderRejection, ProtocolError):
        assert issubclass(kind, LlmError)
    assert not issubclass(SettingsError, LlmError)
    assert issubclass(LlmError, AgdeskError)


def test_a_transport_error_may_succeed_later_and_tells_a_timeout():
    cut = TransportError("the connection was reset").to_record()
    timeout = TransportError("no data for 300 s", is_timeout=True).to_record()

    assert cut.category is ErrorCategory.TRANSPORT
    assert cut.is_retryable
    assert cut.details == {}
    assert timeout.details == {"is_timeout": True}


def test_a_rejection_carries_what_the_provider_said():
    rejection = ProviderRejection(
        "groq refused the request",
        category=ErrorCategory.RATE_LIMIT,
        status=429,
        code="rate_limit_exceeded",
        provider_message="slow down",
        retry_after_s=0.0,
        request_id="req_1",
        body='{"error": {}}',
        is_retryable=True,
    )
    record = rejection.to_record()

    assert record.category is ErrorCategory.RATE_LIMIT
    assert record.is_retryable
    assert record.details == {
        "status": 429,
        "code": "rate_limit_exceeded",
        "provider_message": "slow down",
        "retry_after_s": 0.0,
        "request_id": "req_1",
        "body": '{"error": {}}',
    }


def test_details_that_are_unknown_are_left_out():
    record = ProviderRejection("refused", category=ErrorCategory.AUTH, status=401).to_record()

    assert record.details == {"status": 401}
    assert not record.is_retryable


def test_long_bodies_and_frames_are_cut():
    rejection = ProviderRejection("refused", category=ErrorCategory.SERVER, status=502, body="x" * 100_000)
    garbage = ProtocolError("not JSON", frame="y" * 100_000, expected="an object")

    assert rejection.to_record().details["body"] == "x" * 16_384
    assert garbage.to_record().details == {"frame": "y" * 2_048, "expected": "an object"}
    assert garbage.to_record().category is ErrorCategory.PROTOCOL


def test_an_error_of_no_known_cause_says_so():
    assert SettingsError("settings.toml is not TOML").to_record().category is ErrorCategory.UNKNOWN
