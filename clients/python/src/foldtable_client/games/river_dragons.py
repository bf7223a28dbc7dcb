"""What river_dragons calls its actions, events and views: written by `make docs` from the OpenAPI document, not by hand."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Box(TypedDict):
    """A rectangle, in board units."""

    height: int
    """How high it is."""
    width: int
    """How wide it is."""
    x: int
    """Where its left side is, to the right of the centre of the board; negative to the left of it."""
    y: int
    """Where its upper side is, below the centre of the board; negative above it."""


class Capsule(TypedDict):
    """A straight segment to keep away from: the axis of a plank."""

    min_distance: int
    """How many board units the stone's centre must be away; exactly this far is legal."""
    x1: int
    """Where one end is, in board units to the right of the centre of the board."""
    x2: int
    """Where the other end is, in board units to the right of the centre of the board."""
    y1: int
    """Where one end is, in board units below the centre of the board."""
    y2: int
    """Where the other end is, in board units below the centre of the board."""


class CardBegun(TypedDict):
    """A seat begins to carry out its card (§4)."""

    card: Card
    """The card that the seat carries out."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["card_begun"]
    """Which kind it is."""


class ChoosePlank(TypedDict):
    """The player chooses a plank of the own reserve; the choice is binding (§7.2)."""

    size: int
    """Plank number, 1 (shortest) to 6 (longest)."""
    type: Literal["choose_plank"]
    """Which kind it is."""


class Circle(TypedDict):
    """A point to keep away from: the centre of a village or of a stone."""

    min_distance: int
    """How many board units the stone's centre must be away; exactly this far is legal."""
    x: int
    """Where the point is, in board units to the right of the centre of the board."""
    y: int
    """Where the point is, in board units below the centre of the board."""


class FirstPlayerPassed(TypedDict):
    """The first player's card passes to the left; players who have left are skipped (§4) [F6]."""

    from_seat: int
    """The seat that had the card, counted from 0."""
    to_seat: int
    """The seat that has the card now, counted from 0."""
    type: Literal["first_player_passed"]
    """Which kind it is."""


class IslandSite(TypedDict):
    """An island; it is a support while a stone stands on it (§2)."""

    id: str
    """The id of the island, such as `I07`."""
    radius: int
    """Its radius in board units."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""


class Jump(TypedDict):
    """The player's pawn jumps over a pawn on an adjacent plank (§7.5)."""

    over: int
    """The seat whose pawn is jumped over, counted from 0."""
    to: str
    """The id of the plank or village where the pawn lands."""
    type: Literal["jump"]
    """Which kind it is."""


class LayPlank(TypedDict):
    """The player lays the chosen plank between two supports, in whichever order they are named (§7.2)."""

    a: str
    """The id of one support: a village, an island with a stone, or a stone of the expert side."""
    b: str
    """The id of the other support."""
    type: Literal["lay_plank"]
    """Which kind it is."""


class MatchEnded(TypedDict):
    """The match is over (§8)."""

    reason: EndReason
    """What ended the match."""
    type: Literal["match_ended"]
    """Which kind it is."""
    winners: list[int]
    """The seats that have won; empty for a draw."""


class MatchStarted(TypedDict):
    """The match begins (§3)."""

    first_player: int
    """The seat that begins the first round, counted from 0."""
    order: list[int]
    """All seats in clockwise order, which is drawn and does not depend on the villages [R3]."""
    round_limit: NotRequired[int | None]
    """After how many rounds without a winner the match is a draw: absent for 40, and 0 if it never is
    [R23].
    """
    rules_version: NotRequired[str | None]
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""
    seats: list[SeatSetup]
    """What each seat begins with, in order of seats."""
    supply: int
    """How many stones are in the supply."""
    type: Literal["match_started"]
    """Which kind it is."""
    variant: Variant
    """Which side of the board is played."""


class Measures(TypedDict):
    """Sizes to draw with, in board units (§14). A plank fits between two supports if the distance of their
    centres is at most its length plus both radii, less twice `plank_overlap`.
    """

    plank_overlap: int
    """How far a plank must lie on each of its supports."""
    plank_width: int
    """How wide a plank is."""
    planks: list[PlankKind]
    """The sizes of planks, from the shortest to the longest."""
    stone_radius: int
    """The radius of a stone."""


class OpenCard(TypedDict):
    """The card that is being carried out, and what is to be decided for it now (§7)."""

    card: Card
    """The card that is being carried out."""
    decision: Decision
    """What is to be decided now."""
    part: int
    """The part of the card that is being carried out, counted from 1."""
    parts: int
    """How many parts the card has."""
    plank: NotRequired[Plank | None]
    """The plank that was chosen and must be laid; absent unless a plank is to be laid (§7.2)."""
    seat: int
    """The seat that carries it out, counted from 0."""


class Outcome(TypedDict):
    """The end of a match. `reason` is a stable code of the game; no winners means a draw."""

    reason: str
    """Stable code of the game for how it ended, such as "DESTINATION_REACHED"; `ABORTED` if the match was
    aborted.
    """
    results: list[SeatResult]
    """Every seat's result, in order of seats. None if the match was aborted."""
    rule: str
    """Paragraph of the rules by which it ended, such as "7.2" (the list of paragraphs says what it says)."""
    winners: list[int]
    """The winning seats. None: a draw, or no result."""


class PartLost(TypedDict):
    """A part of a card cannot be carried out, and nothing happens for it (§7) [R7]."""

    card: Card
    """The card of which a part is lost."""
    part: int
    """Which part of the card is lost, 1 or 2."""
    reason: LossReason
    """Why it is lost."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["part_lost"]
    """Which kind it is."""


class PawnFell(TypedDict):
    """A player's pawn falls: it goes back to its own village, and the card is over (§7) [R9]."""

    from_place: str
    """The id of the plank or village from which the pawn falls."""
    reason: FallReason
    """Why the pawn falls."""
    seat: int
    """The seat this is about, counted from 0."""
    to_place: str
    """The id of the pawn's own village, where it is now."""
    type: Literal["pawn_fell"]
    """Which kind it is."""


class PawnJumped(TypedDict):
    """A player's pawn jumps over another pawn (§7.5)."""

    from_place: str
    """The id of the plank or village that the pawn leaves."""
    over: int
    """The seat whose pawn is jumped over, counted from 0."""
    over_place: str
    """The id of the plank on which that pawn stands."""
    seat: int
    """The seat this is about, counted from 0."""
    to_place: str
    """The id of the plank or village where the pawn lands."""
    type: Literal["pawn_jumped"]
    """Which kind it is."""


class PawnStepped(TypedDict):
    """A player's pawn makes one step (§7.4)."""

    from_place: str
    """The id of the plank or village that the pawn leaves."""
    seat: int
    """The seat this is about, counted from 0."""
    to_place: str
    """The id of the plank or village where the pawn is now."""
    type: Literal["pawn_stepped"]
    """Which kind it is."""


class Pending(TypedDict):
    """An open decision of one seat. It is public: everybody may know which seats must act, and what they
    must decide.
    """

    decision: str
    """Stable name of the kind of decision, such as "program"."""
    id: str
    """Identifies this decision within its match."""
    rule: str
    """Paragraph of the rules that asks for it, such as "7.2" (the list of paragraphs says what it says)."""
    seat: int
    """The seat that must decide, counted from 0."""
    simultaneous: NotRequired[bool]
    """Several seats decide secretly at the same time, so their answers do not conflict with each other."""


class PlaceStone(TypedDict):
    """The player puts a stone on an island (§7.1)."""

    island: str
    """The id of the island, such as `I07`."""
    type: Literal["place_stone"]
    """Which kind it is."""


class PlaceStoneAt(TypedDict):
    """The player puts a stone with its centre on a point of the water, on the expert side (§9)."""

    type: Literal["place_stone_at"]
    """Which kind it is."""
    x: int
    """Board units, origin in the centre."""
    y: int
    """Board units, origin in the centre."""


class Plank(TypedDict):
    """One of the 36 planks; each exists once."""

    colour: Colour
    """The colour of the plank, which it keeps wherever it is."""
    size: int
    """Plank number, 1 (shortest) to 6 (longest)."""


class PlankChosen(TypedDict):
    """A player chooses a plank of the own reserve, where it stays until it is laid or lost (§7.2)."""

    plank: Plank
    """The plank that is chosen, with its colour and size."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["plank_chosen"]
    """Which kind it is."""


class PlankKind(TypedDict):
    """One size of plank; there is one plank of it in each colour."""

    length: int
    """How long a plank of this size is, in board units."""
    size: int
    """The size, 1 to 6."""


class PlankLaid(TypedDict):
    """A player lays a plank (§7.2)."""

    a: str
    """The id of one support."""
    b: str
    """The id of the other support."""
    id: str
    """The id of the plank while it lies on the board: its two supports, such as `I07~I16`."""
    plank: Plank
    """The plank that is laid, with its colour and size."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["plank_laid"]
    """Which kind it is."""


class PlankLost(TypedDict):
    """The chosen plank fits nowhere and leaves the game (§7.2)."""

    plank: Plank
    """The plank that leaves the game, with its colour and size."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["plank_lost"]
    """Which kind it is."""


class PlankOnBoard(TypedDict):
    """A plank on the board. It is drawn along the straight line between the centres of its supports
    (§7.2).
    """

    a: str
    """The id of one support."""
    ax: int
    """Where the centre of `a` is, in board units to the right of the centre of the board."""
    ay: int
    """Where the centre of `a` is, in board units below the centre of the board."""
    b: str
    """The id of the other support."""
    bx: int
    """Where the centre of `b` is, in board units to the right of the centre of the board."""
    by: int
    """Where the centre of `b` is, in board units below the centre of the board."""
    id: str
    """The id of the plank while it lies on the board: its two supports, such as `I07~I16`."""
    length: int
    """How long the plank is, in board units. It may reach beyond its supports, which has no effect [R13]."""
    plank: Plank
    """Which plank it is, with its colour and size."""


class PlankRemoved(TypedDict):
    """A player takes a plank from the board into the own reserve (§7.3)."""

    id: str
    """The id that the plank had on the board."""
    plank: Plank
    """The plank that is taken, with its colour and size."""
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["plank_removed"]
    """Which kind it is."""


class Point(TypedDict):
    """A point of the board."""

    x: int
    """How many board units the point is to the right of the centre of the board."""
    y: int
    """How many board units the point is below the centre of the board."""


class ProgramSubmitted(TypedDict):
    """A player submits a program, which cannot be changed any more (§5)."""

    cards: NotRequired[list[Card] | None]
    """The five cards, in the order of the slots. Left out for audiences that may not see them: all but the
    player and a referee (§10).
    """
    seat: int
    """The seat this is about, counted from 0."""
    type: Literal["program_submitted"]
    """Which kind it is."""


class ProgramTemplate(TypedDict):
    """The programs that are legal: all ordered choices of `slots` different `cards`, with at most
    `max_dragons` dragons (§5).
    """

    cards: list[Card]
    """The cards of the hand."""
    max_dragons: int
    """How many of them may be dragons."""
    slots: int
    """How many cards a program has."""
    type: Literal["submit_program"]
    """Which kind it is."""


class Region(TypedDict):
    """Where the centre of a stone may be: inside the water, and far enough from its edge, all circles and
    all capsules.
    """

    capsules: list[Capsule]
    """The planks to keep away from."""
    circles: list[Circle]
    """The villages and stones to keep away from."""
    edge_min_distance: int
    """How many board units the stone's centre must be away from every side of the water; exactly this far
    is legal.
    """
    water: list[Point]
    """The corners of the water, which is a convex polygon, clockwise on the screen."""


class RemovePlank(TypedDict):
    """The player takes a plank from the board into the own reserve (§7.3)."""

    plank: str
    """The id of the plank on the board, such as `I07~I16`."""
    type: Literal["remove_plank"]
    """Which kind it is."""


class RemoveStone(TypedDict):
    """The player puts a stone that carries no plank back into the supply (§7.3)."""

    support: str
    """The id of the stone: that of its island, or its own on the expert side."""
    type: Literal["remove_stone"]
    """Which kind it is."""


class RevealedCard(TypedDict):
    """The card that one seat shows in a slot (§6)."""

    cancelled_by: NotRequired[list[int]]
    """The seats whose dragons cancel the card; empty if it is carried out, or is a dragon."""
    card: Card
    """The card that the seat has in this slot."""
    seat: int
    """The seat this is about, counted from 0."""


class RevealedSlot(TypedDict):
    """A slot of this round that everybody has seen (§6)."""

    cards: list[RevealedCard]
    """The cards, in order of seats; a seat that has left shows none."""
    slot: int
    """The number of the slot, 1 to 5."""


class RiverDragonsOptions(TypedDict):
    """What is chosen before a match begins. The number of players is not an option: it is the number of
    seats.
    """

    round_limit: NotRequired[int | NoLimit]
    """After how many complete rounds without a winner the match is a draw. If left out it is 40 and is not
    stored, so that options of matches under older rules stay the same; rules before 1.2.0 refuse any
    value [R23] [F14].
    """
    variant: NotRequired[Variant]
    """Which side of the board is played (§9)."""


class RiverDragonsView(TypedDict):
    """The match as an audience sees it (§10)."""

    first_player: int
    """The seat that begins this round, counted from 0."""
    islands: list[IslandSite]
    """The islands; none on the expert side."""
    lost_planks: list[Plank]
    """The planks that are out of the game for good."""
    measures: Measures
    """Sizes to draw with."""
    open_card: OpenCard | None
    """The card that is being carried out; absent if none is."""
    order: list[int]
    """All seats in clockwise order [R3]."""
    outcome: Outcome | None
    """How the match ended; absent while it is played."""
    pending: list[Pending]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    planks: list[PlankOnBoard]
    """The planks on the board, in the order in which they were laid."""
    programs: list[SeatProgram]
    """The programs of this round that the audience may see: a seat sees its own, a referee all, the public
    none.
    """
    revealed: list[RevealedSlot]
    """The slots of this round that were revealed so far."""
    round: int
    """The number of the round, counted from 1."""
    round_limit: int
    """The number of the round after which the match is a draw; 0 if it never is [R23]."""
    seats: list[SeatView]
    """The players, in order of seats."""
    slot: int
    """The number of the slot that was revealed last in this round, 1 to 5; 0 while the players program."""
    stage: Stage
    """Where the match is."""
    stones: list[StoneOnBoard]
    """The stones on the board, in the order in which they were placed."""
    supply: int
    """How many stones are in the supply."""
    to_come: list[int]
    """The seats whose cards of this slot are still to be carried out, in order; the seat of the open card
    is not among them.
    """
    variant: Variant
    """Which side of the board is played."""
    view_box: Box
    """The rectangle that a front end draws."""
    villages: list[VillageSite]
    """The six villages; those of unused colours are among them."""
    water: list[Point]
    """The corners of the water, which is a convex polygon, clockwise on the screen."""


class RoundEnded(TypedDict):
    """All five slots of a round are done (§4)."""

    round: int
    """The number of the round, counted from 1."""
    type: Literal["round_ended"]
    """Which kind it is."""


class RoundStarted(TypedDict):
    """A round begins: all cards are back in the hands, and everybody programs (§4)."""

    first_player: int
    """The seat that begins this round, counted from 0."""
    round: int
    """The number of the round, counted from 1."""
    type: Literal["round_started"]
    """Which kind it is."""


class ScoreLine(TypedDict):
    """Points from one source. `reason` is a stable code of the game, `rule` its paragraph."""

    points: int
    """The points, which may be negative."""
    reason: str
    """Stable code of the game for the source of the points."""
    rule: str
    """Paragraph of the rules that gives the points, such as "7.2" (the list of paragraphs says what it
    says).
    """


class SeatLeft(TypedDict):
    """A player leaves for good: the pawn goes home, the reserve leaves the game, and the remaining slots
    are empty [R29].
    """

    from_place: str
    """The id of the plank or village where the pawn was."""
    planks: list[Plank]
    """The planks of the reserve, which leave the game."""
    seat: int
    """The seat this is about, counted from 0."""
    to_place: str
    """The id of the pawn's own village, where it is now."""
    type: Literal["seat_left"]
    """Which kind it is."""


class SeatProgram(TypedDict):
    """A whole program, whether its slots were revealed or not (§5)."""

    cards: list[Card]
    """The five cards, in the order of the slots."""
    seat: int
    """The seat this is about, counted from 0."""


class SeatResult(TypedDict):
    """One seat's result. `rank` 1 is best; tied seats share a rank. `score` is the sum of `breakdown`, or
    None without points.
    """

    breakdown: NotRequired[list[ScoreLine]]
    """Where the points come from."""
    rank: int
    """The rank of the seat. 1 is the best; seats that are tied share a rank."""
    score: NotRequired[int | None]
    """The sum of the breakdown. Absent in a game without points."""
    seat: int
    """The seat, counted from 0."""


class SeatSetup(TypedDict):
    """What one seat begins with (§3)."""

    colour: Colour
    """The colour of the seat."""
    destination: str
    """The id of the village opposite, which its pawn must reach to win."""
    hand: list[Card]
    """The cards in its hand, which are the same in every round."""
    reserve: list[Plank]
    """The planks in its reserve: one of each size, of its colour."""
    seat: int
    """The seat this is about, counted from 0."""
    start: str
    """The id of the village where its pawn starts."""


class SeatView(TypedDict):
    """One player; everybody sees all of it (§10)."""

    colour: Colour
    """The colour of the player."""
    destination: str
    """The id of the village opposite, which the player's pawn must reach to win."""
    hand: list[Card]
    """The cards in the player's hand. Everybody knows them, since all hands are full at the beginning of
    every round.
    """
    left: bool
    """Whether the player has left the match for good [R29]."""
    pawn: str
    """The id of the plank or village where the player's pawn is."""
    reserve: list[Plank]
    """The planks in the player's reserve."""
    seat: int
    """The seat this is about, counted from 0."""
    start: str
    """The id of the player's own village."""
    submitted: bool
    """Whether the player has submitted a program in this round."""


class SlotRevealed(TypedDict):
    """All players show their cards of a slot at the same time (§6)."""

    acting: list[int]
    """The seats whose cards are carried out now, in the order of play."""
    cards: list[RevealedCard]
    """The cards, in order of seats; a seat that has left shows none."""
    round: int
    """The number of the round, counted from 1."""
    slot: int
    """The number of the slot, 1 to 5."""
    type: Literal["slot_revealed"]
    """Which kind it is."""


class Step(TypedDict):
    """The player moves the own pawn one step: to a free adjacent plank or to a village (§7.4)."""

    to: str
    """The id of the plank or village where the pawn goes."""
    type: Literal["step"]
    """Which kind it is."""


class StoneOnBoard(TypedDict):
    """A stone on the board (§7.1)."""

    id: str
    """The id of the stone: that of its island, or its own on the expert side."""
    radius: int
    """Its radius in board units."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""


class StonePlaced(TypedDict):
    """A player puts a stone on the board (§7.1)."""

    seat: int
    """The seat this is about, counted from 0."""
    stone: str
    """The id of the stone: that of its island, or its own on the expert side."""
    supply: int
    """How many stones are left in the supply."""
    type: Literal["stone_placed"]
    """Which kind it is."""
    x: int
    """Where the stone's centre is, in board units to the right of the centre of the board."""
    y: int
    """Where the stone's centre is, in board units below the centre of the board."""


class StoneRemoved(TypedDict):
    """A player puts a stone from the board back into the supply (§7.3)."""

    seat: int
    """The seat this is about, counted from 0."""
    stone: str
    """The id that the stone had on the board."""
    supply: int
    """How many stones are in the supply now."""
    type: Literal["stone_removed"]
    """Which kind it is."""


class StoneTemplate(TypedDict):
    """The stones that are legal on the expert side: all integer points of the region (§9)."""

    region: Region
    """Where the stone's centre may be."""
    type: Literal["place_stone_at"]
    """Which kind it is."""


class SubmitProgram(TypedDict):
    """The player submits a program: five different cards of the hand for slots 1 to 5, at most one of them
    a dragon. It is final once it is accepted (§5).
    """

    cards: list[Card]
    """The five cards, in the order of the slots."""
    type: Literal["submit_program"]
    """Which kind it is."""


class VillageSite(TypedDict):
    """A village; it is always a support (§2)."""

    colour: Colour
    """The colour of the village."""
    destination: str
    """The id of the village opposite, which the pawn of this colour must reach."""
    id: str
    """The id of the village, such as `V-red`."""
    radius: int
    """Its radius in board units."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""


Action = (
    SubmitProgram
    | PlaceStone
    | PlaceStoneAt
    | ChoosePlank
    | LayPlank
    | RemovePlank
    | RemoveStone
    | Step
    | Jump
)
"""What a seat asks the server to do for its open decision."""


Card = Literal[
    "dragon:black",
    "dragon:blue",
    "dragon:green",
    "dragon:pink",
    "dragon:red",
    "dragon:yellow",
    "jump",
    "move1",
    "move2",
    "plank1",
    "plank2",
    "remove",
    "stone1",
    "stone2",
]
"""The cards. A hand is eight action cards and a dragon for every other colour in play (§1)."""


Colour = Literal["black", "blue", "green", "pink", "red", "yellow"]
"""The colours of the players; each has a village, a pawn and six planks (§1)."""


Decision = Literal["jump", "plank_pair", "plank_size", "program", "remove", "step", "stone"]
"""The kinds of decisions (§11)."""


EndReason = Literal["DESTINATION_REACHED", "LAST_PLAYER_LEFT", "ROUND_LIMIT"]
"""What ends a match (§8)."""


Event = (
    MatchStarted
    | RoundStarted
    | ProgramSubmitted
    | SlotRevealed
    | CardBegun
    | StonePlaced
    | PartLost
    | PlankChosen
    | PlankLaid
    | PlankLost
    | PlankRemoved
    | StoneRemoved
    | PawnStepped
    | PawnJumped
    | PawnFell
    | RoundEnded
    | FirstPlayerPassed
    | SeatLeft
    | MatchEnded
)
"""Something that happened in the match."""


FallReason = Literal["no_landing", "no_step", "nobody_to_jump"]
"""Why a pawn falls (§7)."""


LossReason = Literal["no_legal_place", "no_target", "reserve_empty", "supply_empty"]
"""Why a part of a card is lost (§7)."""


NoLimit = Literal["none"]
"""What `round_limit` has in place of a number of rounds."""


Options = RiverDragonsOptions
"""What is chosen before a match begins. The number of players is not an option: it is the number of
seats.
"""


Stage = Literal["ended", "executing", "programming"]
"""Where the match is."""


Template = ProgramTemplate | StoneTemplate
"""A set of legal actions that can be too large to list."""


Variant = Literal["expert", "islands"]
"""Which side of the board is played."""


View = RiverDragonsView
"""The match as an audience sees it (§10)."""
