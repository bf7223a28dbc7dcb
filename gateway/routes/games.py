"""The games. Public: no credential is needed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.answers import MEDIA_TYPE, json_answer
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.http.languages import KEYS, AskedLanguage
from gateway.http.pages.accept import ALSO_A_PAGE, wants_a_page
from gateway.http.pages.html import html_answer
from gateway.http.pages.rules import page
from gateway.http.path_parameters import Game
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas.fields import CatalogueLanguage
from gateway.schemas.games import Catalogue, GameDescription, GameList, ParagraphList
from gateway.schemas.tables.layout import Layout
from gateway.translate import messages
from gateway.upstream.catalogue import PublicDocument

_CACHED: Final = {"cache-control": "public, max-age=30"}


def _cached(
    document: PublicDocument, known: str | None, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return a public document, or 304 if its tag is among those that the client knows."""
    headers = {**_CACHED, "etag": document.etag, **headers}
    return not_modified(known, headers) or Response(document.body, headers=headers, media_type=MEDIA_TYPE)


router = APIRouter(tags=["games"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/games",
    operation_id="listGames",
    summary="The catalogue",
    responses={200: answer("The games.", GameList), **problems(503, 504)},
)
async def list_games(gateway: GatewayParts) -> Response:
    """List the games that this server offers."""
    games = await gateway.catalogue.games()
    return json_answer(GameList(games=[messages.game_summary(game) for game in games]), headers=_CACHED)


@router.get(
    "/v1/games/{game}",
    operation_id="describeGame",
    summary="Describe a game",
    responses={200: answer("The game.", GameDescription), **problems(404, 503, 504)},
)
async def describe_game(gateway: GatewayParts, game: Game, language: AskedLanguage) -> Response:
    """Describe a game: numbers of players, options, components, and the JSON Schemas of all its data.

    With a language, `names` says what the components are called and what they do.
    """
    described = await gateway.catalogue.describe(game, "" if language == KEYS else language)
    return json_answer(messages.game_description(described), headers=_CACHED)


@router.get(
    "/v1/games/{game}/texts/{lang}",
    operation_id="getTexts",
    summary="Get the texts of a game",
    responses={
        200: answer("Every message.", Catalogue, headers={"ETag": "Changes with the messages."}),
        304: answer("The client has them.", headers={"ETag": "The same."}),
        **problems(404, 503, 504),
    },
)
async def get_texts(
    gateway: GatewayParts,
    game: Game,
    lang: Annotated[CatalogueLanguage, Path(description="The language, as a BCP 47 tag.")],
    known: Annotated[str | None, sent_header("If-None-Match", "The entity tag of the texts the client has.")],
) -> Response:
    """Return every message of a game in one language, in ICU MessageFormat, for clients that make the sentences themselves.

    An inner text is formatted first and put in as a word; texts of a list are joined with ", ".
    """
    return _cached(await gateway.catalogue.texts(game, lang), known, {"content-language": lang})


@router.get(
    "/v1/games/{game}/layout",
    operation_id="getLayout",
    summary="Get where the things of a game are",
    responses={
        200: answer("The layout.", Layout, headers={"ETag": "Changes with the layout."}),
        304: answer("The client has it.", headers={"ETag": "The same."}),
        **problems(404, 503, 504),
    },
)
async def get_layout(
    gateway: GatewayParts,
    game: Game,
    known: Annotated[
        str | None, sent_header("If-None-Match", "The entity tag of the layout the client has.")
    ],
) -> Response:
    """Return the boards, the mats before the seats, their places with coordinates, and how seats are marked.

    The `pieces` of a table say what lies at which place, and the `targets` of actions say what to touch.
    """
    return _cached(await gateway.catalogue.layout(game), known)


@router.get(
    "/v1/games/{game}/rules",
    operation_id="listParagraphs",
    summary="What each paragraph of the rules says",
    responses={200: answer("The paragraphs.", ParagraphList), **problems(404, 503, 504)},
    dependencies=[ALSO_A_PAGE],
)
async def list_paragraphs(gateway: GatewayParts, request: Request, game: Game) -> Response:
    """Return what each paragraph says that a `rule` names, in words of our own, in English. Browsers get an HTML page.

    The page has an anchor for each paragraph; the `rule_page` of a problem leads there.
    """
    found = await gateway.catalogue.paragraphs(game)
    paragraphs = [messages.paragraph(one) for one in found.paragraphs]
    if wants_a_page(request):
        title = (await gateway.catalogue.describe(game)).summary.title
        return html_answer(page(title, paragraphs), headers=_CACHED)
    return json_answer(ParagraphList(game=game, paragraphs=paragraphs), headers=_CACHED)
