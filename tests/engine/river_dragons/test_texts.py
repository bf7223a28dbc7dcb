"""What a player reads: sentences made of the records and the catalogues. What a whole match says is in its transcripts."""

from __future__ import annotations

import pytest

from engine.kernel.errors import RuleViolation
from engine.kernel.outcome import Outcome
from engine.kernel.seats import PUBLIC, Seat, seat_audience
from engine.kernel.text.text import Text
from engine.kernel.text.texts import LANGUAGES
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.components import (
    COLOURS_IN_PLAY,
    Card,
    Colour,
    Plank,
    Variant,
    destination_of,
    full_reserve,
    hand_of,
    plank_id,
    village_of,
)
from engine.river_dragons.errors import Code
from engine.river_dragons.events import (
    EndReason,
    FallReason,
    LossReason,
    MatchEnded,
    MatchStarted,
    PartLost,
    PawnFell,
    PawnJumped,
    PlankChosen,
    PlankLaid,
    PlankLost,
    PlankRemoved,
    ProgramSubmitted,
    RiverDragonsEvent,
    SeatLeft,
    SeatSetup,
    StonePlaced,
    StoneRemoved,
)
from engine.river_dragons.game import GAME
from engine.river_dragons.templates import ProgramTemplate
from engine.river_dragons.text.texts import TEXTS
from services.texts.formatting import sentence

RED_5 = Plank(colour=Colour.RED, size=5)
GREEN_3 = Plank(colour=Colour.GREEN, size=3)
BLUE_6 = Plank(colour=Colour.BLUE, size=6)
BRIDGE = plank_id("I07", "I16")
AT_RED = plank_id("V-red", "I26")
PROGRAM = (Card.STONE2, Card.PLANK1, Card.DRAGON_RED, Card.MOVE1, Card.JUMP)

SUBMITTED = ProgramSubmitted(seat=2, cards=PROGRAM)
IN_WATER = StonePlaced(seat=0, stone="S3", x=120, y=-1340, supply=24)
LAID = PlankLaid(seat=0, id=BRIDGE, plank=RED_5, a="I07", b="I16")
LAID_AT_VILLAGE = PlankLaid(seat=0, id=AT_RED, plank=GREEN_3, a="I26", b="V-red")
JUMPED = PawnJumped(seat=1, from_place="V-red", over=2, over_place=AT_RED, to_place=BRIDGE)
JUMPED_HOME = PawnJumped(seat=1, from_place=BRIDGE, over=2, over_place=AT_RED, to_place="V-red")
FELL = PawnFell(seat=2, from_place=BRIDGE, to_place="V-pink", reason=FallReason.NO_STEP)


def read(text: Text, language: str = "en") -> str:
    return sentence(GAME, language, text)


def started(seats: int, round_limit: int | None = None) -> MatchStarted:
    colours = COLOURS_IN_PLAY[seats]
    return MatchStarted(
        variant=Variant.ISLANDS,
        seats=tuple(
            SeatSetup(
                seat=seat,
                colour=colour,
                start=village_of(colour),
                destination=destination_of(colour),
                hand=hand_of(colour, colours),
                reserve=full_reserve(colour),
            )
            for seat, colour in enumerate(colours)
        ),
        order=tuple(Seat(seat) for seat in reversed(range(seats))),
        first_player=Seat(0),
        supply=27,
        round_limit=round_limit,
    )


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (IN_WATER, "Seat 0 places stone S3 in the water at 120, -1340."),
        (
            PartLost(seat=0, card=Card.STONE2, part=2, reason=LossReason.SUPPLY_EMPTY),
            "Seat 0 loses the action: no stone left in the supply.",
        ),
        (StoneRemoved(seat=1, stone="S3", supply=27), "Seat 1 returns stone S3 to the supply."),
        (JUMPED_HOME, "Seat 1 jumps over Seat 2 and lands in the red village."),
        (
            SeatLeft(seat=1, from_place=BRIDGE, to_place="V-red", planks=(RED_5, GREEN_3)),
            "Seat 1 leaves for good: the pawn returns to the start village. Out of the game: red plank 5, green plank 3.",
        ),
        (
            SeatLeft(seat=1, from_place=BRIDGE, to_place="V-red", planks=()),
            "Seat 1 leaves for good: the pawn returns to the start village.",
        ),
        (
            MatchEnded(reason=EndReason.LAST_PLAYER_LEFT, winners=(1,)),
            "Match over: everybody else has left, Seat 1 wins.",
        ),
        (
            MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()),
            "Match over: round limit reached without a winner, a draw.",
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_every_event_is_a_line_of_the_log(event: RiverDragonsEvent, line: str) -> None:
    assert read(TEXTS.event(event)) == line


def test_the_public_reads_no_card_of_a_program() -> None:
    assert read(TEXTS.event(GAME.redact(SUBMITTED, PUBLIC))) == "Seat 2 submits a program."
    its_own = GAME.redact(SUBMITTED, seat_audience(Seat(2)))
    assert read(TEXTS.event(its_own)).startswith("Seat 2 submits a program: Place 2 stones, ")


@pytest.mark.parametrize(
    ("round_limit", "words"),
    [
        (None, "Clockwise: Seat 1, Seat 0."),
        (1, " Without a winner after 1 round, it is a draw."),
        (12, " Without a winner after 12 rounds, it is a draw."),
        (0, " There is no round limit."),
    ],
)
def test_a_match_begins_with_its_round_limit_if_somebody_chose_one(
    round_limit: int | None, words: str
) -> None:
    assert read(TEXTS.event(started(2, round_limit))).endswith(words)


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            PlankChosen(seat=0, plank=RED_5),
            {
                "en": "Seat 0 chooses red plank 5.",
                "it": "Giocatore 0 sceglie l’asse rossa 5.",
                "fr": "Joueur 0 choisit la planche rouge 5.",
                "pl": "Gracz 0 wybiera czerwoną deskę 5.",
            },
        ),
        (
            LAID,
            {
                "en": "Seat 0 lays red plank 5: I07 to I16.",
                "it": "Giocatore 0 colloca l’asse rossa 5: da I07 a I16.",
                "fr": "Joueur 0 pose la planche rouge 5 : de I07 à I16.",
                "pl": "Gracz 0 kładzie czerwoną deskę 5: od I07 do I16.",
            },
        ),
        (
            LAID_AT_VILLAGE,
            {
                "en": "Seat 0 lays green plank 3: I26 to the red village.",
                "it": "Giocatore 0 colloca l’asse verde 3: da I26 al villaggio rosso.",
                "fr": "Joueur 0 pose la planche verte 3 : de I26 au village rouge.",
                "pl": "Gracz 0 kładzie zieloną deskę 3: od I26 do czerwonej wioski.",
            },
        ),
        (
            PlankLost(seat=0, plank=BLUE_6),
            {
                "en": "No place for blue plank 6: out of the game.",
                "it": "Nessun posto per l’asse blu 6: fuori dalla partita.",
                "fr": "Aucune place pour la planche bleue 6 : hors jeu.",
                "pl": "Brak miejsca na niebieską deskę 6: poza grą.",
            },
        ),
        (
            PlankRemoved(seat=1, id=BRIDGE, plank=GREEN_3),
            {
                "en": "Seat 1 takes green plank 3 into the reserve.",
                "it": "Giocatore 1 prende l’asse verde 3 nella riserva.",
                "fr": "Joueur 1 prend la planche verte 3 dans sa réserve.",
                "pl": "Gracz 1 zabiera zieloną deskę 3 do rezerwy.",
            },
        ),
        (
            JUMPED,
            {
                "en": "Seat 1 jumps over Seat 2 and lands on plank I07–I16.",
                "it": "Giocatore 1 salta Giocatore 2 e atterra sull’asse I07–I16.",
                "fr": "Joueur 1 saute par-dessus Joueur 2 et atterrit sur la planche I07–I16.",
                "pl": "Gracz 1 przeskakuje pionek (Gracz 2) i ląduje na desce I07–I16.",
            },
        ),
        (
            FELL,
            {
                "en": "Seat 2 falls into the river: back to the start village (no way to move).",
                "it": "Giocatore 2 cade nel fiume: torna al villaggio di partenza (nessun movimento possibile).",
                "fr": "Joueur 2 tombe dans le fleuve : retour au village de départ (aucun déplacement possible).",
                "pl": "Gracz 2 wpada do rzeki: powrót do wioski startowej (brak możliwości ruchu).",
            },
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, dict) else "",
)
def test_the_log_in_four_languages(event: RiverDragonsEvent, lines: dict[str, str]) -> None:
    told = {language: read(TEXTS.event(event), language) for language in LANGUAGES}
    assert {language: line.replace("\N{NO-BREAK SPACE}", " ") for language, line in told.items()} == lines


@pytest.mark.parametrize(
    ("action", "button", "line"),
    [
        (
            SubmitProgram(cards=PROGRAM),
            "Submit the program",
            "Seat 1 submits a program: Place 2 stones, Place 1 plank, Red dragon, 1 Move, Jump over another pawn.",
        ),
        (
            PlaceStone(island="I07"),
            "Place a stone on island I07",
            "Seat 1 places a stone on island I07.",
        ),
        (
            PlaceStoneAt(x=1120, y=-40),
            "Place a stone in the water at 1120, -40",
            "Seat 1 places a stone in the water at 1120, -40.",
        ),
        (ChoosePlank(size=5), "Choose plank 5", "Seat 1 chooses plank 5."),
        (
            LayPlank(a="V-red", b="I26"),
            "Lay the plank: I26 to the red village",
            "Seat 1 lays the plank: I26 to the red village.",
        ),
        (RemovePlank(plank=BRIDGE), "Take plank I07–I16", "Seat 1 takes plank I07–I16."),
        (
            RemoveStone(support="I07"),
            "Take the stone on island I07",
            "Seat 1 takes the stone on island I07.",
        ),
        (Step(to="V-red"), "Move to: Red village", "Seat 1 moves to: Red village."),
        (
            Jump(over=2, to="V-red"),
            "Jump over Seat 2 and land in the red village",
            "Seat 1 jumps over Seat 2 and lands in the red village.",
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_every_action_has_a_button_and_a_line(action: RiverDragonsAction, button: str, line: str) -> None:
    assert read(TEXTS.action(action)) == button
    assert read(TEXTS.chosen(Seat(1), action)) == line


def test_a_program_begins_with_a_button_of_its_own() -> None:
    template = ProgramTemplate(cards=hand_of(Colour.PINK, COLOURS_IN_PLAY[2]), slots=5, max_dragons=1)
    assert [read(TEXTS.template(template), language) for language in LANGUAGES] == [
        "Choose 5 cards",
        "Scegli 5 carte",
        "Choisir 5 cartes",
        "Wybierz 5 kart",
    ]


@pytest.mark.parametrize(
    ("violation", "told"),
    [
        (
            RuleViolation(Code.WRONG_NUMBER_OF_CARDS, rule="5", cards=4, expected=5),
            "A program has 5 cards; you chose 4.",
        ),
        (
            RuleViolation(Code.CARD_NOT_IN_HAND, rule="3", card=Card.DRAGON_PINK, slot=2),
            "Position 2, Pink dragon: this card is not in your hand. Your dragons are those of the other colours in play.",
        ),
        (
            RuleViolation(Code.PLANK_NOT_IN_RESERVE, rule="7.2", size=2, sizes=(1, 3, 4)),
            "Your reserve has no plank 2. It has: 1, 3, 4.",
        ),
        (
            RuleViolation(Code.PLANK_NOT_IN_RESERVE, rule="7.2", size=2, sizes=()),
            "Your reserve has no plank 2.",
        ),
        (
            RuleViolation(Code.SUPPORT_FULL, rule="7.2", support="V-red", limit=3),
            "This support is full (Red village): it carries at most 3 planks.",
        ),
        (
            RuleViolation(Code.CROSSES_PLANK, rule="7.2", planks=(BRIDGE, AT_RED), supports=("I03", "V-red")),
            "Here the plank would cross or touch: I07–I16, I26–V-red. It would also pass over: I03, Red village.",
        ),
        (
            RuleViolation(Code.CROSSES_PLANK, rule="7.2", planks=(BRIDGE,), supports=()),
            "Here the plank would cross or touch: I07–I16.",
        ),
        (
            RuleViolation(Code.THIRD_COLOUR, rule="7.3", size=5, colour="green", colours=("blue", "red")),
            "Your reserve holds at most two colours (blue, red); green would be the third.",
        ),
        (
            RuleViolation(Code.PLANK_OCCUPIED, rule="7.3", plank=BRIDGE, seat=1),
            "You cannot take plank I07–I16: a pawn stands on it (Seat 1).",
        ),
        (
            RuleViolation(Code.NOT_ADJACENT, rule="7.4", place="V-red", from_place=BRIDGE),
            "These places are not next to each other: plank I07–I16, Red village.",
        ),
        (
            RuleViolation(Code.PLACE_UNKNOWN, rule="7.4", place="nowhere"),
            "There is no such place on the board: nowhere.",
        ),
    ],
    ids=lambda value: str(value.code) if isinstance(value, RuleViolation) else "",
)
def test_a_refusal_says_what_would_be_right(violation: RuleViolation, told: str) -> None:
    assert read(TEXTS.refusal(violation)) == told


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (
            Card.STONE1,
            (
                "Place 1 stone on an island without a stone (expert side: in free water), not under a plank; "
                "if that is impossible, nothing happens."
            ),
        ),
        (
            Card.PLANK1,
            (
                "Choose 1 plank of your reserve, then lay it between two stones, or a stone and a village, "
                "with at most 3 planks at each; if it fits nowhere, it is out of the game."
            ),
        ),
        (
            Card.REMOVE,
            (
                "Take 1 plank without a pawn into your reserve (one of each size, at most two colours), "
                "or put 1 stone without planks back into the supply."
            ),
        ),
        (
            Card.MOVE1,
            (
                "Move your pawn 1 step, onto a free adjacent plank or into a village; "
                "if it cannot move, it falls into the river and returns to the start village."
            ),
        ),
        (
            Card.JUMP,
            (
                "Jump over 1 pawn on an adjacent plank and land on a free plank or in a village next to it, not where you were; "
                "if you cannot, your pawn falls into the river and returns to the start village."
            ),
        ),
        (
            Card.DRAGON_RED,
            "Cancels the card of the red player in the same position, unless it is a dragon.",
        ),
    ],
    ids=str,
)
def test_a_card_says_what_it_does(card: Card, told: str) -> None:
    assert read(Text(f"component.{card}.text")) == told


def test_the_end_names_the_winner() -> None:
    outcome = Outcome(reason=EndReason.DESTINATION_REACHED, rule="8", winners=(Seat(1),), results=())
    assert read(TEXTS.end(outcome)) == "Seat 1 reaches the destination village and wins."
    draw = Outcome(reason=EndReason.ROUND_LIMIT, rule="R23", winners=(), results=())
    assert read(TEXTS.end(draw)) == "The round limit is reached without a winner: a draw."
