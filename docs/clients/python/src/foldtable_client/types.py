"""The API's objects as they travel: written by `make docs` from the gateway's own types, not by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Action = dict[str, Any]
"""What a seat does; the game says which fields it has."""
Components = dict[str, Any]
"""What is in the box; the game says which fields it has."""
Event = dict[str, Any]
"""What happened; the game says which fields it has."""
Options = dict[str, Any]
"""How a match is set up; the game says which fields it has."""
RequestedAction = dict[str, Any]
"""What was asked for: an action, or an undo; the game says which fields it has."""
Template = dict[str, Any]
"""A set of actions too large to list; the game says which fields it has."""
View = dict[str, Any]
"""What an audience sees of the table; the game says which fields it has."""


class Audience(TypedDict):
    """For whose eyes something was made."""

    kind: Literal["public", "referee", "seat"]
    """A seat, everybody, or somebody who sees all."""
    seat: int | None
    """The seat; null unless `kind` is `seat`."""


class Clock(TypedDict):
    """The clock of a match."""

    kind: Literal["budget", "per_move"]
    """`per_move`: every decision has the same time. `budget`: a seat has one time for all its decisions,
    and gains the increment with each that begins.
    """
    seconds: int
    """Of each decision, or of the match; at most 30 days."""
    increment_seconds: int
    """Of a budget, with each decision that begins."""
    absent: Literal["bot", "forfeit", "policy"]
    """What happens to a seat whose time is up. `policy`: the house does what the game's policy says.
    `bot`: the same, and a bot takes the seat until its player takes it back. `forfeit`: the seat leaves
    for good.
    """
    away_after: int
    """So many times out in a row make a seat away: the house decides for it at once until it returns."""


class Clocks(TypedDict):
    """What each seat has left."""

    as_of: str
    """The server's time when they were read: deadlines are by the same clock."""
    seats: list[SeatClock]
    """What each has left, by seat."""


class CreateMatchRequest(TypedDict):
    """A new match."""

    game: str
    """A game's id."""
    seats: int
    """Number of players."""
    options: NotRequired[Options]
    players: NotRequired[list[str]]
    """Players by seat; may be shorter than `seats`."""
    open_seats: NotRequired[bool]
    """Hand out no seats now: the match waits until all have been taken by joining."""
    seating: NotRequired[list[SeatPlan]]
    """Every seat by itself, instead of `players` and `open_seats`; unsaid: all are handed out."""
    visibility: NotRequired[Literal["private", "public", "unlisted"]]
    """Who finds it, beside those at the table and the tenant: nobody, whoever was told its id, or
    everybody.
    """
    start: NotRequired[Literal["on_demand", "when_full"]]
    """With its last seat taken, or when somebody at the table says so."""
    title: NotRequired[str]
    """Shown in listings."""
    undo: NotRequired[Literal["consent", "free", "none"]]
    """What may be taken back: nothing; own moves, as long as nothing was drawn, revealed or answered
    since; or beyond that whatever all others agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for its answers, in seconds."""
    clock: NotRequired[NewClock | None]
    """How much time it gives; unsaid: nobody is hurried."""
    rules_version: NotRequired[str]
    """The rules it is played by, one of the game's `rules_versions`; unsaid: the newest. It keeps them."""
    request_id: NotRequired[str | None]


class CreatedMatch(TypedDict):
    """The new match, with a token per seat that was handed out and an invite per seat that is kept for
    one.
    """

    match: Match
    seat_tokens: list[SeatToken]
    """A token for each seat that was handed out."""
    invites: list[Invite]
    """An invite for each seat that is kept for one."""


class Credential(TypedDict):
    """What the credential of this request is good for."""

    kind: Literal["api_key", "invite", "referee", "seat", "spectator"]
    """What kind of credential it is."""
    tenant: str | None
    """API keys: whose it is."""
    key_id: str | None
    """API keys: its id."""
    scopes: list[str]
    """API keys: what it is good for."""
    match_id: str | None
    """Match tokens: the match."""
    game: str | None
    """Match tokens: its game."""
    seat: int | None
    """Seat tokens and invites: the seat."""
    expires_at: str | None
    """When it stops being good; null: never by itself."""
    rate_limits: list[RateLimit]
    """Its buckets."""


class FeedMatch(TypedDict):
    """How a match stands."""

    match_id: str
    """The match."""
    game: str
    """Its game."""
    version: int
    """Number of moves so far, the start included."""
    status: Literal["ended", "running", "waiting"]
    """Whether it waits for players, is played, or is over."""
    to_act: list[int]
    """The seats that are waited for."""
    waiting_for: list[str]
    """The players in those seats, where they have an id."""
    waiting_for_me: bool | None
    """The feed's player is waited for; null on a tenant's feed."""
    waiting_bots: list[WaitingBot]
    """The bots that are waited for."""


class FieldProblem(TypedDict):
    """One part of a request that is wrong. One of `pointer`, `parameter` and `header` says where."""

    code: str
    """Stable, such as `UNKNOWN_FIELD`."""
    detail: str
    """In words, for people; they may change."""
    pointer: NotRequired[str]
    """JSON pointer into the body (RFC 6901); empty for the body as a whole."""
    parameter: NotRequired[str]
    """Name of the query parameter."""
    header: NotRequired[str]
    """Name of the request header."""


class FollowingMatch(TypedDict):
    """The match that follows, with the tokens of every taken seat, or of the caller's own."""

    match: Match
    seat_tokens: list[SeatToken]
    """The tokens of every taken seat, or of the caller's own."""


class ForkRequest(TypedDict):
    """A match that begins at a table of another one."""

    version: NotRequired[int | None]
    """At whose table it begins; unsaid: the newest."""
    audience: NotRequired[Literal["public", "referee", "seat"] | None]
    """Whose knowledge is kept, the rest is dealt again; unsaid: that of the token's own seat, or the
    public's for an API key.
    """
    seat: NotRequired[int | None]
    """With the audience `seat`: which."""
    seating: NotRequired[list[SeatPlan]]
    """Every seat by itself; unsaid: all are handed out. For API keys only, and so are `visibility` and
    `start`.
    """
    visibility: NotRequired[Literal["private", "public", "unlisted"]]
    """Who finds it."""
    start: NotRequired[Literal["on_demand", "when_full"]]
    """What begins it."""
    title: NotRequired[str]
    """Shown in listings."""
    undo: NotRequired[Literal["consent", "free", "none"]]
    """What may be taken back; nothing goes back before the fork."""
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for its answers, in seconds."""
    request_id: NotRequired[str | None]


class ForkedFrom(TypedDict):
    """Where a fork begins."""

    match_id: str
    """A match."""
    version: int
    """At whose table it begins."""
    audience: Audience
    """Whose knowledge was kept; the rest was dealt again."""


class GameDescription(TypedDict):
    """Everything about a game that is not about a match."""

    game: str
    """A game's id."""
    title: str
    """Its name, for people."""
    edition: str
    """The printed edition it follows."""
    rules_version: str
    """The rules new matches begin with."""
    rules_versions: list[RulesVersion]
    """Every version of the rules that can be played, newest first."""
    seat_counts: list[int]
    """Numbers of players the game is for."""
    bot_levels: list[str]
    """How well the house's bots play it, the weakest first."""
    links: GameLinks
    options_schema: dict[str, Any]
    """A JSON Schema (2020-12)."""
    action_schema: dict[str, Any]
    """A JSON Schema (2020-12)."""
    event_schema: dict[str, Any]
    """A JSON Schema (2020-12)."""
    template_schema: dict[str, Any]
    """A JSON Schema (2020-12)."""
    view_schema: dict[str, Any]
    """A JSON Schema (2020-12)."""
    components: dict[str, Any]
    """What is in the box and on the board."""
    proto_package: str
    """The package of the typed messages over gRPC."""
    refusals: list[GameRefusal]
    """What its rulebook refuses."""


class GameLinks(TypedDict):
    """Where to go from a game."""

    self: str
    """A path of this API."""
    matches: str
    """A path of this API."""


class GameRefusal(TypedDict):
    """A code that a refusal of this game can carry."""

    code: str
    """Stable; the `reason` of the problem document."""
    rules: list[str]
    """Paragraphs and rulings it is given for."""
    meaning: str
    """What is wrong; `facts` are named in backticks."""


class GameSummary(TypedDict):
    """A game in one line of the catalogue."""

    game: str
    """A game's id."""
    title: str
    """Its name, for people."""
    edition: str
    """The printed edition it follows."""
    rules_version: str
    """The rules new matches begin with."""
    rules_versions: list[RulesVersion]
    """Every version of the rules that can be played, newest first."""
    seat_counts: list[int]
    """Numbers of players the game is for."""
    bot_levels: list[str]
    """How well the house's bots play it, the weakest first."""
    links: GameLinks


class Invite(TypedDict):
    """The right to take one seat of one match, once. Keep it secret."""

    seat: int
    """A seat, counted from 0."""
    token: str
    """`Authorization: Bearer <token>` when joining."""
    expires_at: str
    """RFC 3339, UTC."""


class JoinRequest(TypedDict):
    """A free seat, please."""

    seat: NotRequired[int | None]
    """The seat wanted; unsaid: the lowest open one, or the invite's."""
    player: NotRequired[str]
    """The player; with an invite nobody: it says who."""
    name: NotRequired[str]
    """The player's name, shown to the others."""
    data: NotRequired[Any]
    """What the player says besides the name, such as a colour; shown to the others. Any JSON of at most
    1,024 bytes without blanks; null: nothing.
    """
    request_id: NotRequired[str | None]


class JoinedMatch(TypedDict):
    """The match, started if this was the last seat, and the seat's token."""

    match: Match
    seat_token: SeatToken


class LegalActionsAnswer(TypedDict):
    """Everything a seat may do now."""

    match_id: str
    """A match."""
    version: int
    """The version this holds for: the move's `expected_version`."""
    seat: int
    """A seat, counted from 0."""
    pending: PendingDecision | None
    actions: list[Action]
    """Each can be posted back as it is."""
    templates: list[Template]
    """Sets of actions too large to list, told by their domains."""
    samples: list[Action]
    """Legal actions drawn at random."""
    clocks: Clocks | None
    """What each seat has left; null without a clock."""


class LegalActionsNow(TypedDict):
    """What a seat may do."""

    actions: list[Action]
    """Each can be posted back as it is."""
    templates: list[Template]
    """Sets of actions too large to list, told by their domains."""


class Match(TypedDict):
    """A match without its table."""

    match_id: str
    """A match."""
    game: str
    """A game's id."""
    rules_version: str
    """The rules it began with."""
    version: int
    """Number of moves so far, the start included."""
    status: Literal["ended", "running", "waiting"]
    """Whether it waits for players, is played, or is over."""
    seats: list[Seat]
    """Who sits where, by seat."""
    to_act: list[int]
    """The seats that are waited for."""
    options: Options
    commitment: str
    """SHA-256 of the match secret."""
    secret: str | None
    """The match secret; null until the match is over."""
    outcome: Outcome | None
    created_at: str
    """RFC 3339, UTC."""
    updated_at: str
    """RFC 3339, UTC."""
    visibility: Literal["private", "public", "unlisted"]
    """Who finds it."""
    start: Literal["on_demand", "when_full"]
    """What begins it: its last seat taken, or a word of somebody at the table."""
    title: str
    """Shown in listings."""
    rematch_of: str | None
    """The match this one follows."""
    next_match_id: str | None
    """The match that follows; null: none so far. Only once the match is over, and only where one match is
    asked for.
    """
    forked_from: ForkedFrom | None
    """Where it begins, if it is a fork."""
    undo: Literal["consent", "free", "none"]
    """What may be taken back."""
    undo_timeout_seconds: int
    """How long a proposal waits for its answers, in seconds."""
    clock: Clock | None
    """How much time it gives; null: nobody is hurried."""
    clocks: Clocks | None
    """What each seat has left; null without a clock, unless it is running, and in lists."""
    links: MatchLinks


class MatchLinks(TypedDict):
    """Where to go from a match."""

    self: str
    """A path of this API."""
    game: str
    """A path of this API."""
    view: str
    """A path of this API."""
    legal_actions: str
    """A path of this API."""
    moves: str
    """A path of this API."""
    stream: str
    """A path of this API."""
    export: str
    """A path of this API."""
    verify: str
    """A path of this API."""
    undo: str
    """A path of this API."""


class Move(TypedDict):
    """One move as an audience may see it."""

    version: int
    """Number of moves so far, the start included."""
    seat: int | None
    """Who asked for it; null for the start, and for what the tenant did."""
    action: RequestedAction | None
    """What was asked; only for the seat that asked and for the referee, else null."""
    events: list[Event]
    """What happened, each event without its hidden parts."""
    hash: str
    """32 bytes as lower-case hexadecimal digits."""
    recorded_at: str
    """RFC 3339, UTC."""
    timed_out: bool
    """The house made it in the seat's stead, because its time was up."""


class MoveAnswer(TypedDict):
    """An accepted move; it is durable."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, the start included."""
    events: list[Event]
    """What happened, as the acting seat may see it."""
    to_act: list[int]
    """The seats that are waited for now."""
    status: Literal["ended", "running", "waiting"]
    """Whether the match goes on."""
    outcome: Outcome | None
    clocks: Clocks | None
    """What each seat has left; null without a clock, and if the match has moved on already."""


class MoveRehearsed(TypedDict):
    """The move could be made now. It was not, and what it would lead to is not told."""

    match_id: str
    """A match."""
    version: int
    """The version it was judged at."""
    dry_run: Literal[True]
    """Nothing came of it."""
    legal: Literal[True]
    """It could be made."""


class NewClock(TypedDict):
    """The clock of a new match."""

    kind: Literal["budget", "per_move"]
    """`per_move`: every decision has the same time. `budget`: a seat has one time for all its decisions,
    and gains the increment with each that begins.
    """
    seconds: int
    """Of each decision, or of the match; at most 30 days."""
    increment_seconds: NotRequired[int]
    """Of a budget, with each decision that begins."""
    absent: NotRequired[Literal["bot", "forfeit", "policy"]]
    """What happens to a seat whose time is up. `policy`: the house does what the game's policy says.
    `bot`: the same, and a bot takes the seat until its player takes it back. `forfeit`: the seat leaves
    for good.
    """
    away_after: NotRequired[int]
    """So many times out in a row make a seat away: the house decides for it at once until it returns."""


class Outcome(TypedDict):
    """How a match ended."""

    reason: str
    """Stable code of the game; `ABORTED` for a match that was called off."""
    rule: str
    """Paragraph of the rulebook digest."""
    winners: list[int]
    """The winning seats; none means a draw, or no result."""
    results: list[SeatResult]
    """Every seat's result, in order of seats; empty if it was called off."""


class PendingDecision(TypedDict):
    """A decision that is waited for."""

    seat: int
    """A seat, counted from 0."""
    decision: str
    """Stable name of the kind of decision."""
    rule: str
    """Paragraph of the rulebook digest that asks for it."""
    id: str
    """Names this very decision within the match."""
    simultaneous: bool
    """Several seats decide in secret at once; answers do not conflict with each other."""


class Problem(TypedDict):
    """What went wrong (RFC 9457). Program against `reason`; `detail` is for people and may change."""

    type: str
    """Where the reason is explained, relative to this API."""
    title: str
    """In a few words; the same for every problem of its reason."""
    status: int
    """The HTTP status."""
    detail: str
    """In words, for people; they may change."""
    instance: str
    """The path that was asked for."""
    reason: str
    """Stable code."""
    metadata: NotRequired[dict[str, str]]
    """Every value `detail` was made from."""
    errors: NotRequired[list[FieldProblem]]
    """What is wrong with a malformed request."""
    rule: NotRequired[str]
    """Paragraph of the rulebook digest that forbids the move."""
    field: NotRequired[str]
    """The part of the action that is wrong."""
    facts: NotRequired[dict[str, Any]]
    """What the asking seat may know of why."""
    current_version: NotRequired[int]
    """The match's version."""
    missed: NotRequired[list[Move]]
    """The moves since the version the request was made on."""
    pending: NotRequired[PendingDecision | None]
    """The seat's open decision, if it has one."""
    legal_actions: NotRequired[LegalActionsNow]
    """What the seat may do now."""
    trace_id: NotRequired[str]
    """Name it when you ask for help."""


class Proposal(TypedDict):
    """What a seat asks the others to agree to."""

    kind: Literal["abort", "undo"]
    """To take moves back, or to call the match off."""
    version: int
    """The version that opened it."""
    seat: int
    """The seat that asks."""
    to: int | None
    """The version to go back to; null unless an undo."""
    accepted: list[int]
    """Who has accepted so far."""
    waiting: list[int]
    """Who has not answered yet."""
    expires_at: str
    """When it ends by itself."""


class QuickJoinRequest(TypedDict):
    """A seat at any public match that waits for players, please."""

    game: str
    """A game's id."""
    player: NotRequired[str]
    """The platform's own id of the player."""
    name: NotRequired[str]
    """The player's name, shown to the others."""
    seats: NotRequired[int | None]
    """Only matches for this number of players; unsaid: any, or the smallest for a new one."""
    options: NotRequired[Options]
    """Only matches with these options; unsaid: any."""
    create_if_none: NotRequired[bool]
    """If no match fits, make a public one and take its first seat."""
    request_id: NotRequired[str | None]


class RateLimit(TypedDict):
    """How one bucket stands, in the process that answered."""

    bucket: str
    """As in the header `RateLimit`."""
    limit: int
    """So many requests …"""
    window_seconds: int
    """… in so many seconds."""
    remaining: int
    """Requests left now."""


class RematchRequest(TypedDict):
    """Nothing needs to be said."""


class RulesVersion(TypedDict):
    """One version of a game's rules. A match keeps the one it was created under."""

    version: str
    """Its number."""
    since: str
    """When it was released."""
    changes: str
    """What it decides in another way than the version before."""


class ScoreLine(TypedDict):
    """Points from one source."""

    reason: str
    """Stable code of the game."""
    rule: str
    """Paragraph of the rulebook digest."""
    points: int
    """How many points it brought."""


class Seat(TypedDict):
    """A place at the table."""

    seat: int
    """A seat, counted from 0."""
    taken: bool
    """Whether somebody sits there."""
    player: str
    """The platform's own id of who sits there, or whom it is kept for."""
    state: Literal["invited", "open", "reserved", "taken"]
    """`open`: for whoever joins; `invited`: for the holder of its invite; `reserved`: kept for a player;
    `taken`.
    """
    name: str
    """The player's name, shown to the others."""
    level: str | None
    """The level of the house's bot that plays; null: none."""
    bot: str | None
    """The bot of somebody's own that plays; null: none."""
    data: Any
    """What the player says besides the name, such as a colour; shown to the others. Any JSON of at most
    1,024 bytes without blanks; null: nothing.
    """


class SeatClock(TypedDict):
    """One seat's clock."""

    seat: int
    """A seat, counted from 0."""
    deadline: str | None
    """When its time is up; null while its clock stands still."""
    left_seconds: float
    """What it had left at `as_of`. Of a clock that stands still it counts only with a budget."""
    time_outs: int
    """Decisions in a row that the house made because the time was up."""
    away: bool
    """The house decides for it at once, until it returns."""


class SeatPlan(TypedDict):
    """One seat of a new match."""

    kind: NotRequired[Literal["bot", "closed", "invited", "open"]]
    """`closed`: handed out at once. `open`: for whoever joins first. `invited`: for whoever holds its
    invite. `bot`: a bot's, and `level` or `bot` says whose.
    """
    player: NotRequired[str]
    """The platform's own id of the player."""
    name: NotRequired[str]
    """The player's name, shown to the others."""
    level: NotRequired[str]
    """The level of the house's bot, one of the game's `bot_levels`."""
    bot: NotRequired[str]
    """The name of a bot of somebody's own: a-z, 0-9, `_.-`; no level's."""


class SeatResult(TypedDict):
    """One seat's result."""

    seat: int
    """A seat, counted from 0."""
    rank: int
    """1 is best; equals share a rank."""
    score: int | None
    """Sum of the breakdown; null in a game without points."""
    breakdown: list[ScoreLine]
    """Where the points come from."""


class SeatToken(TypedDict):
    """The right to play one seat of one match. Keep it secret."""

    seat: int
    """A seat, counted from 0."""
    token: str
    """`Authorization: Bearer <token>`."""
    expires_at: str
    """RFC 3339, UTC."""


class UndoObstacle(TypedDict):
    """Why a seat may not go further back by itself."""

    reason: str
    """`DREW_LUCK`, `REVEALED`, `ANSWERED`, `TIMED_OUT`, `NOT_YOURS` or `NOTHING_TO_UNDO`."""
    version: int | None
    """The move in the way."""


class UndoState(TypedDict):
    """What a seat may take back now."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, the start included."""
    seat: int
    """A seat, counted from 0."""
    rule: Literal["consent", "free", "none"]
    """What may be taken back in this match."""
    free_to: int
    """How far the seat may go back by itself; the present version if not at all."""
    obstacle: UndoObstacle | None
    """Why not further by itself."""
    earliest: int
    """How far back the others may be asked to go; the present version if they cannot be asked."""
    refusal: str | None
    """Why nothing at all can be taken back, such as `SWITCHED_OFF` or `MATCH_OVER`."""
    redo: bool
    """The seat may put back what it took back last."""
    proposal: Proposal | None


class UpdateSeatRequest(TypedDict):
    """Say something else at a seat. What is left out stays as it was; one of the two must be there."""

    name: NotRequired[str]
    """The player's name, shown to the others."""
    data: NotRequired[Any]
    """What the player says besides the name, such as a colour; shown to the others. Any JSON of at most
    1,024 bytes without blanks; null: nothing.
    """


class Verification(TypedDict):
    """What checking a match found."""

    ok: bool
    """Everything that could be checked agrees."""
    moves: int
    """Moves that were checked."""
    draws: int
    """Draws of luck that were made again and agree."""
    decided_again: bool
    """Every move was decided again from the secret."""
    unchecked: str
    """Why moves were not decided again, in words; empty if they were."""
    difference: str
    """The first place that does not agree; empty if all do."""
    difference_version: int
    """The move it is in; 0 if all agree."""
    difference_event: int | None
    """The event it is in, counted from 0; null if it is in none."""
    difference_pointer: str
    """JSON pointer (RFC 6901) into the export; empty if all agree."""
    expected: str
    """What should stand there, as JSON; empty while the match runs, or for nothing."""
    found: str
    """What stands there, as JSON; empty like `expected`."""
    listed_draws: list[VerifiedDraw]
    """The draws that were asked for with `draws_page_size`."""
    next_draws_page_token: str
    """Ask for the next page of draws with this; empty at the end."""
    forked: bool
    """It is a fork: the table it begins at was taken as given, all else was checked."""


class VerifiedDraw(TypedDict):
    """A draw of luck with everything it was made from, so that it can be made again by hand."""

    move: int
    """Number of moves so far, the start included."""
    number: int
    """Its number within the move, counted from 0."""
    bound: str
    """It chose among this many, at most 2^64; decimal digits."""
    value: str
    """What was drawn, below the bound; decimal digits."""
    message: str
    """What the HMAC is over, as hex."""
    digest: str
    """HMAC-SHA-256 of the message, keyed with the match's secret, as hex."""


class ViewAnswer(TypedDict):
    """What an audience sees of the table."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, the start included."""
    audience: Audience
    view: View
    proposal: Proposal | None
    """The open one; null for an earlier version."""
    clocks: Clocks | None
    """What each seat has left; null without a clock, and in the past."""


class WaitingBot(TypedDict):
    """A bot that is waited for."""

    seat: int
    """A seat, counted from 0."""
    level: str | None
    bot: str | None
