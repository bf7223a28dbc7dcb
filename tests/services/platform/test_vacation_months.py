"""How much of a month is left: what falls into each calendar month of UTC, and not a second more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from services.platform.vacations.months import Shortage, Span, month_of, shortage

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def at(year: int, month: int, day: int, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


def days(since: datetime, number: float) -> Span:
    return Span(since, since + number * DAY)


def test_a_vacation_over_the_end_of_a_month_counts_in_each_with_its_part() -> None:
    six_and_four = days(at(2027, 1, 26), 10)
    assert shortage(six_and_four, [], 6) is None
    assert shortage(six_and_four, [], 5) == Shortage("2027-01", 5 * DAY)
    assert shortage(days(at(2027, 2, 1), 2), [six_and_four], 6) is None
    assert shortage(days(at(2027, 2, 10), 2.5), [six_and_four], 6) == Shortage("2027-02", 2 * DAY)
    assert shortage(days(at(2027, 1, 1), 0.001), [six_and_four], 6) == Shortage("2027-01", timedelta())


@pytest.mark.parametrize(("year", "length"), [(2027, 28), (2028, 29), (2000, 29), (2100, 28)])
def test_a_whole_february(year: int, length: int) -> None:
    february = Span(at(year, 2, 1), at(year, 3, 1))
    assert shortage(february, [], length) is None
    assert shortage(february, [], length - 1) == Shortage(f"{year}-02", (length - 1) * DAY)
    assert shortage(days(at(year, 3, 1), 31), [february], 31) is None
    assert shortage(days(at(year, 1, 1), 31), [february], 31) is None


def test_the_last_second_is_the_players_and_the_next_is_none() -> None:
    taken = [days(at(2027, 4, 1), 3), days(at(2027, 4, 20), 2)]
    wanted = Span(at(2027, 4, 10), at(2027, 4, 12))
    assert shortage(wanted, taken, 7) is None
    longer = Span(wanted.since, wanted.until + timedelta(microseconds=1))
    assert shortage(longer, taken, 7) == Shortage("2027-04", 2 * DAY)


def test_the_first_month_with_too_little_is_told() -> None:
    """A vacation of a year takes as many days as the month has; only months of 31 days have too little here."""
    year = Span(at(2027, 4, 15), at(2028, 4, 14))
    assert shortage(year, [], 31) is None
    assert shortage(year, [], 30) == Shortage("2027-05", 30 * DAY)
    assert shortage(year, [days(at(2027, 4, 1), 14.5)], 30) == Shortage("2027-04", 15.5 * DAY)


def test_over_the_end_of_a_year() -> None:
    wanted = days(at(2026, 12, 30), 4)
    assert shortage(wanted, [days(at(2027, 1, 10), 5)], 7) is None
    assert shortage(wanted, [days(at(2027, 1, 10), 6)], 7) == Shortage("2027-01", 1 * DAY)
    assert shortage(wanted, [days(at(2026, 12, 10), 6)], 7) == Shortage("2026-12", 1 * DAY)


def test_fewer_days_than_are_taken_already_leave_nothing() -> None:
    taken = [days(at(2027, 4, 1), 9)]
    assert shortage(days(at(2027, 4, 20), 1), taken, 7) == Shortage("2027-04", timedelta())
    assert shortage(days(at(2027, 5, 1), 7), taken, 7) is None, "another month"


def test_months_are_those_of_utc() -> None:
    """Four o'clock in the morning in Tokyo is still the month before."""
    tokyo = timezone(timedelta(hours=9))
    assert month_of(datetime(2027, 3, 1, 4, tzinfo=tokyo)) == at(2027, 2, 1)
    wanted = Span(datetime(2027, 3, 1, 4, tzinfo=tokyo), datetime(2027, 3, 1, 9, tzinfo=tokyo))
    assert shortage(wanted, [days(at(2027, 2, 1), 1)], 1) == Shortage("2027-02", timedelta())
    assert shortage(wanted, [days(at(2027, 3, 1), 1)], 1) is None
