"""Texts: what players read of events, actions, refusals and parts of the game. What a whole match says is in its transcripts."""

from __future__ import annotations

import pytest

from engine.al_rashid import actions, events, owner_events
from engine.al_rashid.box.components import Colour, Favor, Good, Goods, Piece, Service, Squad
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import (
    BackReason,
    DrawnTile,
    EndReason,
    PlacedTile,
    PointSource,
    SeatScore,
    VisitStep,
)
from engine.al_rashid.game import GAME
from engine.al_rashid.phases import Decision
from engine.al_rashid.templates import FightTemplate, PayTemplate, PricedBag
from engine.kernel.errors import RuleViolation
from engine.kernel.outcome import Outcome, ScoreLine
from engine.kernel.pending import Pending
from engine.kernel.seats import PUBLIC
from engine.kernel.text.text import Text
from engine.kernel.text.texts import LANGUAGES
from services.texts.formatting import sentence

RED_3, RED_4 = (
    PlacedTile(id=number, territory="sarmatia", colour=Colour.RED, value=number) for number in (3, 4)
)
CRISIS = events.CrisisDrawn(
    crisis="turn_4",
    tiles=(RED_3, PlacedTile(id=5, territory="spice_road", colour=Colour.BLUE, value=2)),
)
DRAWN = owner_events.MercenariesDrawn(
    seat=1,
    tiles=tuple(
        DrawnTile(colour=colour, value=value)
        for colour, value in ((Colour.RED, 3), (Colour.RED, 3), (Colour.BLUE, 2))
    ),
)
PEEKED = events.TerritoryPeeked(seat=0, territory="sarmatia", source="negotiator", tiles=(RED_3, RED_4))
PAID = owner_events.GoodsPaid(seat=1, goods=Goods(silk=1, spices=1, metals=1), value=6, total=5)
VISIT = owner_events.VisitDeclared(
    seat=1,
    area="spies",
    rank=2,
    service=Service.SPY_MOVES,
    office="smuggler",
    note=True,
    favor=None,
    benevolence=None,
    total=0,
    steps=(VisitStep.OFFICE,),
)


def traded(goods: Goods, notes: int) -> events.Traded:
    return events.Traded(seat=0, territory="mare_internum", goods=goods, notes=notes)


def fought(*, beaten: tuple[PlacedTile, ...], remaining: int) -> events.Fought:
    return events.Fought(
        seat=0,
        territory="sarmatia",
        spent=Squad(red_3=1, red_4=1),
        red_strength=7,
        blue_strength=0,
        beaten=beaten,
        remaining=remaining,
    )


def ended(*ranks: int) -> events.MatchEnded:
    return events.MatchEnded(
        reason=EndReason.TURNS_PLAYED,
        scores=tuple(
            SeatScore(seat=seat, rank=rank, score=32 - rank, lines=()) for seat, rank in enumerate(ranks)
        ),
    )


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (CRISIS, "Crisis 4 (turns): red 3 on Sarmatia, blue 2 on Spice Road."),
        (
            events.PiecePlaced(seat=1, piece=Piece.MERCHANT, area="sarmatia", held=True),
            "Seat 1 places a merchant: Sarmatia (held back).",
        ),
        (
            events.AreaOpened(seat=0, area="mare_internum", ranking=(), acting=()),
            "Seat 0 resolves: Mare Internum.",
        ),
        (
            fought(beaten=(RED_3, RED_3), remaining=1),
            "Seat 0 fights with red 3, red 4; beaten: 2 × red 3; left: 1.",
        ),
        (
            owner_events.DishonorTaken(seat=2, markers=2, source="al_rashid"),
            "Seat 2 takes 2 dishonor markers: sages without a pasha, Palace of Al-Rashid.",
        ),
        (
            owner_events.DishonorTaken(seat=2, markers=1, source="enchanter"),
            "Seat 2 takes 1 dishonor marker (Enchanter).",
        ),
        (traded(Goods(), 1), "Seat 0 takes 1 credit note."),
        (traded(Goods(), 0), "Seat 0 takes nothing."),
        (owner_events.GoodsPaid(seat=1, goods=Goods(), value=0, total=0), "Seat 1 pays nothing."),
        (
            VISIT,
            "Seat 1 visits, rank 2: Palace of the Spies Guild; spy moves, office Smuggler with a credit note; cost: 0 gold.",
        ),
        (
            owner_events.PieceGained(seat=2, piece=Piece.SAGE, source="training"),
            "Seat 2 gets a sage (training).",
        ),
        (
            owner_events.ColoursNamed(seat=2, red=0, blue=0, source=VisitStep.AGHA),
            "Seat 2 can draw no mercenary (Agha).",
        ),
        (
            owner_events.SageConverted(seat=2, area=None),
            "Seat 2 turns a sage into a merchant: reserve.",
        ),
        (
            events.PiecesTakenBack(
                seat=2, area="silk_road", pashas=1, merchants=0, sages=2, reason=BackReason.CUT
            ),
            "Seat 2 takes back 1 pasha, 2 sages: Silk Road; not among the first three.",
        ),
        (
            events.StackRebuilt(colour=Colour.BLUE, tiles=Squad(blue_2=3)),
            "The blue stack is empty: its discards are shuffled, 3 mercenary tiles.",
        ),
        (
            events.MercenaryRemoved(
                seat=1, territory="sarmatia", tile=4, colour=Colour.RED, value=4, own_value=2
            ),
            "Seat 1 discards red 2 and removes red 4: Sarmatia.",
        ),
        (ended(1, 1), "Match over: Seat 0, Seat 1 win with 31 prestige points."),
    ],
)
def test_events(event, line) -> None:
    assert sentence(GAME, "en", GAME.texts.event(event)) == line


@pytest.mark.parametrize(
    ("event", "owner", "others"),
    [
        (DRAWN, "Seat 1 draws 2 × red 3, blue 2.", "Seat 1 draws 2 red mercenaries, 1 blue mercenary."),
        (
            PEEKED,
            "Seat 0 looks at the mercenaries: Sarmatia (Negotiator); red 3 (tile 3), red 4 (tile 4).",
            "Seat 0 looks at the mercenaries: Sarmatia (Negotiator); 2 red mercenaries.",
        ),
        (
            CRISIS,
            "Crisis 4 (turns): red 3 on Sarmatia, blue 2 on Spice Road.",
            "Crisis 4 (turns): red mercenary on Sarmatia, blue mercenary on Spice Road.",
        ),
    ],
)
def test_hidden_values_are_not_in_the_texts_of_others(event, owner, others) -> None:
    """§13.4 A text knows what its event knows."""
    assert sentence(GAME, "en", GAME.texts.event(event)) == owner
    assert sentence(GAME, "en", GAME.texts.event(GAME.redact(event, PUBLIC))) == others


@pytest.mark.parametrize(
    ("action", "button", "log"),
    [
        (
            actions.PlacePiece(piece=Piece.PASHA, area="spies"),
            "Place a pasha: Palace of the Spies Guild",
            "Seat 1 places a pasha: Palace of the Spies Guild.",
        ),
        (actions.DeclareVisit(), "Visit: no action", "Seat 1 declares the visit: no action."),
        (
            actions.DeclareVisit(service=True, favor=Favor.QADI),
            "Visit: service, favor Qadi",
            "Seat 1 declares the visit: service, favor Qadi.",
        ),
        (
            actions.DeclareAudience(benevolence=Good.SILK, office="agha"),
            "Audience: office Agha, benevolence (1 silk)",
            "Seat 1 declares the audience: office Agha, benevolence (1 silk).",
        ),
        (
            actions.Fight(tiles=Squad(red_3=2, blue_2=1)),
            "Fight with 2 × red 3, blue 2",
            "Seat 1 fights with 2 × red 3, blue 2.",
        ),
        (
            actions.TakeItems(goods=Goods(pottery=2), note=True),
            "Take: 2 pottery and 1 credit note",
            "Seat 1 takes: 2 pottery and 1 credit note.",
        ),
        (actions.TakeAll(good=Good.METALS), "Take all metals", "Seat 1 takes all metals."),
        (
            actions.RemoveMercenary(tile=1012, own_value=2),
            "Remove tile 1012, discarding your mercenary of value 2",
            "Seat 1 removes tile 1012, discarding a mercenary of value 2.",
        ),
    ],
)
def test_actions(action, button, log) -> None:
    assert sentence(GAME, "en", GAME.texts.action(action)) == button
    assert sentence(GAME, "en", GAME.texts.chosen(1, action)) == log


def test_templates_and_decisions() -> None:
    price = PricedBag(goods=Goods(hardwood=1), value=1)
    pay = PayTemplate(owned=Goods(hardwood=2), total=1, keep=0, cheapest=price, bags=(), listed=False)
    fight = FightTemplate(owned=Squad(red_2=1), colours=(Colour.RED,), bonus=0, listed=False)
    assert sentence(GAME, "en", GAME.texts.template(pay)) == "Pay 1 gold in goods"
    assert sentence(GAME, "en", GAME.texts.template(fight)) == "Fight"
    battle = Pending(seat=1, decision=Decision.BATTLE, rule="9.2", id="t1")
    assert sentence(GAME, "en", GAME.texts.decision(battle)) == "Fight or flee"


@pytest.mark.parametrize(
    ("code", "facts", "line"),
    [
        (Code.AREA_UNKNOWN, {"area": "atlantis"}, "You cannot choose this area here: atlantis."),
        (Code.PIECE_NOT_IN_RESERVE, {"piece": Piece.PASHA}, "You have no pasha in your reserve."),
        (
            Code.PAYMENT_WASTEFUL,
            {"total": 6, "value": 10, "goods": ("hardwood", "silk")},
            "These goods are worth 10 gold and the visit costs 6: leave out one of these goods: hardwood, silk.",
        ),
        (
            Code.NOTHING_TO_DRAW,
            {"colour": Colour.RED},
            "There are not enough red mercenaries left.",
        ),
        (
            Code.NOTHING_TO_DRAW,
            {"favor": Favor.GENERAL},
            "There are not enough mercenaries left: General.",
        ),
        (
            Code.OFFICE_ELSEWHERE,
            {"office": "smuggler", "palace": "spies"},
            "This office is not for sale here: Smuggler. It belongs to another palace: Palace of the Spies Guild.",
        ),
        (Code.NO_SAGE_THERE, {"area": "reserve"}, "You have no sage there: Reserve."),
        (
            Code.NOT_ON_TERRITORY,
            {"items": ("silk", "credit_note")},
            "There is not enough of this on the territory: silk, credit note.",
        ),
        (Code.TOO_MANY_ITEMS, {"items": 3, "limit": 2}, "You chose 3; your rank takes at most 2."),
    ],
)
def test_refusals(code, facts, line) -> None:
    assert sentence(GAME, "en", GAME.texts.refusal(RuleViolation(code, rule="1", **facts))) == line


@pytest.mark.parametrize(
    ("component", "line"),
    [
        (
            "impostor",
            "One-shot: two different favors free of charge, out of General, Court Scholar, Vizier and Qadi (cost 6, 1 prestige point).",
        ),
        ("enchanter", "One-shot: get 1 merchant, but take 1 dishonor marker (cost 12, no prestige points)."),
        (
            "dean_of_the_academy",
            "At the end of the match: 3 prestige points for 4 sages, 5 for 5 sages, 7 for 6 sages (cost 15).",
        ),
        ("silk_road", "Goods: 4 silk, 2 spices, 1 metal, 1 hardwood; 1 credit note."),
        (
            "turn_5",
            "Red mercenaries: Silk Road, Sarmatia, Abbasid Caliphate, Nilus Valley.",
        ),
        ("train_pasha", "Get 1 pasha, up to 3 in all (cost 11, 13 or 15 by rank)."),
        ("court_scholar", "Take 1 credit note (cost 2)."),
    ],
)
def test_descriptions(component, line) -> None:
    assert sentence(GAME, "en", Text(f"component.{component}.text")) == line


def test_scores_and_the_end() -> None:
    """§12 The lines of offices have the names of the offices."""
    pashas = ScoreLine(reason=PointSource.PASHAS, rule="12.1", points=6)
    office = ScoreLine(reason="law_expert", rule="12.2", points=1)
    over = Outcome(reason=EndReason.TURNS_PLAYED, rule="12.6", winners=(1, 2), results=())
    assert sentence(GAME, "en", GAME.texts.score_line(pashas)) == "Pashas"
    assert sentence(GAME, "en", GAME.texts.score_line(office)) == "Law Expert"
    assert (
        sentence(GAME, "en", GAME.texts.end(over)) == "Five turns have been played. Victory: Seat 1, Seat 2."
    )


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            traded(Goods(pottery=2), 1),
            (
                "Seat 0 takes 2 pottery and 1 credit note.",
                "Giocatore 0 prende 2 vasellame e 1 nota di credito.",
                "Joueur 0 prend 2 poteries et 1 note de crédit.",
                "Gracz 0 bierze 2 żetony ceramiki i 1 list kredytowy.",
            ),
        ),
        (
            PAID,
            (
                "Seat 1 pays 1 metal, 1 spice, 1 silk: worth 6 gold.",
                "Giocatore 1 paga 1 metallo, 1 spezia, 1 seta: valore 6 ori.",
                "Joueur 1 paie 1 métal, 1 épice, 1 soie : valeur 6 or.",
                "Gracz 1 płaci 1 żeton metali, 1 żeton przypraw, 1 żeton jedwabiu: wartość 6 sztuk złota.",
            ),
        ),
        (
            GAME.redact(DRAWN, PUBLIC),
            (
                "Seat 1 draws 2 red mercenaries, 1 blue mercenary.",
                "Giocatore 1 pesca 2 mercenari rossi, 1 mercenario blu.",
                "Joueur 1 pioche 2 mercenaires rouges, 1 mercenaire bleu.",
                "Gracz 1 dobiera: 2 czerwonych najemników, 1 niebieski najemnik.",
            ),
        ),
        (
            ended(2, 1),
            (
                "Match over: Seat 1 wins with 31 prestige points.",
                "Partita conclusa: vince Giocatore 1 con 31 punti prestigio.",
                "Partie terminée : Joueur 1 gagne avec 31 points de prestige.",
                "Partia zakończona: wygrywa Gracz 1, 31 punktów prestiżu.",
            ),
        ),
    ],
)
def test_four_languages(event, lines) -> None:
    """The French lines have a no-break space before a colon or a semicolon."""
    shown = tuple(sentence(GAME, language, GAME.texts.event(event)) for language in LANGUAGES)
    assert shown == tuple(line.replace(" :", "\u00a0:").replace(" ;", "\u00a0;") for line in lines)
