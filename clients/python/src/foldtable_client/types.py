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


class ActionHint(TypedDict):
    """How an action is presented to a person."""

    group: str
    """Which actions belong together; its heading is the text `group.<group>`."""
    targets: list[str]
    """Ids of places or pieces to touch, in this order; empty if the action concerns none. The texts
    distinguish actions with the same targets.
    """
    cost: list[Cost]
    """What the seat pays, as far as the rules fix it."""


class Audience(TypedDict):
    """The audience for which something was made: it contains only what that audience may see."""

    kind: Literal["public", "referee", "seat"]
    """A seat, the public, or a referee, who sees everything."""
    seat: int | None
    """The seat; null unless `kind` is `seat`."""


class Board(TypedDict):
    """A board, or a player's mat."""

    id: str
    """Its id."""
    view_box: Box
    """What is to be shown."""
    places: list[Place]
    """Its places; those that come later are drawn above those that come first."""
    groups: list[Group]
    """The groups of its places."""
    paths: list[Path]
    """What connects its places."""
    options: dict[str, str | int | bool]
    """The values of the match's options with which this board is used; empty: always."""
    seats: list[int]
    """The numbers of seats with which this board is used; empty: always."""


class Box(TypedDict):
    """A rectangle, as the `viewBox` of an SVG."""

    x: int
    """Left edge."""
    y: int
    """Upper edge; y grows downwards."""
    width: int
    """Width."""
    height: int
    """Height."""


class Choice(TypedDict):
    """A value to choose."""

    value: str | int | bool | None
    """The value."""
    name: str
    """What it is: its name is the text `component.<name>`; empty if the value speaks for itself."""
    target: str
    """The id of the place or the piece to touch for it; empty: none."""
    limit: str
    """The limit that it counts against; empty: none."""


class ChooseStep(TypedDict):
    """One of several values is to be chosen."""

    type: Literal["choose"]
    """Its kind."""
    field: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901)."""
    choices: list[Choice]
    """The values."""
    different: bool
    """Whether the value must differ from those of all earlier steps that say so, too."""


class Clock(TypedDict):
    """The clock of a match."""

    kind: Literal["budget", "per_move"]
    """`per_move`: every decision has the same time limit. `budget`: a seat has one budget for all its
    decisions, and gains the increment whenever one begins.
    """
    seconds: int
    """Seconds per decision, or for the whole match; at most 30 days."""
    increment_seconds: int
    """Seconds added to a budget when a decision begins."""
    absent: Literal["bot", "forfeit", "policy"]
    """What happens when a seat's time is up. `policy`: the server decides by the game's policy. `bot`: the
    same, and then a bot plays the seat until its player returns. `forfeit`: the seat leaves for good.
    """
    away_after: int
    """After this many time-outs in a row a seat is away until its player returns: the server decides for
    it at once while a present player waits, and otherwise when its time is up.
    """
    abandoned_after_seconds: int
    """How long the match goes on after all players have left, in seconds; the first time-out after that
    aborts it. At most 365 days; by default five times `seconds`, but at least three days.
    """


class Clocks(TypedDict):
    """The time each seat has left."""

    as_of: str
    """The server's time when the clocks were read. Deadlines refer to the same clock."""
    seats: list[SeatClock]
    """The time each seat has left, by seat."""


class ComponentName(TypedDict):
    """What a component is called."""

    name: str
    """As a title."""
    text: str
    """What it does; empty where there is nothing to say."""


class Corner(TypedDict):
    """A corner of a polygon."""

    x: int
    """In units of the board."""
    y: int
    """In units of the board; y grows downwards."""


class Cost(TypedDict):
    """What the seat pays of one resource."""

    resource: str
    """Its name is the text `component.<resource>`."""
    amount: int
    """How much, at least 1."""


class CreateLoginCodeRequest(TypedDict):
    """A request for a code that is exchanged once for a session of a player."""

    player: str
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    scopes: NotRequired[list[Literal["read", "play", "join", "create"]]]
    """What the session permits; absent: everything. `read`, which every session has: list and follow the
    player's matches, read the tenant's public ones. `play`: act in the player's seats. `join`: take
    seats of public matches, or by invite. `create`: create, repeat and fork matches. `join` and
    `create` include `play`.
    """
    hours: NotRequired[float | None]
    """How long the session is valid, in hours from when the code is redeemed; absent: 24."""
    valid_seconds: NotRequired[int | None]
    """How long the code can be redeemed, in seconds; absent: 600."""


class CreateMatchRequest(TypedDict):
    """A new match."""

    seating: NotRequired[list[SeatPlan]]
    """Each seat individually; absent: all seats are assigned, or as `players` and `open_seats` say."""
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find it besides its players and the tenant: `private`: nobody; `unlisted`: everybody who
    knows its id; `public`: everybody.
    """
    start: NotRequired[Literal["when_full", "on_demand"]]
    """When it starts: as soon as its last seat is taken, or when somebody in the match starts it."""
    title: NotRequired[str]
    """Shown in listings. Any text but control characters, line separators, changes of the direction of
    writing, and noncharacters; at least one character is visible. It is stored in Unicode's
    normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    undo: NotRequired[Literal["none", "free", "consent"]]
    """Which moves may be taken back: none; a seat's own moves, as long as nothing was drawn, revealed or
    answered since; or, in addition, whatever all others agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for its answers, in seconds."""
    bot_pace_seconds: NotRequired[float]
    """How long built-in bots wait after the newest move before they move, in seconds, to the millisecond;
    0: not at all. A bot waits less if its own time is short.
    """
    request_id: NotRequired[str | None]
    game: str
    """A game's id."""
    seats: int
    """Number of players."""
    options: NotRequired[Options]
    players: NotRequired[list[str]]
    """Players by seat; may be shorter than `seats`."""
    open_seats: NotRequired[bool]
    """Assign no seats now: the match waits until players have joined all of them."""
    clock: NotRequired[NewClock | None]
    """The time limits; absent: none."""
    rules_version: NotRequired[str]
    """The version of its rules, one of the game's `rules_versions`; absent: the newest. It never changes."""


class CreatePlayerSessionRequest(TypedDict):
    """A request for a session of a player."""

    player: str
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    scopes: NotRequired[list[Literal["read", "play", "join", "create"]]]
    """What the session permits; absent: everything. `read`, which every session has: list and follow the
    player's matches, read the tenant's public ones. `play`: act in the player's seats. `join`: take
    seats of public matches, or by invite. `create`: create, repeat and fork matches. `join` and
    `create` include `play`.
    """
    hours: NotRequired[float | None]
    """How long it is valid, in hours; absent: 24."""


class CreatedMatch(TypedDict):
    """The new match, with a token for each seat that was assigned and an invite for each seat to be taken
    by invite.
    """

    match: Match
    seat_tokens: list[SeatToken]
    """A token for each seat that was assigned."""
    invites: list[Invite]
    """An invite for each seat to be taken by invite."""


class Credential(TypedDict):
    """What the credential of this request permits."""

    kind: Literal["api_key", "invite", "player", "referee", "seat", "spectator"]
    """The kind of credential."""
    tenant: str | None
    """API keys and sessions: the tenant it belongs to."""
    key_id: str | None
    """API keys: its id."""
    scopes: list[str]
    """API keys and sessions: what it permits."""
    match_id: str | None
    """Match tokens: the match."""
    game: str | None
    """Match tokens: its game."""
    seat: int | None
    """Seat tokens and invites: the seat."""
    player: str | None
    """Sessions: the player, by the tenant's own id."""
    expires_at: str | None
    """When it expires; null: never."""
    rate_limits: list[RateLimit]
    """Its buckets."""


class FeedMatch(TypedDict):
    """The current status of a match."""

    match_id: str
    """The match."""
    game: str
    """Its game."""
    version: int
    """Number of moves so far, including the start."""
    status: Literal["ended", "running", "waiting"]
    """Whether it waits for players, is running, or has ended."""
    to_act: list[int]
    """The seats that must act."""
    waiting_for: list[str]
    """The ids of the players who must act or have something else to do; players without an id are omitted."""
    waiting_for_me: bool | None
    """Whether the feed's player must act or has something else to do; null on a tenant's feed."""
    todos: list[Todo]
    """What players have to do at the match, besides moving: answer a proposal, return, be ready, take a
    seat.
    """
    waiting_bots: list[WaitingBot]
    """The bots that must act."""


class FieldProblem(TypedDict):
    """One part of a request that is wrong. One of `pointer`, `parameter` and `header` names it."""

    code: str
    """A stable code, such as `UNKNOWN_FIELD`."""
    detail: str
    """In words, for people; they may change."""
    pointer: NotRequired[str]
    """JSON pointer into the body (RFC 6901); empty for the body as a whole."""
    parameter: NotRequired[str]
    """Name of the query parameter."""
    header: NotRequired[str]
    """Name of the request header."""


class FollowingMatch(TypedDict):
    """The rematch, with the tokens of every taken seat or only the caller's own."""

    match: Match
    seat_tokens: list[SeatToken]
    """The tokens of every taken seat; for a seat token only the caller's own."""


class ForkRequest(TypedDict):
    """A new match that begins with a state of another one. With a match token, `seating`, `visibility` and
    `start` cannot be chosen. Moves before the fork are never taken back.
    """

    seating: NotRequired[list[SeatPlan]]
    """Each seat individually; absent: all seats are assigned, or as `players` and `open_seats` say."""
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find it besides its players and the tenant: `private`: nobody; `unlisted`: everybody who
    knows its id; `public`: everybody.
    """
    start: NotRequired[Literal["when_full", "on_demand"]]
    """When it starts: as soon as its last seat is taken, or when somebody in the match starts it."""
    title: NotRequired[str]
    """Shown in listings. Any text but control characters, line separators, changes of the direction of
    writing, and noncharacters; at least one character is visible. It is stored in Unicode's
    normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    undo: NotRequired[Literal["none", "free", "consent"]]
    """Which moves may be taken back: none; a seat's own moves, as long as nothing was drawn, revealed or
    answered since; or, in addition, whatever all others agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for its answers, in seconds."""
    bot_pace_seconds: NotRequired[float]
    """How long built-in bots wait after the newest move before they move, in seconds, to the millisecond;
    0: not at all. A bot waits less if its own time is short.
    """
    request_id: NotRequired[str | None]
    version: NotRequired[int | None]
    """The version of the other match with whose state the fork begins; absent: the newest."""
    audience: NotRequired[Literal["seat", "public", "referee"] | None]
    """The audience whose knowledge is kept; everything hidden from it is dealt again. Absent: the token's
    own seat, or the public for an API key.
    """
    seat: NotRequired[int | None]
    """The seat, with the audience `seat`."""


class ForkedFrom(TypedDict):
    """Where a fork begins."""

    match_id: str
    """A match."""
    version: int
    """The version of that match from whose state the fork begins."""
    audience: Audience
    """The audience whose knowledge was kept; everything hidden from it was dealt again."""


class GameDescription(TypedDict):
    """Everything about a game that does not depend on a match."""

    game: str
    """A game's id."""
    title: str
    """Its display name."""
    edition: str
    """The printed edition it follows."""
    rules_version: str
    """The version of the rules for new matches."""
    rules_versions: list[RulesVersion]
    """Every version of the rules that can be played, newest first."""
    seat_counts: list[int]
    """The possible numbers of players."""
    bot_levels: list[str]
    """The levels of its built-in bots, the weakest first."""
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
    """Every reason for which the game's rules refuse an action."""
    languages: list[str]
    """The languages of its texts, as BCP 47 tags."""
    names: NotRequired[dict[str, ComponentName]]
    """What its components are called, by id; only if a language is asked for."""


class GameLinks(TypedDict):
    """Links of a game."""

    self: str
    """A path of this API."""
    layout: str
    """A path of this API."""
    matches: str
    """A path of this API."""


class GameRefusal(TypedDict):
    """A code that a refusal of this game can carry."""

    code: str
    """Stable; the `reason` of the problem document."""
    rules: list[str]
    """Paragraphs and rulings that it enforces."""
    meaning: str
    """What is wrong. Names in backticks are `facts`."""


class GameSummary(TypedDict):
    """A game in the catalogue."""

    game: str
    """A game's id."""
    title: str
    """Its display name."""
    edition: str
    """The printed edition it follows."""
    rules_version: str
    """The version of the rules for new matches."""
    rules_versions: list[RulesVersion]
    """Every version of the rules that can be played, newest first."""
    seat_counts: list[int]
    """The possible numbers of players."""
    bot_levels: list[str]
    """The levels of its built-in bots, the weakest first."""
    links: GameLinks


class Group(TypedDict):
    """Places that belong together."""

    id: str
    """As its places name it."""
    kind: str
    """What kind of group it is."""


class Invite(TypedDict):
    """The right to take one seat of one match, once. Keep it secret."""

    seat: int
    """A seat, counted from 0."""
    token: str
    """`Authorization: Bearer <token>` when joining."""
    expires_at: str
    """RFC 3339, UTC."""


class JoinRequest(TypedDict):
    """A request for a free seat."""

    seat: NotRequired[int | None]
    """The requested seat; absent: the lowest open one, or the invite's."""
    player: NotRequired[str]
    """The player; leave it out with an invite or a session, which name the player."""
    name: NotRequired[str]
    """The player's name, shown to the others. Any text but control characters, line separators, changes of
    the direction of writing, and noncharacters; at least one character is visible. It is stored in
    Unicode's normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    data: NotRequired[Any]
    """The player's data besides the name, such as a colour; shown to the others. Any JSON of at most 1,024
    bytes without insignificant white space; null: none. Its texts are kept as they are sent.
    """
    invite: NotRequired[str]
    """With a session: the invite whose seat its player takes; absent: an open seat of a public match."""
    request_id: NotRequired[str | None]


class JoinedMatch(TypedDict):
    """The match, started if this was the last seat, and the seat's token."""

    match: Match
    seat_token: SeatToken


class Layout(TypedDict):
    """Where the things of a game are. The name of a place, a group or a piece is the text
    `component.<id>`, if there is one.
    """

    game: str
    """A game's id."""
    boards: list[Board]
    """A match uses those whose options and seats agree with its own."""
    mats: list[Board]
    """What every seat has before it; each is drawn once for each seat."""
    seats: list[SeatMark]
    """How the pieces of each seat are marked, by number of seat."""
    seats_with: list[SeatMarks]
    """The numbers of players with which the seats are marked differently."""


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
    """Sets of actions too large to list, described by their domains."""
    samples: list[Action]
    """Legal actions drawn at random."""
    clocks: Clocks | None
    """The time each seat has left; null without a clock."""
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    action_hints: NotRequired[list[ActionHint]]
    """How each action is presented to a person, in the same order."""
    template_hints: NotRequired[list[TemplateHint]]
    """How each template is presented to a person and filled in, in the same order."""
    sample_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class LegalActionsNow(TypedDict):
    """What a seat may do."""

    actions: list[Action]
    """Each can be posted back as it is."""
    templates: list[Template]
    """Sets of actions too large to list, described by their domains."""
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class Limit(TypedDict):
    """A bound over several steps: on the sum of the numbers and the count of the values that name it."""

    name: str
    """As steps and choices name it."""
    least: int
    """The least sum."""
    most: int | None
    """The greatest sum; null: no bound."""


class LoginCode(TypedDict):
    """A code that is exchanged once for a session. Whoever has it can sign in as the player."""

    code: str
    """The code, `lc_…`. Only its hash is stored."""
    player: str
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    expires_at: str
    """RFC 3339, UTC."""


class Match(TypedDict):
    """A match without its state."""

    match_id: str
    """A match."""
    game: str
    """A game's id."""
    rules_version: str
    """The version of its rules."""
    version: int
    """Number of moves so far, including the start."""
    status: Literal["ended", "running", "waiting"]
    """Whether it waits for players, is running, or has ended."""
    seats: list[Seat]
    """The seats, by number."""
    to_act: list[int]
    """The seats that must act."""
    todos: list[Todo]
    """What players have to do at the match, besides moving: answer a proposal, return, be ready, take a
    seat.
    """
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
    """Who can find it."""
    start: Literal["on_demand", "when_full"]
    """What starts it: the last seat is taken, or somebody in the match starts it."""
    title: str
    """Shown in listings. Any text but control characters, line separators, changes of the direction of
    writing, and noncharacters; at least one character is visible. It is stored in Unicode's
    normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    rematch_of: str | None
    """The match of which this one is a rematch."""
    next_match_id: str | None
    """Its rematch; null: none so far. Only after the match has ended, and only when a single match is
    requested.
    """
    forked_from: ForkedFrom | None
    """Where it begins, if it is a fork; else null."""
    undo: Literal["consent", "free", "none"]
    """Which moves may be taken back."""
    undo_timeout_seconds: int
    """How long a proposal waits for its answers, in seconds."""
    bot_pace_seconds: float
    """How long built-in bots wait after the newest move before they move, in seconds, to the millisecond;
    0: not at all. A bot waits less if its own time is short.
    """
    clock: Clock | None
    """The time limits; null: there are none."""
    clocks: Clocks | None
    """The time each seat has left; null without a clock, while the match is not running, and in lists."""
    links: MatchLinks


class MatchLinks(TypedDict):
    """Links of a match."""

    self: str
    """A path of this API."""
    game: str
    """A path of this API."""
    view: str
    """A path of this API."""
    table: str
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
    """Number of moves so far, including the start."""
    seat: int | None
    """The seat that made it; null for the start and for what the tenant did."""
    action: RequestedAction | None
    """The request; only for the seat that made it and for the referee, else null."""
    events: list[Event]
    """What happened; each event without the parts hidden from the audience."""
    hash: str
    """32 bytes as lower-case hexadecimal digits."""
    recorded_at: str
    """RFC 3339, UTC."""
    timed_out: bool
    """The server made it for the seat, whose time was up."""
    action_text: NotRequired[Text]
    """What was asked, as a log line; only with `action`, if a language is asked for."""
    event_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class MoveAnswer(TypedDict):
    """An accepted move; it is durable."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, including the start."""
    events: list[Event]
    """What happened, as the acting seat may see it."""
    to_act: list[int]
    """The seats that must act now."""
    status: Literal["ended", "running", "waiting"]
    """The status of the match."""
    outcome: Outcome | None
    clocks: Clocks | None
    """The time each seat has left; null without a clock, and if the match already has a newer version."""
    event_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    table: NotRequired[Table | None]
    """The table as the seat sees it now, perhaps after further moves; only with `include=table`. Null if
    it could not be read: the move stands.
    """


class MoveRehearsed(TypedDict):
    """The move is legal now. It was not made, and the response does not say what it would lead to."""

    match_id: str
    """A match."""
    version: int
    """The version at which it was checked."""
    dry_run: Literal[True]
    """The move was only checked."""
    legal: Literal[True]
    """The move is legal."""


class NewClock(TypedDict):
    """The clock of a new match."""

    kind: Literal["per_move", "budget"]
    """`per_move`: every decision has the same time limit. `budget`: a seat has one budget for all its
    decisions, and gains the increment whenever one begins.
    """
    seconds: int
    """Seconds per decision, or for the whole match; at most 30 days."""
    increment_seconds: NotRequired[int]
    """Seconds added to a budget when a decision begins."""
    absent: NotRequired[Literal["policy", "bot", "forfeit"]]
    """What happens when a seat's time is up. `policy`: the server decides by the game's policy. `bot`: the
    same, and then a bot plays the seat until its player returns. `forfeit`: the seat leaves for good.
    """
    away_after: NotRequired[int]
    """After this many time-outs in a row a seat is away until its player returns: the server decides for
    it at once while a present player waits, and otherwise when its time is up.
    """
    abandoned_after_seconds: NotRequired[int | None]


class NumberStep(TypedDict):
    """A whole number is to be chosen."""

    type: Literal["number"]
    """Its kind."""
    field: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901)."""
    least: int
    """The least number."""
    most: int
    """The greatest number."""
    suggested: int
    """A number to begin with; all of them together make a legal action, if there is one to suggest."""
    name: str
    """What it is: its name is the text `component.<name>`; empty if the value speaks for itself."""
    limit: str
    """The limit that it counts against; empty: none."""


class Outcome(TypedDict):
    """How a match ended."""

    reason: str
    """Stable code of the game; `ABORTED` for a match that was called off."""
    rule: str
    """Paragraph of the rules, such as `7.2`."""
    winners: list[int]
    """The winning seats; empty means a draw or no result."""
    results: list[SeatResult]
    """Every seat's result, in order of seats; empty if the match was called off."""
    text: NotRequired[Text]
    """How it ended, for players; only if a language is asked for."""


class Path(TypedDict):
    """A connection between two places of a board."""

    a: str
    """The id of the place where it begins."""
    b: str
    """The id of the place where it ends."""
    kind: str
    """What kind of connection it is."""
    directed: bool
    """Whether it leads only from `a` to `b`."""


class PendingDecision(TypedDict):
    """A decision that a seat must make."""

    seat: int
    """A seat, counted from 0."""
    decision: str
    """Stable name of the kind of decision."""
    rule: str
    """Paragraph of the rules that asks for it, such as `7.2`."""
    id: str
    """Id of this decision, unique within the match."""
    simultaneous: bool
    """Several seats decide secretly at the same time; their actions do not conflict with each other."""
    text: NotRequired[Text]
    """The prompt for the player; only if a language is asked for."""


class Piece(TypedDict):
    """Something that lies at a place of the layout, or several of them that look alike."""

    component: str
    """What it is: its name is the text `component.<component>`; empty if the audience may not know."""
    place: str
    """The id of the place where it lies."""
    kind: str
    """What kind of piece it is; pieces of a kind look alike."""
    count: int
    """How many of them lie there."""
    seat: NotRequired[int]
    """The seat whose piece it is; absent for nobody's."""
    x: NotRequired[int]
    """Where it lies exactly: its centre, or one end of something long, in units of the board; absent:
    anywhere in its place.
    """
    y: NotRequired[int]
    """Where it lies exactly; given whenever `x` is."""
    x2: NotRequired[int]
    """Where the other end of something long lies; absent for everything else."""
    y2: NotRequired[int]
    """Where the other end of something long lies; given whenever `x2` is."""
    width: NotRequired[int]
    """Its diameter, or how wide something long is; absent: as fits its place."""


class Place(TypedDict):
    """A place where pieces can be, or that an action can name."""

    id: str
    """As views and actions name it. On a mat, `@` and the seat's number are appended: `hand` is `hand@2`
    at seat 2.
    """
    kind: str
    """What kind of place it is; places of a kind look alike."""
    x: int
    """Where its centre is, in units of the board."""
    y: int
    """Where its centre is, in units of the board; y grows downwards."""
    shape: Literal["circle", "polygon", "rectangle"]
    """Its outline."""
    width: int
    """Width of the outline; the diameter of a circle."""
    height: int
    """Height of the outline; the diameter of a circle."""
    corners: list[Corner]
    """The corners of a polygon, clockwise; empty for other shapes."""
    group: str
    """The group it belongs to; empty: none."""
    label: str
    """A short inscription that needs no translation; empty: none."""


class PlayerSession(TypedDict):
    """A session of one player. Whoever has the token acts for the player."""

    player: str
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    token: str
    """`Authorization: Bearer <token>` in the player's page. It is not stored."""
    scopes: list[Literal["create", "join", "play", "read"]]
    """What it permits, in alphabetical order."""
    expires_at: str
    """RFC 3339, UTC."""


class PointStep(TypedDict):
    """A point of a board is to be touched; the template says where it may be."""

    type: Literal["point"]
    """Its kind."""
    field_x: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901)."""
    field_y: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901)."""
    board: str
    """The id of the board, in whose units the point is given."""


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
    """The path of the request."""
    reason: str
    """Stable code."""
    metadata: NotRequired[dict[str, str]]
    """Every value that `detail` was made from."""
    errors: NotRequired[list[FieldProblem]]
    """What is wrong with a malformed request."""
    rule: NotRequired[str]
    """Paragraph of the rules that forbids the move, such as `7.2`."""
    rule_page: NotRequired[str]
    """Where one can read what that paragraph says, relative to this API."""
    field: NotRequired[str]
    """The part of the action that is wrong."""
    text: NotRequired[Text]
    """What is wrong, for the player; only if a language is asked for. `detail` is its sentence."""
    facts: NotRequired[dict[str, Any]]
    """Why, as far as the caller's seat may know."""
    current_version: NotRequired[int]
    """The match's version."""
    missed: NotRequired[list[Move]]
    """The moves since the version that the request was based on."""
    pending: NotRequired[PendingDecision | None]
    """The seat's open decision, if it has one."""
    legal_actions: NotRequired[LegalActionsNow]
    """What the seat may do now."""
    trace_id: NotRequired[str]
    """Quote it when you ask for help."""


class Proposal(TypedDict):
    """A seat's proposal that the others must accept."""

    kind: Literal["abort", "undo"]
    """What is proposed: to take moves back, or to call the match off."""
    version: int
    """The version at which it was made."""
    seat: int
    """The seat that proposes it."""
    to: int | None
    """The version to go back to; null unless it is an undo."""
    accepted: list[int]
    """The seats that have accepted so far."""
    waiting: list[int]
    """The seats that have not answered yet."""
    expires_at: str
    """When it expires."""


class QuickJoinRequest(TypedDict):
    """A request for a seat in any public match that waits for players."""

    game: str
    """A game's id."""
    player: NotRequired[str]
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    name: NotRequired[str]
    """The player's name, shown to the others. Any text but control characters, line separators, changes of
    the direction of writing, and noncharacters; at least one character is visible. It is stored in
    Unicode's normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    seats: NotRequired[int | None]
    """Only matches for this number of players; absent: any number, or the smallest for a new match."""
    options: NotRequired[Options]
    """Only matches with these options; absent: any."""
    create_if_none: NotRequired[bool]
    """If no match fits, create a public one and take its first seat."""
    request_id: NotRequired[str | None]


class RateLimit(TypedDict):
    """The state of one bucket in the process that answered."""

    bucket: str
    """As in the header `RateLimit`."""
    limit: int
    """Number of requests allowed per window."""
    window_seconds: int
    """Length of the window in seconds."""
    remaining: int
    """Requests left now."""


class RematchRequest(TypedDict):
    """An empty object."""


class ReplayTable(TypedDict):
    """What a page draws of one version: as in a table, without what changes with time."""

    view: View | None
    """The state, as the audience saw it; null if the match was aborted before the start."""
    pieces: dict[str, Piece]
    """What lies at the places of the game's layout, as far as the audience may know. By id, which stays
    the same as long as it is the same piece, so that a move can be animated.
    """
    pending: list[PendingDecision]
    """The open decisions of all seats."""


class RevokedSessions(TypedDict):
    """Whose sessions were revoked."""

    player: str | None
    """The player; null: all players of the tenant."""


class RulesVersion(TypedDict):
    """One version of a game's rules. A match keeps the one it was created under."""

    version: str
    """Its number."""
    since: str
    """Date of its release."""
    changes: str
    """How its rulings differ from the version before."""


class ScoreLine(TypedDict):
    """Points from one source."""

    reason: str
    """Stable code of the game."""
    rule: str
    """Paragraph of the rules, such as `7.2`."""
    points: int
    """Number of points."""
    text: NotRequired[Text]
    """What the points are for; only if a language is asked for."""


class Seat(TypedDict):
    """A player's place in a match."""

    seat: int
    """A seat, counted from 0."""
    taken: bool
    """Whether a player has it."""
    player: str
    """The platform's own id of the player who has the seat or for whom it is reserved."""
    state: Literal["invited", "open", "reserved", "taken"]
    """`open`: anybody can join; `invited`: for the holder of its invite; `reserved`: for one player;
    `taken`.
    """
    name: str
    """The player's name, shown to the others. Any text but control characters, line separators, changes of
    the direction of writing, and noncharacters; at least one character is visible. It is stored in
    Unicode's normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    level: str | None
    """The level of the built-in bot that plays the seat; null: none."""
    bot: str | None
    """The name of the tenant's own bot that plays the seat; null: none."""
    data: Any
    """The player's data besides the name, such as a colour; shown to the others. Any JSON of at most 1,024
    bytes without insignificant white space; null: none. Its texts are kept as they are sent.
    """
    ready: bool
    """Whether the player has said to be ready to start. No start waits for it, and it means nothing
    afterwards.
    """


class SeatClock(TypedDict):
    """One seat's clock."""

    seat: int
    """A seat, counted from 0."""
    deadline: str | None
    """When its time is up; null while its clock is stopped. It is later after a time in which no server
    took moves, without a new version.
    """
    left_seconds: float
    """The time it had left at `as_of`. For a stopped clock it is meaningful only with a budget."""
    time_outs: int
    """Number of consecutive decisions that the server made because the time was up."""
    away: bool
    """Whether its player is away and has to return: until then the server decides for it at once while a
    present player waits.
    """


class SeatMark(TypedDict):
    """How the pieces of a seat are marked. Both differ between seats, so that nobody has to tell colours
    apart.
    """

    colour: str
    """As `#rrggbb`; colour-blind people can tell the colours apart."""
    symbol: Literal["circle", "cross", "diamond", "square", "star", "triangle"]
    """A shape to be drawn on its pieces."""


class SeatMarks(TypedDict):
    """The marks of seats with a certain number of players, in a game whose colours depend on it."""

    players: int
    """The number of players."""
    marks: list[SeatMark]
    """How the pieces of each seat are marked then, by number of seat."""


class SeatPlan(TypedDict):
    """One seat of a new match."""

    kind: NotRequired[Literal["closed", "open", "invited", "bot"]]
    """`closed`: assigned at once. `open`: for whoever joins first. `invited`: for the holder of its
    invite. `bot`: played by the bot that `level` or `bot` names.
    """
    player: NotRequired[str]
    """The platform's own id of the player: text as in a name, but one that is not in Unicode's
    normalization form C, or has spaces at its ends, is refused, since ids are compared exactly. Its
    length is counted in code points.
    """
    name: NotRequired[str]
    """The player's name, shown to the others. Any text but control characters, line separators, changes of
    the direction of writing, and noncharacters; at least one character is visible. It is stored in
    Unicode's normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    level: NotRequired[str]
    """The level of the built-in bot, one of the game's `bot_levels`."""
    bot: NotRequired[str]
    """The name of the tenant's own bot: a-z, 0-9, `_.-`; not the name of a level."""
    data: NotRequired[Any]
    """The player's data besides the name, such as a colour; shown to the others. Any JSON of at most 1,024
    bytes without insignificant white space; null: none. Its texts are kept as they are sent.
    """


class SeatResult(TypedDict):
    """One seat's result."""

    seat: int
    """A seat, counted from 0."""
    rank: int
    """1 is best; tied seats share a rank."""
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


class SeatsUpdatedData(TypedDict):
    """`event: seats.updated`: somebody has joined or left, has another name or other data, or has
    something else to do besides moving, such as to answer a proposal. Sent without an id.
    """

    version: int
    """Number of moves so far, including the start."""
    status: Literal["ended", "running", "waiting"]
    """The match's status."""
    seats: list[Seat]
    """All seats, by number."""
    todos: list[Todo]
    """What players have to do at the match, besides moving: answer a proposal, return, be ready, take a
    seat.
    """
    next_match_id: str | None
    """The rematch; null: none so far. Only after the match has ended."""


class Table(TypedDict):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: str
    """A match."""
    version: int
    """What it shows, and the `expected_version` of a move; 0 before the start."""
    audience: Audience
    match: Match
    """The match with its seats, its clocks and its outcome."""
    view: View | None
    """The state, as the audience may see it; null before the start."""
    pieces: dict[str, Piece]
    """What lies at the places of the game's layout, as far as the audience may know. By id, which stays
    the same as long as it is the same piece, so that a move can be animated.
    """
    pending: list[PendingDecision]
    """The open decisions of all seats."""
    legal: TableLegalActions | None
    """What the seat may do; null for other audiences, and if the seat has nothing to decide."""
    undo: UndoState | None
    """What the seat may take back; null for other audiences, and before the start."""
    proposal: Proposal | None
    """The open proposal; null if there is none."""
    clocks: Clocks | None
    """The time each seat has left; null without a clock."""


class TableLegalActions(TypedDict):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: list[Action]
    """Each can be posted back as it is."""
    action_hints: list[ActionHint]
    """How each action is presented to a person, in the same order."""
    templates: list[Template]
    """Sets of actions too large to list; no action of them is among `actions`."""
    template_hints: list[TemplateHint]
    """How each template is presented to a person and filled in, in the same order."""
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class TablePatchedData(TypedDict):
    """`event: table.patched`: what has changed in the table since the last `table` or `table.patched` of
    this stream.
    """

    version: int
    """Number of moves so far, including the start."""
    patch: list[dict[str, Any]]
    """A JSON Patch (RFC 6902) of the last table; only with `add`, `remove` and `replace`."""


class TemplateHint(TypedDict):
    """How a template is presented to a person, and filled in: an object with its `type`, and the value of
    each step in its place. What steps and limits cannot express, such as the value of a payment,
    `dry_run` checks.
    """

    group: str
    """Which actions belong together; its heading is the text `group.<group>`."""
    steps: list[ChooseStep | NumberStep | PointStep]
    """What to choose, in this order. Objects and lists that the pointers name are made on the way."""
    limits: list[Limit]
    """Bounds over several steps."""


class Text(TypedDict):
    """A message of the game's catalogue (`GET /v1/games/{game}/texts/{lang}`) with its arguments. It says
    no more than the data beside it.
    """

    key: str
    """Key of the message."""
    args: NotRequired[dict[str, int | str | list[Text] | Text]]
    """What belongs into the message: numbers, words, texts within the text, lists of texts. `none` stands
    for what is absent.
    """
    sentence: NotRequired[str]
    """The whole sentence; absent with `lang=keys`, and in inner texts."""


class Todo(TypedDict):
    """Something that a player has to do at a match, besides moving."""

    kind: Literal["answer_abort", "answer_undo", "get_ready", "return", "take_invite", "take_seat"]
    """`answer_undo`, `answer_abort`: answer the open proposal; `return`: the player is away, and the
    server decides for the seat; `get_ready`: say to be ready, at a match that starts on demand;
    `take_invite`, `take_seat`: take the seat that the player is invited to, or that is kept for the
    player of the match before.
    """
    seat: int
    """A seat, counted from 0."""
    player: str
    """The platform's own id of the player; may be empty."""
    deadline: str | None
    """Until when it may be done; null: there is no limit."""


class UndoObstacle(TypedDict):
    """Why a seat may not go further back by itself."""

    reason: str
    """`DREW_LUCK`, `REVEALED`, `ANSWERED`, `TIMED_OUT`, `NOT_YOURS` or `NOTHING_TO_UNDO`."""
    version: int | None
    """The version of the move that prevents it."""


class UndoState(TypedDict):
    """Which moves a seat may take back now."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, including the start."""
    seat: int
    """A seat, counted from 0."""
    rule: Literal["consent", "free", "none"]
    """Which moves may be taken back in this match."""
    free_to: int
    """The version to which the seat may go back on its own; the current version if it may not."""
    obstacle: UndoObstacle | None
    """Why the seat may not go back further on its own."""
    earliest: int
    """The version to which the seat may propose to go back; the current version if it may not propose."""
    refusal: str | None
    """Why nothing at all can be taken back, such as `SWITCHED_OFF` or `MATCH_OVER`."""
    redo: bool
    """Whether the seat may restore what it took back last."""
    proposal: Proposal | None


class UpdateSeatRequest(TypedDict):
    """Change a player's name, data or readiness. What is absent stays as it was; one of them is required."""

    name: NotRequired[str]
    """The player's name, shown to the others. Any text but control characters, line separators, changes of
    the direction of writing, and noncharacters; at least one character is visible. It is stored in
    Unicode's normalization form C, without spaces at its ends. Its length is counted in code points.
    """
    data: NotRequired[Any]
    """The player's data besides the name, such as a colour; shown to the others. Any JSON of at most 1,024
    bytes without insignificant white space; null: none. Its texts are kept as they are sent.
    """
    ready: NotRequired[bool]
    """Whether the player has said to be ready to start. No start waits for it, and it means nothing
    afterwards.
    """


class Verification(TypedDict):
    """The result of verifying a match."""

    ok: bool
    """Whether everything that could be checked is consistent."""
    moves: int
    """Number of moves that were checked."""
    draws: int
    """Number of random draws that were recomputed and agree."""
    decided_again: bool
    """Whether every move was replayed with the random draws that follow from the secret."""
    unchecked: str
    """Why the moves were not replayed, in words; empty if they were."""
    difference: str
    """The first difference, in words; empty if there is none."""
    difference_version: int
    """The version of its move; 0 if there is none."""
    difference_event: int | None
    """The index of its event, counted from 0; null if it is not in an event."""
    difference_pointer: str
    """JSON pointer (RFC 6901) into the export; empty if there is no difference."""
    expected: str
    """The expected value, as JSON; empty while the match is running, or if nothing is expected there."""
    found: str
    """The value found, as JSON; empty in the same cases as `expected`."""
    listed_draws: list[VerifiedDraw]
    """The draws requested with `draws_page_size`."""
    next_draws_page_token: str
    """Token of the next page of draws; empty on the last page."""
    forked: bool
    """Whether it is a fork: its initial state was not checked, everything after it was."""
    signing_key_id: str
    """The key that signs exports of the match, a `kid` of `/.well-known/jwks.json`; empty: they are not
    signed, because this server has no such key or because the match was imported.
    """


class VerifiedDraw(TypedDict):
    """A random draw with everything it was computed from, so that it can be recomputed independently."""

    move: int
    """Number of moves so far, including the start."""
    number: int
    """Its number within the move, counted from 0."""
    bound: str
    """The number of possible values, at most 2^64; decimal digits."""
    value: str
    """The value drawn, less than the bound; decimal digits."""
    message: str
    """The message of the HMAC, as hex."""
    digest: str
    """HMAC-SHA-256 of the message, keyed with the match's secret, as hex."""


class ViewAnswer(TypedDict):
    """What an audience sees of the match's state."""

    match_id: str
    """A match."""
    version: int
    """Number of moves so far, including the start."""
    audience: Audience
    view: View
    proposal: Proposal | None
    """The open proposal; null if there is none, and for an earlier version."""
    clocks: Clocks | None
    """The time each seat has left; null without a clock, and for an earlier version."""
    pending: NotRequired[list[PendingDecision]]
    """The open decisions with their texts; only if a language is asked for."""
    outcome: NotRequired[Outcome]
    """The outcome with its texts; only of an ended match, if a language is asked for."""


class WaitingBot(TypedDict):
    """A bot that must act."""

    seat: int
    """A seat, counted from 0."""
    level: str | None
    bot: str | None
