"""Generated clients in Java, Go and Python: the document is taken as it is served, and they compile and play whole matches."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.registry import GAMES
from tests.support import generated_clients as clients
from tests.support.several_of_each import Several

LANGUAGES = {"java": clients.compile_java, "go": clients.compile_go, "python": clients.compile_python}

Client = tuple[str, list[str], Path]
"""Its language, the command that plays a match with it, and where to start that."""


@pytest.fixture(scope="module", params=LANGUAGES)
def client(
    request: pytest.FixtureRequest, stack: Several, tmp_path_factory: pytest.TempPathFactory
) -> Client:
    """Generate and compile a client, once for all matches."""
    language = str(request.param)
    if clients.why_not(language):
        pytest.skip(clients.why_not(language))
    folder = tmp_path_factory.mktemp(language)
    clients.generate(language, folder, stack.urls[0])
    return language, LANGUAGES[language](folder), folder


@pytest.mark.timeout(600)  # generates and compiles some 500 files
@pytest.mark.parametrize("game", GAMES)
def test_a_generated_client_plays_a_whole_match(stack: Several, client: Client, game: str) -> None:
    language, command, folder = client
    settings = {"FOLDTABLE_URL": stack.urls[0], "FOLDTABLE_KEY": stack.key}
    *lines, last = clients.run(*command, game, folder=folder, **settings).splitlines()
    match_id, version, reason = last.split()
    with stack.client(stack.key) as platform:
        path = f"/v1/matches/{match_id}"
        match = platform.get(path).json()
        assert (match["status"], match["game"]) == ("ended", game)
        assert (match["version"], match["outcome"]["reason"]) == (int(version), reason)
        assert platform.get(f"{path}/verify").json()["ok"]
        moves = platform.get(f"{path}/moves", params={"page_size": 1000, "audience": "referee"}).json()[
            "moves"
        ]
    made = {move["version"]: move["action"] for move in moves if move["version"] > 1}
    assert len(made) == int(version) - 1
    if language in {"java", "python"}:  # every action was read as the class of its kind
        told = {int(number): kind for number, _, kind in (line.partition(" ") for line in lines)}
        assert {number: kind.endswith(camel(made[number]["type"])) for number, kind in told.items()} == (
            dict.fromkeys(made, True)
        )
    elif game == "river_dragons":  # every program, and nothing else, was read as one
        programs = {n: action["cards"] for n, action in made.items() if action["type"] == "submit_program"}
        told_cards = {int(n): cards.strip("[]").split() for n, _, cards in (x.partition(" ") for x in lines)}
        assert programs
        assert told_cards == programs
    else:
        assert lines == [], "no action of another game was read as a program"


def test_every_operation_or_model_is_there(stack: Several, client: Client) -> None:
    """Each in the class of its tag: two tags with one name would be one class, with the operations of one of them."""
    language, _, folder = client
    with stack.client(None) as anybody:
        document = anybody.get("/openapi.json").json()
    paths = document["paths"]
    if language == "python":  # there are models only: each that is not in a module of a game
        classes = clients.run(
            sys.executable, "-c", "import foldtable_models; print(*dir(foldtable_models))", folder=folder
        )
        assert {name for name in document["components"]["schemas"] if "." not in name} <= {*classes.split()}
        return
    for item in paths.values():
        for operation in item.values():
            tag, name = operation["tags"][0], operation["operationId"]
            if language == "java":
                source = folder / f"java/src/main/java/org/foldtable/api/{camel(tag)}Api.java"
                assert f" {name}(" in source.read_text(), name
            else:
                source = folder / f"go/api_{tag}.go"
                assert f"APIService) {name[0].upper()}{name[1:]}(" in source.read_text(), name


def camel(tag: str) -> str:
    return "".join(word.capitalize() for word in tag.split("_"))
