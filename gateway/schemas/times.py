"""Times in queries, as people write them by hand; what is wrong with others is said in words."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

EXAMPLE: Final = "2026-11-26T10:00:00Z"
MAX_CHARACTERS: Final = 64
_MICROSECONDS: Final = 6

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_TIME: Final = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]+))?)?"
    # A `+` that was not encoded arrives as a space.
    r"(?:[Zz]|(?P<sign>[ +-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?)?"
)


def read_time(text: str) -> datetime:
    """Return the time that a text names. Raises ValueError, which says what is wrong as the rest of a sentence.

    It may lack the seconds, or all but the date, which then begins at 00:00; and the zone, which then is UTC, as in everything
    that this API says. What is finer than a microsecond is left out; a leap second is the microsecond before it ends.
    """
    if _NUMBER.fullmatch(text):
        raise ValueError(f"is a number; write a date and time, such as {EXAMPLE}")
    found = _TIME.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    if found is None:
        raise ValueError(
            f"is not a date and time; write one such as {EXAMPLE}, or a date such as {EXAMPLE[:10]}"
        )
    number = {
        name: int(value or 0) for name, value in found.groupdict().items() if name not in {"sign", "fraction"}
    }
    _check(number)
    leap = number["second"] == 60
    fraction = (found["fraction"] or "")[:_MICROSECONDS].ljust(_MICROSECONDS, "0")
    zone = timedelta(hours=number["hours"], minutes=number["minutes"])
    moment = datetime(
        number["year"],
        number["month"],
        number["day"],
        number["hour"],
        number["minute"],
        59 if leap else number["second"],
        999_999 if leap else int(fraction),
        timezone(-zone if found["sign"] == "-" else zone),
    )
    try:
        in_utc = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("must lie in the years 1 to 9999 in UTC") from None
    if leap and (in_utc.hour, in_utc.minute) != (23, 59):
        raise ValueError("has the second 60, which only the last minute of a day in UTC can have")
    return moment


def _check(number: dict[str, int]) -> None:
    if number["year"] == 0:
        raise ValueError("has the year 0000; years go from 0001 to 9999")
    if not 1 <= number["month"] <= 12:
        raise ValueError(f"has the month {number['month']:02}; months go from 01 to 12")
    last = monthrange(number["year"], number["month"])[1]
    if not 1 <= number["day"] <= last:
        raise ValueError(f"has the day {number['day']:02}; the days of that month go from 01 to {last}")
    if number["hour"] == 24:
        raise ValueError("has the hour 24; hours go from 00 to 23, and a day ends with 00:00 of the next one")
    for name, most in (("hour", 23), ("minute", 59), ("second", 60)):
        if number[name] > most:
            raise ValueError(f"has the {name} {number[name]}; {name}s go from 00 to {min(most, 59)}")
    if number["hours"] > 23 or number["minutes"] > 59:
        raise ValueError("has a time zone that does not exist; zones go from -23:59 to +23:59")
