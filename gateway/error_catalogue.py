"""The catalogue of errors: the house's own reasons, and what the rulebooks of the games refuse."""

from __future__ import annotations

from gateway.catalogue import Catalogue
from gateway.problem_documents import ProblemError
from gateway.problem_rows import Reason
from gateway.problems import REASONS, game_rule
from gateway.schemas.problem_types import GameMeaning, ProblemType


async def every_problem(catalogue: Catalogue) -> list[ProblemType]:
    """Give every reason. The codes of a game whose server cannot be asked, and never could, are left out."""
    meanings, _ = await _meanings(catalogue)
    rows = [*REASONS.values(), *(game_rule(code) for code in sorted(meanings) if code not in REASONS)]
    return [_told(row, meanings.get(row.name, [])) for row in rows]


async def problem(catalogue: Catalogue, name: str) -> ProblemType | None:
    """Explain a reason, or give None for one that nobody has.

    While not every game can be asked, a code that is not known may still be a game's: it is explained in general.
    """
    if (row := REASONS.get(name)) is not None:
        return _told(row, [])
    meanings, complete = await _meanings(catalogue)
    if name not in meanings and complete:
        return None
    return _told(game_rule(name), meanings.get(name, []))


async def _meanings(catalogue: Catalogue) -> tuple[dict[str, list[GameMeaning]], bool]:
    """Give what each code means in the games that have it, and whether all of them could be asked."""
    found: dict[str, list[GameMeaning]] = {}
    try:
        games = await catalogue.games()
    except ProblemError:
        return found, False
    complete = True
    for summary in games:
        try:
            description = await catalogue.describe(summary.game)
        except ProblemError:
            complete = False
            continue
        for refusal in description.refusals:
            meaning = GameMeaning(game=summary.game, rules=list(refusal.rules), meaning=refusal.meaning)
            found.setdefault(refusal.code, []).append(meaning)
    return found, complete


def _told(row: Reason, games: list[GameMeaning]) -> ProblemType:
    return ProblemType(
        reason=row.name,
        type=f"/problems/{row.name}",
        status=int(row.status),
        conditional_status=None if row.conditional_status is None else int(row.conditional_status),
        grpc_code=None if row.code is None else row.code.name,
        title=row.title,
        meaning=row.meaning,
        games=games,
    )
