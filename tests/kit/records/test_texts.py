"""The checks of texts find messages that are missing, idle, unreadable, or ask for what their record does not have."""

from __future__ import annotations

from dataclasses import replace

from engine.kernel.errors import RefusalCode
from engine.kernel.text.text import NONE, Text
from engine.registry import newest
from services.kit.records import paragraphs, refusals
from services.kit.records.paragraphs import PARAGRAPHS
from services.kit.records.refusals import REFUSALS
from services.kit.records.sources import Raised
from services.kit.records.texts import TEXTS, TOLD
from tests.kit.records.planted import SIMPLE, faults, subject, with_messages

GAME = newest(SIMPLE)
ENGLISH = GAME.texts.catalogues["en"]
EVENT = next(key for key, message in ENGLISH.items() if key.startswith("event.") and "{seat}" in message)


def told(language: str, key: str, message: str) -> list[str]:
    return faults(TEXTS, with_messages(SIMPLE, language, lambda messages: messages.update({key: message})))


def test_a_missing_message_is_named_with_what_it_may_use() -> None:
    planted = with_messages(SIMPLE, "pl", lambda messages: messages.pop(EVENT))
    (fault,) = TEXTS.run(planted).faults
    assert (fault.what, fault.where) == (f"the message {EVENT} is missing", "pl.json")
    assert "seat" in fault.do


def test_a_message_without_a_record_is_named() -> None:
    assert told("fr", "event.flood", "eau") == ["no record has the message event.flood"]


def test_an_argument_that_the_record_does_not_have_is_named() -> None:
    assert (
        told("en", EVENT, "{weather}")[0]
        == f"the message {EVENT} uses weather, which its record does not have"
    )


def test_a_language_that_says_less_is_named() -> None:
    (fault,) = told("it", EVENT, "un evento")
    assert fault.startswith(f"the message {EVENT} uses ")
    assert fault.endswith("in only one of en and it")


def test_a_message_that_cannot_be_read_is_named() -> None:
    assert told("en", EVENT, "{seat")[0].startswith(f"the message {EVENT} is not ICU MessageFormat: ")
    assert told("en", EVENT, "it's")[0].startswith(f"the message {EVENT} is not ICU MessageFormat: ")
    assert f"the message {EVENT} contains `<`, which begins a tag in browsers" in told("en", EVENT, "a < b")
    assert f"the message {EVENT} contains unnecessary spaces" in told("en", EVENT, " a")


def test_what_is_absent_must_be_selected() -> None:
    class Silent(type(GAME.texts)):
        def end(self, outcome):
            return Text("end." + outcome.reason, {"winners": NONE})

    silent = Silent(**{name: getattr(GAME.texts, name) for name in GAME.texts.__dataclass_fields__})
    plain = {
        language: {
            key: "{winners}" if key.startswith("end.") else message for key, message in catalogue.items()
        }
        for language, catalogue in GAME.texts.catalogues.items()
    }
    vars(silent)["catalogues"] = plain
    said = faults(TOLD, subject(texts=silent))
    assert any(
        "in en: `winners` may be absent, and the message does not select by that" in one for one in said
    )


def test_a_text_that_no_catalogue_has_is_named() -> None:
    (key,) = {GAME.texts.event(event).key for event in subject().matches[0].steps[0].events[:1]}
    planted = with_messages(SIMPLE, "fr", lambda messages: messages.pop(key))
    assert f"fr.json has no message {key}" in faults(TOLD, planted)


def planted_refusal(monkeypatch, code: str, **given) -> None:
    raised = Raised(
        where="rules.py:1",
        code=code,
        rule=given.get("rule"),
        facts=frozenset(given.get("facts", ())),
        whole=True,
    )
    for module in (refusals, paragraphs):
        monkeypatch.setattr(module, "refusals", lambda _: [raised])


def test_a_refusal_without_the_fact_that_its_message_needs(monkeypatch) -> None:
    code = next(
        code.value
        for code in GAME.codes
        if "{" in ENGLISH[f"refusal.{code}"] and "none" not in ENGLISH[f"refusal.{code}"]
    )
    planted_refusal(monkeypatch, code, facts=("weather",))
    said = faults(REFUSALS, subject())
    assert said[0] == f"{code} comes with weather, which its meaning does not name"
    assert said[1].startswith(f"{code} is raised without ")
    assert said[1].endswith("which its message in en needs")


class Wrong(RefusalCode):
    """Codes that are not declared as they should be."""

    NO_RULE = ("NO_RULE", "", "It names none.")
    NO_MEANING = ("NO_MEANING", "99.9", "because")
    NOT_AWAY = ("NOT_AWAY", "1", "Every game has it.")


def test_codes_must_be_declared() -> None:
    said = faults(PARAGRAPHS, subject(codes=Wrong))
    assert said == [
        "NO_RULE names no paragraph",
        "NO_MEANING has no meaning in whole sentences",
        "NO_MEANING names paragraph '99.9', which paragraphs.json does not have",
        "NOT_AWAY is a code that every game has",
    ]


def test_a_refusal_by_a_paragraph_that_its_code_does_not_list(monkeypatch) -> None:
    code = next(iter(GAME.codes))
    planted_refusal(monkeypatch, code.value, rule="88.8")
    assert faults(PARAGRAPHS, subject()) == [
        f"{code} is raised by paragraph 88.8, which the code does not list"
    ]


def test_paragraphs_that_are_named_must_be_written() -> None:
    def pending(state):
        return tuple(replace_rule(one) for one in GAME.pending(state))

    def replace_rule(one):
        return type(one)(seat=one.seat, decision="nap", rule="77.7", id=one.id)

    said = faults(PARAGRAPHS, subject(pending=pending))
    assert said == ["the decision nap names paragraph '77.7', which paragraphs.json does not have"]


def test_a_paragraph_that_refers_to_none() -> None:
    texts = replace(GAME.texts)
    first = GAME.texts.paragraphs["1"]
    paragraph = type(first)(id="1", title="Aim", text="See §66.6 and [R99].")
    vars(texts)["paragraphs"] = {**GAME.texts.paragraphs, "1": paragraph}
    assert faults(PARAGRAPHS, subject(texts=texts)) == [
        "paragraph 1 refers to 66.6, which is no paragraph",
        "paragraph 1 refers to R99, which is no paragraph",
    ]


def test_a_branch_for_what_is_no_value_is_named() -> None:
    """The end of River Dragons is selected by an enum; a value that was renamed leaves its old branch behind."""
    planted = with_messages(
        "river_dragons",
        "en",
        lambda messages: messages.update(
            {"event.match_ended": messages["event.match_ended"].replace("LAST_PLAYER_LEFT", "LAST_ONE_LEFT")}
        ),
    )
    (fault,) = TEXTS.run(planted).faults
    assert fault.what == (
        "the message event.match_ended selects reason by LAST_ONE_LEFT, which is none of its values"
    )
    assert "LAST_PLAYER_LEFT" in fault.do
