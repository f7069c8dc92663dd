"""What the core says of failures is shown in the language of the window; what a provider says stays as it is (UX1)."""

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from agdesk.core.errors import ErrorRecord, SettingsError
from agdesk.core.providers.errors import error_from_event
from agdesk.core.settings.paths import resource
from agdesk.ui.chat.end_words import error_view
from agdesk.ui.core_words import said, words_of
from agdesk.ui.widgets.text import sentences


@pytest.fixture
def chinese(qapp):
    translator = QTranslator()
    assert translator.load(str(resource("translations", "agdesk_zh_CN.qm")))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The key store is locked", "密钥库已锁定"),
        ("api.example.org refused the connection", "api.example.org 拒绝了连接"),
        ("The proxy 10.0.0.1:3128 refused the connection", "代理 10.0.0.1:3128 拒绝了连接"),
        ("The database /a/b.db cannot be used: disk I/O error", "无法使用数据库 /a/b.db：disk I/O error"),
        ("There is no key store on this system.", "此系统上没有密钥库。"),
        ("the effort 'max' is sent as 'high'", "强度 'max' 以 'high' 发送"),
        ("Check that it runs. Leave it out.", "请检查它是否在运行。请将其去掉。"),
        ("It was tried 3 times. Send the request again.", "已尝试 3 次。请重新发送请求。"),
        (
            "The certificate of a.example is not trusted: it has expired",
            "a.example 的证书不受信任：证书已过期",
        ),
    ],
)
def test_a_text_of_the_core_is_shown_in_chinese_with_its_values(chinese, text, shown):
    assert said(text) == shown


def test_the_words_of_the_provider_stay_as_they_are(chinese):
    error = error_from_event({"error": {"message": "Slow down, please.", "type": "rate_limit_error"}}, status=429)
    message, hint = words_of(error)
    assert message.startswith("达到速率限制")
    assert message.endswith(": Slow down, please.")
    assert hint == "请稍后再发送，或选择其他模型。"


def test_an_error_of_a_stored_conversation_is_shown_in_chinese(chinese):
    view = error_view(ErrorRecord("transport_error", "a.example cannot be reached", "Send again."))
    assert (view.title, view.hint) == ("无法连接到 a.example", "请重新发送。")


@pytest.mark.parametrize("text", ["", "Überlastet. Bitte warten.", "no idea (x) {host}: y", "One. Two. "])
def test_what_the_core_never_says_is_not_changed(chinese, text):
    assert said(text) == text


def test_in_english_every_text_is_what_it_was(qapp):
    for line in resource("translations", "core.txt").read_text("utf-8").splitlines():
        text = line.replace("{", "<").replace("}", ">")
        assert said(text) == text


def test_a_message_and_its_hint_are_joined_with_the_marks_of_their_language(chinese):
    error = SettingsError("The key store is locked", "Unlock the key store and try again.")
    assert sentences(*words_of(error)) == "密钥库已锁定。请解锁密钥库后重试。"
    assert sentences("It failed", "Try again.") == "It failed. Try again."
    assert sentences("It failed", "") == "It failed"
