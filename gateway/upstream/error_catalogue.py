"""The catalogue of errors: the server's own reasons, and the rule codes of the games."""

from __future__ import annotations

from gateway.problems.document import ProblemError
from gateway.problems.reasons import REASONS, ProblemReason, game_rule
from gateway.schemas.problem_types import GameMeaning, ProblemType
from gateway.upstream.catalogue import Catalogue


async def every_problem(catalogue: Catalogue) -> list[ProblemType]:
    """Return every reason, except the codes of games whose server could never be reached."""
    meanings, _ = await _meanings(catalogue)
    rows = [*REASONS.values(), *(game_rule(code) for code in sorted(meanings) if code not in REASONS)]
    return [_explained(row, meanings.get(row.name, [])) for row in rows]


async def problem(catalogue: Catalogue, name: str) -> ProblemType | None:
    """Return the explanation of a reason; None if the reason does not exist.

    While some game's server cannot be reached, an unknown code may still be that game's and gets a general explanation.
    """
    if (row := REASONS.get(name)) is not None:
        return _explained(row, [])
    meanings, complete = await _meanings(catalogue)
    if name not in meanings and complete:
        return None
    return _explained(game_rule(name), meanings.get(name, []))


async def _meanings(catalogue: Catalogue) -> tuple[dict[str, list[GameMeaning]], bool]:
    """Return what each code means in the games that have it, and whether all games could be asked."""
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


def _explained(row: ProblemReason, games: list[GameMeaning]) -> ProblemType:
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
