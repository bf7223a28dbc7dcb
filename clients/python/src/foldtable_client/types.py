"""The API's objects as they travel: written by `make docs` from the OpenAPI document, not by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from foldtable_client.games import al_rashid, river_dragons, river_of_gold


class ActionHint(TypedDict):
    """How an action is presented to a person."""

    group: str
    """Which actions belong together, such as `build`. Its heading is the text `group.<group>` of the game."""
    targets: list[str]
    """Ids of places or pieces to touch, in this order. Empty if the action concerns none. Two actions of
    one list may have the same targets; their texts distinguish them.
    """
    cost: list[Cost]
    """What the seat pays for it, as far as the rules fix it."""


class AnnounceVacationRequest(TypedDict):
    """For which player, and from when until when."""

    player: NotRequired[str | None]
    """The player. With an API key it must be given; a session is for its own player."""
    since: NotRequired[str | None]
    """When it begins, at most 366 days ahead. Absent: now. A few seconds ago means now, too."""
    until: str
    """When it is over: a minute to 366 days after it begins."""
    request_id: NotRequired[str | None]
    """Chosen by the client, usually a UUID. A repeated request gets the vacation that the first one
    announced, as long as that is stored. Empty: none.
    """


class Audience(TypedDict):
    """The audience for which something was made: it contains only what that audience may see."""

    kind: Literal["public", "referee", "seat"]
    """The kind of audience. `seat`: One seat, which `seat` names: what its player may see. `public`: The
    public: what anybody may see. `referee`: A referee, who may see everything.
    """
    seat: int | None
    """The seat, counted from 0. Set only with `seat`."""


class BatchedMatch(TypedDict):
    """One of several new matches. It has no `request_id` of its own."""

    seating: NotRequired[list[SeatPlan]]
    """How each seat is filled, in order; replaces `players` and `open_seats`. Absent: all seats are handed
    out.
    """
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find the match. `private`: Nobody else. `unlisted`: Everybody who knows the id of the match.
    `public`: Everybody: it is listed, and quick-join may choose it.
    """
    start: NotRequired[Literal["when_full", "on_demand"]]
    """When the match begins. `when_full`: When the last seat is taken, or earlier at the tenant's request.
    `on_demand`: When the tenant or a seated player asks for it.
    """
    title: NotRequired[str]
    """Title shown in listings: free text of at most 100 code points, as for a name in SeatPlan. May be
    empty.
    """
    undo: NotRequired[Literal["none", "free", "consent"]]
    """What players may undo. `none`: Nothing. `free`: A seat may undo its own moves, as long as nothing
    was drawn, revealed or answered since. `consent`: The same, and in addition whatever all other seats
    agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for answers before it expires, in whole seconds, at most 30 days. Absent:
    one day.
    """
    bot_pace_seconds: NotRequired[float]
    """How long built-in bots wait after the newest move before they move, to the millisecond, at most 30
    seconds. Absent: not at all. A bot waits less if its own time is short. Tenants' own bots choose for
    themselves.
    """
    reference: NotRequired[str]
    """The platform's own reference of the new match: printable text of at most 128 code points, which no
    other match of the tenant has (REFERENCE_TAKEN). Empty: none. Tenants only.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """The platform's own metadata about the new match: a JSON object of at most 4,096 bytes without white
    space, with at most 64 keys, names of at most 64 code points and 8 levels. Empty: none. Tenants
    only.
    """
    game: str
    """Id of the game, such as `river_dragons`."""
    seats: int
    """Number of players."""
    options: NotRequired[Options]
    """The game's options. Absent: the default of every option."""
    players: NotRequired[list[str]]
    """The platform's own ids of the players, by seat. Seats beyond the end of the list get none."""
    open_seats: NotRequired[bool]
    """Hand out no seats now. The match waits until players have joined all of them."""
    clock: NotRequired[ClockSettings | None]
    """The time limits. Absent: none."""
    rules_version: NotRequired[str]
    """The version of the rules to play by, such as `1.0.0`. Empty: the newest. A match keeps its version
    when newer ones appear.
    """


class Board(TypedDict):
    """A board, or a player's mat."""

    id: str
    """The id."""
    view_box: Box
    """What is to be shown."""
    places: list[Place]
    """Its places. Those that come later are drawn above those that come first."""
    groups: list[Group]
    """The groups of its places."""
    paths: list[Path]
    """What connects its places."""
    options: dict[str, str | int | bool]
    """The values of the match's options with which this board is used, as a JSON object. Empty object:
    always.
    """
    seats: list[int]
    """The numbers of seats with which this board is used. Empty: always."""


class Box(TypedDict):
    """A rectangle, as the viewBox of an SVG."""

    x: int
    """Left edge."""
    y: int
    """Upper edge; y grows downwards."""
    width: int
    """Width."""
    height: int
    """Height."""


class CancelledVacation(TypedDict):
    """What is left of a cancelled vacation."""

    vacation: Vacation | None
    """The vacation, which is over now; null: it had not begun, and was removed."""


class Choice(TypedDict):
    """A value to choose."""

    value: str | int | bool | None
    """The value, as JSON: a string, a number, true, false or null."""
    name: str
    """What it is: its name is the text `component.<name>`. Empty if the value speaks for itself."""
    target: str
    """The id of the place or the piece to touch for it. Empty: none."""
    limit: str
    """The limit that it counts against. Empty: none."""


class ChooseStep(TypedDict):
    """One of several values is to be chosen."""

    type: Literal["choose"]
    """Its kind."""
    field: str
    """Where the value goes in the action: a JSON Pointer (RFC 6901), such as `/cards/0`."""
    choices: list[Choice]
    """The values."""
    different: bool
    """The value must differ from those of all earlier steps that say so, too."""


class Clock(TypedDict):
    """The clock of a match."""

    kind: Literal["budget", "per_move"]
    """What the time limit applies to. `per_move`: Each decision has the same time. `budget`: A seat has
    one budget of time for all its decisions, and gains the increment with each new decision.
    """
    seconds: int
    """Time for each decision, or the budget for the whole match. Whole seconds, at most 30 days."""
    increment_seconds: int
    """Time a budget gains with each new decision. Whole seconds, at most one day. Absent: none."""
    absent: Literal["bot", "forfeit", "policy"]
    """What happens to a seat whose time is up. `policy`: The server makes this decision by the game's
    policy for absent players. `bot`: The server makes this decision in the same way, and a bot plays
    the seat until its player takes it back. `forfeit`: The seat resigns: it leaves the match for good.
    """
    away_after: int
    """Number of time-outs in a row after which a seat counts as away, from 1 to 10; if it is left out, 2.
    From then on, until its player returns, the server decides for it at once while a present player
    waits, and otherwise when its time is up.
    """
    abandoned_after_seconds: int
    """How long the match goes on after all players have left: the first time-out after that aborts it. It
    counts from when one of them last acted. Whole seconds, at most 365 days. Absent: five times the
    time or budget, but at least three days.
    """
    remind_before_seconds: int | None
    """How long before a deadline the tenant is reminded of it, by the event `deadline.near`: once for each
    decision that has more time than that. Whole seconds, at most 30 days. Null: never.
    """
    vacations: bool
    """A player's clock stands while the player is on an announced vacation."""


class ClockSettings(TypedDict):
    """The clock of a new match."""

    kind: Literal["per_move", "budget"]
    """What the time limit applies to. `per_move`: Each decision has the same time. `budget`: A seat has
    one budget of time for all its decisions, and gains the increment with each new decision.
    """
    seconds: int
    """Time for each decision, or the budget for the whole match. Whole seconds, at most 30 days."""
    increment_seconds: NotRequired[int]
    """Time a budget gains with each new decision. Whole seconds, at most one day. Absent: none."""
    absent: NotRequired[Literal["policy", "bot", "forfeit"]]
    """What happens to a seat whose time is up. `policy`: The server makes this decision by the game's
    policy for absent players. `bot`: The server makes this decision in the same way, and a bot plays
    the seat until its player takes it back. `forfeit`: The seat resigns: it leaves the match for good.
    """
    away_after: NotRequired[int]
    """Number of time-outs in a row after which a seat counts as away, from 1 to 10; if it is left out, 2.
    From then on, until its player returns, the server decides for it at once while a present player
    waits, and otherwise when its time is up.
    """
    abandoned_after_seconds: NotRequired[int | None]
    """How long the match goes on after all players have left: the first time-out after that aborts it. It
    counts from when one of them last acted. Whole seconds, at most 365 days. Absent: five times the
    time or budget, but at least three days.
    """
    remind_before_seconds: NotRequired[int | None]
    """How long before a deadline the tenant is reminded of it, by the event `deadline.near`: once for each
    decision that has more time than that. Whole seconds, at most 30 days. Absent: never.
    """
    vacations: NotRequired[bool]
    """A player's clock stands while the player is on an announced vacation."""


class Clocks(TypedDict):
    """The time each seat has left."""

    as_of: str
    """The database's time when the clocks were read. Deadlines are measured by the same clock."""
    seats: list[SeatClock]
    """Every seat's clock, in order."""


class ComponentName(TypedDict):
    """What a component is called."""

    name: str
    """The name in title case, such as "Silk Road"."""
    text: str
    """What the component does, in one sentence. May be empty."""


class Corner(TypedDict):
    """A corner of a polygon."""

    x: int
    """Where it is, in units of the board."""
    y: int
    """Where it is, in units of the board; y grows downwards."""


class Cost(TypedDict):
    """What the seat pays of one resource."""

    resource: str
    """What is paid, such as `koku`. Its name is the text `component.<resource>`."""
    amount: int
    """How much, at least 1."""


class CreateLoginCodeRequest(TypedDict):
    """A request for a code that is exchanged once for a session of a player."""

    player: str
    """The platform's own id of the player, 1 to 64 code points, as in SeatPlan."""
    scopes: NotRequired[list[Literal["read", "play", "join", "create"]]]
    """What the session will allow, as in CreatePlayerSessionRequest. Empty: everything."""
    hours: NotRequired[float | None]
    """How long the session is valid, in hours from when the code is redeemed; absent: 24."""
    valid_seconds: NotRequired[int | None]
    """How long the code can be redeemed, in seconds; absent: 600."""


class CreateMatchRequest(TypedDict):
    """A new match."""

    seating: NotRequired[list[SeatPlan]]
    """How each seat is filled, in order; replaces `players` and `open_seats`. Absent: all seats are handed
    out.
    """
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find the match. `private`: Nobody else. `unlisted`: Everybody who knows the id of the match.
    `public`: Everybody: it is listed, and quick-join may choose it.
    """
    start: NotRequired[Literal["when_full", "on_demand"]]
    """When the match begins. `when_full`: When the last seat is taken, or earlier at the tenant's request.
    `on_demand`: When the tenant or a seated player asks for it.
    """
    title: NotRequired[str]
    """Title shown in listings: free text of at most 100 code points, as for a name in SeatPlan. May be
    empty.
    """
    undo: NotRequired[Literal["none", "free", "consent"]]
    """What players may undo. `none`: Nothing. `free`: A seat may undo its own moves, as long as nothing
    was drawn, revealed or answered since. `consent`: The same, and in addition whatever all other seats
    agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for answers before it expires, in whole seconds, at most 30 days. Absent:
    one day.
    """
    bot_pace_seconds: NotRequired[float]
    """How long built-in bots wait after the newest move before they move, to the millisecond, at most 30
    seconds. Absent: not at all. A bot waits less if its own time is short. Tenants' own bots choose for
    themselves.
    """
    reference: NotRequired[str]
    """The platform's own reference of the new match: printable text of at most 128 code points, which no
    other match of the tenant has (REFERENCE_TAKEN). Empty: none. Tenants only.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """The platform's own metadata about the new match: a JSON object of at most 4,096 bytes without white
    space, with at most 64 keys, names of at most 64 code points and 8 levels. Empty: none. Tenants
    only.
    """
    game: str
    """Id of the game, such as `river_dragons`."""
    seats: int
    """Number of players."""
    options: NotRequired[Options]
    """The game's options. Absent: the default of every option."""
    players: NotRequired[list[str]]
    """The platform's own ids of the players, by seat. Seats beyond the end of the list get none."""
    open_seats: NotRequired[bool]
    """Hand out no seats now. The match waits until players have joined all of them."""
    clock: NotRequired[ClockSettings | None]
    """The time limits. Absent: none."""
    rules_version: NotRequired[str]
    """The version of the rules to play by, such as `1.0.0`. Empty: the newest. A match keeps its version
    when newer ones appear.
    """
    request_id: NotRequired[str | None]
    """Idempotency key of this request, chosen by the client: at most 64 printable characters. A repeat
    returns the match created first.
    """


class CreateMatchesRequest(TypedDict):
    """Several new matches."""

    mode: Literal["all", "each"]
    """`all`: create all matches, or none if one is refused. `each`: create or refuse each by itself."""
    matches: list[BatchedMatch]
    """The matches: 1 to 500, each without a request id of its own."""
    request_id: NotRequired[str | None]
    """Idempotency key of the whole request, as in CreateMatchRequest. A repeat returns the matches that
    were created first, and creates those that are missing, such as after a server was killed in the
    middle. Each match is compared with the one at the same place: with other content it is refused
    (REQUEST_ID_REUSED).
    """


class CreatePlayerSessionRequest(TypedDict):
    """Request for a session of a player."""

    player: str
    """The platform's own id of the player, 1 to 64 code points, as in SeatPlan."""
    scopes: NotRequired[list[Literal["read", "play", "join", "create"]]]
    """What the session allows. `read`, which is always included: list and follow the player's matches,
    read the tenant's public ones. `play`: act in the player's seats. `join`: take seats of public
    matches, or by invite. `create`: create, repeat and fork matches. `join` and `create` include
    `play`. Empty: all four.
    """
    hours: NotRequired[float | None]
    """How long it is valid, in hours; absent: 24."""


class CreatedMatch(TypedDict):
    """The new match, with a token for each seat that was assigned and an invite for each seat to be taken
    by invite.
    """

    match: Match
    """The match."""
    seat_tokens: list[SeatToken]
    """A token for each seat that was assigned."""
    invites: list[Invite]
    """An invite for each seat that is reserved for one."""


class CreatedMatches(TypedDict):
    """What became of several new matches."""

    results: list[CreationResult]
    """What became of each match, in the order of the request."""


class CreationResult(TypedDict):
    """What became of one of several new matches: it has one of `created` and `problem`."""

    created: NotRequired[CreatedMatch]
    """The match was created, by this request or when it was made first."""
    problem: NotRequired[Problem]
    """Why the match was refused, as a request for it alone would have been. Pointers begin with its place,
    such as `/matches/17/seats`.
    """


class Credential(TypedDict):
    """What the credential of this request permits."""

    kind: Literal["api_key", "invite", "player", "referee", "seat", "spectator"]
    """The kind of credential. `api_key`: A tenant's API key. `seat`: A seat token: plays one seat of one
    match. `spectator`: A watch token of a spectator: reads one match as the public. `referee`: A watch
    token of a referee: reads one match as any audience. `invite`: An invite: takes one seat of one
    match, once. `player`: A player's session: acts for one player at all matches of the tenant.
    """
    tenant: str | None
    """API keys and sessions only: the tenant."""
    key_id: str | None
    """API keys only: the id of the key."""
    scopes: list[str]
    """API keys and sessions only: the scopes, in alphabetical order."""
    match_id: str | None
    """Tokens of a match only: the id of the match."""
    game: str | None
    """Tokens of a match only: the id of its game."""
    seat: int | None
    """Seat tokens and invites only: the seat, counted from 0."""
    player: str | None
    """Sessions only: the platform's own id of the player."""
    expires_at: str | None
    """When the credential expires. Null: never."""
    rate_limits: list[RateLimit]
    """Its buckets."""


class ErasedPlayer(TypedDict):
    """What was erased of a player."""

    player: str
    """The player."""
    seats: int
    """How often the player stood at a seat, as who has it or as who had it before another player."""
    events: int
    """Number of stored events that named the player."""
    login_codes: int
    """Number of login codes that were not redeemed."""
    vacations: int
    """Number of vacations."""
    done: bool
    """Nothing was left when the call ended. False: repeat the request, which goes on with the rest. A
    server may take a session of the player for good for ten seconds more, and with it a seat may be
    taken: repeat the request once after that.
    """


class FeedMatch(TypedDict):
    """The current status of a match."""

    match_id: str
    """Id of the match."""
    game: str
    """Id of its game."""
    version: int
    """Its version: the number of moves so far."""
    status: Literal["ended", "running", "waiting"]
    """Whether the match waits for players, is running, or is over. `waiting`: Some seats are free, and no
    move can be made yet. `running`: The match has begun and is not over. `ended`: Over; `outcome` and
    `secret` are set.
    """
    to_act: list[int]
    """The seats that must act now."""
    waiting_for: list[str]
    """The ids of the players who must act or have something else to do; players without an id are omitted."""
    waiting_for_me: bool | None
    """Whether the feed's player must act or has something else to do; null on a tenant's feed."""
    todos: list[Todo]
    """What players have to do at the match, besides moving, in order of seats."""
    title: str
    """Its title. May be empty."""
    visibility: Literal["private", "public", "unlisted"]
    """Who can find the match. `private`: Nobody else. `unlisted`: Everybody who knows the id of the match.
    `public`: Everybody: it is listed, and quick-join may choose it.
    """
    deadline: str | None
    """When the first clock runs out that runs now. Null: none runs."""
    waiting_bots: list[WaitingBot]
    """The bots that must act."""
    players: list[str]
    """The players' ids, by seat; empty for a seat without one."""
    reference: NotRequired[str]
    """The platform's own reference of the match, as in Match. Set only for an API key with `matches:read`."""
    metadata: NotRequired[dict[str, Any]]
    """The platform's own metadata about the match, as in Match. Set only where `reference` is."""


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
    """The next match."""
    seat_tokens: list[SeatToken]
    """The tokens of every taken seat; for a seat token only the caller's own."""


class ForkRequest(TypedDict):
    """A new match that begins with a state of another one. With a match token, `seating`, `visibility` and
    `start` cannot be chosen. Moves before the fork are never taken back.
    """

    seating: NotRequired[list[SeatPlan]]
    """How each seat is filled, as in CreateMatchRequest. With the token of a seat or a watcher, all seats
    are the caller's, and the fork is private and starts at once: leave out `seating`, `visibility` and
    `start`.
    """
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find the fork, as in CreateMatchRequest. `private`: Nobody else. `unlisted`: Everybody who
    knows the id of the match. `public`: Everybody: it is listed, and quick-join may choose it.
    """
    start: NotRequired[Literal["when_full", "on_demand"]]
    """When the fork begins, as in CreateMatchRequest. `when_full`: When the last seat is taken, or earlier
    at the tenant's request. `on_demand`: When the tenant or a seated player asks for it.
    """
    title: NotRequired[str]
    """Title shown in listings, as in CreateMatchRequest. May be empty."""
    undo: NotRequired[Literal["none", "free", "consent"]]
    """What players may undo. No undo goes back before the fork. `none`: Nothing. `free`: A seat may undo
    its own moves, as long as nothing was drawn, revealed or answered since. `consent`: The same, and in
    addition whatever all other seats agree to.
    """
    undo_timeout_seconds: NotRequired[int]
    """How long a proposal waits for answers, as in CreateMatchRequest. Absent: one day."""
    bot_pace_seconds: NotRequired[float]
    """How long built-in bots wait before they move, as in CreateMatchRequest. Absent: not at all."""
    reference: NotRequired[str]
    """The platform's own reference of the new match: printable text of at most 128 code points, which no
    other match of the tenant has (REFERENCE_TAKEN). Empty: none. Tenants only; it is not that of the
    forked match.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """The platform's own metadata about the new match: a JSON object of at most 4,096 bytes without white
    space, with at most 64 keys, names of at most 64 code points and 8 levels. Empty: none. Tenants
    only.
    """
    version: NotRequired[int | None]
    """The version of that match whose state the fork begins with. Absent: the newest."""
    audience: NotRequired[Literal["seat", "public", "referee"] | None]
    """The audience whose knowledge is kept; everything else is dealt anew. Absent: the token's own seat,
    or the public for an API key.
    """
    seat: NotRequired[int | None]
    """The seat, with the audience `seat`."""
    request_id: NotRequired[str | None]
    """Idempotency key of this request, as in CreateMatchRequest. A repeat returns the fork made first."""


class ForkedFrom(TypedDict):
    """Where a fork begins."""

    match_id: str
    """Id of the match that was forked."""
    version: int
    """The version of that match whose state the fork begins with."""
    audience: Audience
    """The audience whose knowledge was kept; everything else was dealt anew."""


class GameDescription(TypedDict):
    """Everything about a game that does not depend on a match."""

    game: str
    """Stable id of the game, such as `river_dragons`."""
    title: str
    """The title of the game, for display."""
    edition: str
    """The printed edition that the rules follow."""
    rules_version: str
    """The version of the rules that new matches use."""
    rules_versions: list[RulesVersion]
    """All versions of its rules that this server has, newest first."""
    seat_counts: list[int]
    """The numbers of players the game allows."""
    bot_levels: list[str]
    """Levels of the built-in bots, from the weakest to the strongest."""
    links: GameLinks
    options_schema: dict[str, Any]
    """JSON Schema 2020-12 of the options."""
    action_schema: dict[str, Any]
    """JSON Schema of an action: a union by `type`."""
    event_schema: dict[str, Any]
    """JSON Schema of an event: a union by `type`."""
    template_schema: dict[str, Any]
    """JSON Schema of a template of legal actions: a union by `type`."""
    view_schema: dict[str, Any]
    """JSON Schema of a view."""
    components: dict[str, Any]
    """The components in the box and on the board, as JSON."""
    proto_package: str
    """The protobuf package of its typed messages, such as `foldtable.river_dragons.v1`."""
    refusals: list[GameRefusal]
    """The codes of refusals that its rules can give."""
    languages: list[str]
    """The languages of its texts, as BCP 47 tags."""
    names: NotRequired[dict[str, ComponentName]]
    """Names of components, by id. Set only if a language was requested."""


class GameLinks(TypedDict):
    """Links of a game."""

    self: str
    """A path of this API."""
    layout: str
    """A path of this API."""
    matches: str
    """A path of this API."""


class GameRefusal(TypedDict):
    """A code that refusals of this game can have."""

    code: str
    """The code, which is stable, such as `PLANK_TOO_SHORT`."""
    rules: list[str]
    """The paragraphs and rulings that it can refer to."""
    meaning: str
    """Its meaning in one or two sentences, for developers. Names of facts are in backticks."""


class GameSummary(TypedDict):
    """A game in the catalogue."""

    game: str
    """Stable id of the game, such as `river_dragons`."""
    title: str
    """The title of the game, for display."""
    edition: str
    """The printed edition that the rules follow."""
    rules_version: str
    """The version of the rules that new matches use."""
    rules_versions: list[RulesVersion]
    """All versions of its rules that this server has, newest first."""
    seat_counts: list[int]
    """The numbers of players the game allows."""
    bot_levels: list[str]
    """Levels of the built-in bots, from the weakest to the strongest."""
    links: GameLinks


class Group(TypedDict):
    """Places that belong together, such as a region."""

    id: str
    """The id that its places name."""
    kind: str
    """What kind of group it is, such as `region`."""


class Invite(TypedDict):
    """The right to take one seat of one match, once. Keep it secret."""

    seat: int
    """The seat, counted from 0."""
    token: str
    """The token: `authorization: Bearer <token>` when joining."""
    expires_at: str
    """When it stops being valid."""


class JoinRequest(TypedDict):
    """A request for a free seat."""

    seat: NotRequired[int | None]
    """The seat to take, counted from 0. Absent: the open seat with the lowest number, or the seat of the
    invite.
    """
    player: NotRequired[str]
    """The platform's own id of the player, as in SeatPlan. Must be empty with an invite or a session,
    which name the player.
    """
    name: NotRequired[str]
    """The name shown to the other players, as in SeatPlan."""
    data: NotRequired[Any]
    """The player's data besides the name, such as a colour, shown to the other players: JSON of at most
    1,024 bytes without white space. Its texts are kept as they are sent.
    """
    invite: NotRequired[str]
    """With a session only: the invite whose seat its player takes. Empty: an open seat of a public match."""
    request_id: NotRequired[str | None]
    """Idempotency key of this request, as in CreateMatchRequest. A repeat returns the seat that was taken
    first.
    """


class JoinedMatch(TypedDict):
    """The match, started if this was the last seat, and the seat's token."""

    match: Match
    """The match, already started if this was its last free seat."""
    seat_token: SeatToken


class Layout(TypedDict):
    """Where the things of a game are. The name of a place, a group or a piece is the text
    `component.<id>`, if there is one.
    """

    game: str
    """Id of the game, such as `river_dragons`."""
    boards: list[Board]
    """The boards. A match uses those whose options and seats agree with its own."""
    mats: list[Board]
    """What every seat has before it. Each is drawn once for each seat."""
    seats: list[SeatMark]
    """How the pieces of each seat are marked, by number of seat."""
    seats_with: list[SeatMarks]
    """The numbers of players with which the seats are marked differently."""


class LegalActionsAnswer(TypedDict):
    """Everything a seat may do now."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version of the match they apply to: the `expected_version` of a move."""
    seat: int
    """The seat, counted from 0."""
    pending: PendingDecision | None
    """The seat's open decision. Null if it has none."""
    actions: list[Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    templates: list[Template]
    """Sets of legal actions that are too large to list, each described by the values its fields may have.
    No action of them is listed.
    """
    samples: list[Action]
    """The legal actions drawn at random: as many as `samples` asked for. The same action may occur more
    than once.
    """
    clocks: Clocks | None
    """Each seat's remaining time. Null in a match without a clock."""
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    action_hints: NotRequired[list[ActionHint]]
    """How each action is presented, in the same order. Set only if hints were requested."""
    template_hints: NotRequired[list[TemplateHint]]
    """How each template is presented and filled in, in the same order. Set only if hints were requested."""
    sample_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class LegalActionsNow(TypedDict):
    """What a seat may do."""

    actions: list[Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    templates: list[Template]
    """Sets of legal actions that are too large to list, each described by the values its fields may have.
    No action of them is listed.
    """
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class Limit(TypedDict):
    """A bound over several steps: on the sum of the numbers and the count of the values that name it."""

    name: str
    """The name that steps and choices refer to."""
    least: int
    """The least sum."""
    most: int | None
    """The greatest sum. Null: no bound."""


class LoginCode(TypedDict):
    """A code that is exchanged once for a session. Whoever has it can sign in as the player."""

    code: str
    """The code, `lc_…`. Only its hash is stored."""
    player: str
    """The player."""
    expires_at: str
    """When the code expires."""


class Match(TypedDict):
    """A match without its state."""

    match_id: str
    """Id of the match, a UUIDv7."""
    game: str
    """Id of the game, such as `river_dragons`."""
    rules_version: str
    """The version of the rules it is played by, such as `1.0.0`."""
    version: int
    """Number of moves so far, including the start; 0 before the start."""
    status: Literal["ended", "running", "waiting"]
    """Whether the match waits for players, is running, or is over. `waiting`: Some seats are free, and no
    move can be made yet. `running`: The match has begun and is not over. `ended`: Over; `outcome` and
    `secret` are set.
    """
    seats: list[Seat]
    """All seats, in order."""
    to_act: list[int]
    """The seats that must act now."""
    todos: list[Todo]
    """What players have to do at the match, besides moving, in order of seats."""
    options: Options
    """The game's options as JSON."""
    commitment: str
    """SHA-256 of the match secret. It is published from the beginning, and `secret` must match it. As
    lower-case hexadecimal digits.
    """
    secret: str | None
    """The match secret, 32 bytes, from which all luck is drawn. Null until the match is over. As lower-
    case hexadecimal digits.
    """
    outcome: Outcome | None
    """The result. Null until the match is over."""
    created_at: str
    """When the match was created."""
    updated_at: str
    """When the match's version last changed."""
    visibility: Literal["private", "public", "unlisted"]
    """Who can find the match. `private`: Nobody else. `unlisted`: Everybody who knows the id of the match.
    `public`: Everybody: it is listed, and quick-join may choose it.
    """
    start: Literal["on_demand", "when_full"]
    """When the match begins. `when_full`: When the last seat is taken, or earlier at the tenant's request.
    `on_demand`: When the tenant or a seated player asks for it.
    """
    title: str
    """Title shown in listings. May be empty."""
    rematch_of: str | None
    """Id of the match that this one follows. Null: none."""
    next_match_id: str | None
    """Id of the match that follows this one. Null: none yet. Set only once the match is over, and only in
    responses about this match alone.
    """
    forked_from: ForkedFrom | None
    """Where the match begins, if it is a fork. Null otherwise."""
    undo: Literal["consent", "free", "none"]
    """What players may undo. `none`: Nothing. `free`: A seat may undo its own moves, as long as nothing
    was drawn, revealed or answered since. `consent`: The same, and in addition whatever all other seats
    agree to.
    """
    undo_timeout_seconds: int
    """How long a proposal waits for answers before it expires."""
    bot_pace_seconds: float
    """How long built-in bots wait after the newest move before they move, so that people can follow."""
    paused_by: Literal["consent", "tenant"] | None
    """Who paused the match: nobody has to act, and all clocks stand. Null: it is not paused. `tenant`: The
    tenant, who alone ends the pause. `consent`: All seats that had not left, by agreement. Each of them
    may end the pause.
    """
    clock: Clock | None
    """The time limits. Null: none."""
    clocks: Clocks | None
    """Each seat's remaining time. Only for a running match with a clock, and only in responses about a
    single match.
    """
    links: MatchLinks
    reference: NotRequired[str]
    """The platform's own reference of the match, unique among the tenant's matches. Empty: none. Set only
    for an API key with `matches:read`, and never in tables: what a platform notes about a match is for
    the platform alone.
    """
    metadata: NotRequired[dict[str, Any]]
    """The platform's own metadata about the match: a JSON object. `{}`: none. Set only where `reference`
    is.
    """


class MatchCommandAbort(TypedDict):
    """Call the match off, or propose it to the others."""

    type: Literal["abort"]
    """The kind."""


class MatchCommandAddTime(TypedDict):
    """Give others time."""

    type: Literal["add_time"]
    """The kind."""
    seats: list[int]
    """The seats that get it."""
    seconds: int
    """How much time each of them gets."""


class MatchCommandAnswerAbort(TypedDict):
    """Answer the proposal to call the match off."""

    type: Literal["answer_abort"]
    """The kind."""
    accept: bool
    """Whether it agrees."""


class MatchCommandAnswerPause(TypedDict):
    """Answer the proposal to pause the match."""

    type: Literal["answer_pause"]
    """The kind."""
    accept: bool
    """Whether it agrees."""


class MatchCommandAnswerReplace(TypedDict):
    """Answer the proposal to give a seat to another player."""

    type: Literal["answer_replace"]
    """The kind."""
    accept: bool
    """Whether it agrees."""


class MatchCommandAnswerUndo(TypedDict):
    """Answer the proposal to take moves back."""

    type: Literal["answer_undo"]
    """The kind."""
    accept: bool
    """Whether it agrees."""


class MatchCommandAskToReplace(TypedDict):
    """Ask the others whether another player may have the seat."""

    type: Literal["ask_to_replace"]
    """The kind."""


class MatchCommandBeginVacation(TypedDict):
    """The player's announced vacation begins."""

    type: Literal["begin_vacation"]
    """The kind."""


class MatchCommandEndVacation(TypedDict):
    """The player's vacation is over."""

    type: Literal["end_vacation"]
    """The kind."""


class MatchCommandPause(TypedDict):
    """Pause the match, or propose it to the others."""

    type: Literal["pause"]
    """The kind."""


class MatchCommandRedo(TypedDict):
    """Restore the moves taken back last."""

    type: Literal["redo"]
    """The kind."""


class MatchCommandResign(TypedDict):
    """Leave for good."""

    type: Literal["resign"]
    """The kind."""


class MatchCommandResume(TypedDict):
    """End the pause."""

    type: Literal["resume"]
    """The kind."""


class MatchCommandReturnToSeat(TypedDict):
    """Return to a seat that was away."""

    type: Literal["return_to_seat"]
    """The kind."""


class MatchCommandTimeOut(TypedDict):
    """A seat's time was up."""

    type: Literal["time_out"]
    """The kind."""
    action: dict[str, Any]
    """What the server did for the seat: an action of the game, or a resignation."""
    decision: str
    """Id of the decision that was not made in time."""


class MatchCommandUndo(TypedDict):
    """Take moves back, or propose it to the others."""

    type: Literal["undo"]
    """The kind."""
    to: int
    """The version whose state the match has again."""


class MatchEventAbortAnswered(TypedDict):
    """A seat has answered that proposal."""

    type: Literal["abort_answered"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    accept: bool
    """Whether it agrees."""


class MatchEventAbortProposed(TypedDict):
    """A seat proposes to call the match off."""

    type: Literal["abort_proposed"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventForked(TypedDict):
    """The match begins with a state of another one."""

    type: Literal["forked"]
    """The kind."""
    of: str
    """The other match."""
    version: int
    """The version with whose state it begins."""
    audience: Audience
    """The audience whose knowledge was kept; everything hidden from it was dealt again."""
    state: Any
    """The complete state; null except for a referee."""


class MatchEventMatchAborted(TypedDict):
    """The match is called off."""

    type: Literal["match_aborted"]
    """The kind."""
    by: Literal["tenant", "consent", "absence"]
    """Who called it off: its tenant, or all of its seats."""
    seat: int | None
    """The seat that proposed it; null for the tenant."""


class MatchEventMatchPaused(TypedDict):
    """The match is paused: nobody has to act, and all clocks stand."""

    type: Literal["match_paused"]
    """The kind."""
    by: Literal["tenant", "consent"]
    """Who paused it: its tenant, or all of its seats."""
    seat: int | None
    """The seat that proposed it; null for the tenant."""


class MatchEventMatchResumed(TypedDict):
    """The pause is over."""

    type: Literal["match_resumed"]
    """The kind."""
    seat: int | None
    """The seat that asked for it; null for the tenant."""


class MatchEventMoveRedone(TypedDict):
    """A seat has restored moves that it had taken back."""

    type: Literal["move_redone"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    to: int
    """The version whose state the match has again."""


class MatchEventMoveUndone(TypedDict):
    """A seat has taken moves back."""

    type: Literal["move_undone"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    to: int
    """The version whose state the match has again."""


class MatchEventPauseAnswered(TypedDict):
    """A seat has answered that proposal."""

    type: Literal["pause_answered"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    accept: bool
    """Whether it agrees."""


class MatchEventPauseProposed(TypedDict):
    """A seat proposes to pause the match."""

    type: Literal["pause_proposed"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventReplacementAgreed(TypedDict):
    """All others agree that another player may have a seat."""

    type: Literal["replacement_agreed"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventReplacementAnswered(TypedDict):
    """A seat has answered that proposal."""

    type: Literal["replacement_answered"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    accept: bool
    """Whether it agrees."""


class MatchEventReplacementProposed(TypedDict):
    """The others are asked whether another player may have a seat."""

    type: Literal["replacement_proposed"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventSeatReturned(TypedDict):
    """The player of a seat that was away is back."""

    type: Literal["seat_returned"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventTimeAdded(TypedDict):
    """Clocks have more time."""

    type: Literal["time_added"]
    """The kind."""
    by: int | None
    """The seat that gave the time; null for the tenant."""
    seats: list[int]
    """The seats that got it."""
    seconds: int
    """How much time each of them gets."""


class MatchEventUndoAnswered(TypedDict):
    """A seat has answered that proposal."""

    type: Literal["undo_answered"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    accept: bool
    """Whether it agrees."""


class MatchEventUndoProposed(TypedDict):
    """A seat proposes to take moves back."""

    type: Literal["undo_proposed"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""
    to: int
    """The version whose state the match has again."""


class MatchEventVacationBegan(TypedDict):
    """The player of a seat is on vacation: the seat's clock stands."""

    type: Literal["vacation_began"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


class MatchEventVacationEnded(TypedDict):
    """The vacation of a seat's player is over."""

    type: Literal["vacation_ended"]
    """The kind."""
    seat: int
    """The seat, counted from 0."""


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
    """The version of the match after the move."""
    seat: int | None
    """The seat that made the move. Null for the start, and for actions of the tenant."""
    action: RequestedAction | None
    """The requested action; only for the seat that requested it, and for referees. Other seats learn of it
    from the events. `{"type":"resign"}` stands for a resignation; `undo`, `redo`, `answer_undo`,
    `abort`, `answer_abort`, `pause`, `answer_pause`, `resume`, `ask_to_replace`, `answer_replace`,
    `add_time`, `begin_vacation`, `end_vacation` and `return_to_seat` for requests that the server
    decides; and `time_out` holds the action that was made for an absent player.
    """
    events: list[Event]
    """The events, each without its hidden parts. Events of the match itself (`move_undone`, …) are always
    JSON.
    """
    hash: str
    """Hash of this move in the hash chain, which covers the hash of the previous move. It is keyed with
    the match secret, so it reveals nothing before the end. As lower-case hexadecimal digits.
    """
    recorded_at: str
    """When the move was recorded."""
    timed_out: bool
    """The server made this move for the seat, because the seat's time was up."""
    action_text: NotRequired[Text]
    """What was asked, as a log line; only with `action`, if a language is asked for."""
    event_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class MoveAnswer(TypedDict):
    """An accepted move; it is durable."""

    match_id: str
    """Id of the match."""
    version: int
    """The version of the match after the move."""
    events: list[Event]
    """The events of the move, as the acting seat may see them."""
    to_act: list[int]
    """The seats that must act now."""
    status: Literal["ended", "running", "waiting"]
    """The status of the match now. `waiting`: Some seats are free, and no move can be made yet. `running`:
    The match has begun and is not over. `ended`: Over; `outcome` and `secret` are set.
    """
    outcome: Outcome | None
    """The outcome. Set only if the move ended the match."""
    clocks: Clocks | None
    """Each seat's remaining time now. Null in a match without a clock, and if the match has advanced
    already.
    """
    event_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    table: NotRequired[Table | None]
    """The table as the seat sees it now, perhaps after further moves; only with `include=table`. Null if
    it could not be read: the move stands.
    """


class MoveRehearsed(TypedDict):
    """The move is legal now. It was not made, and the response does not say what it would lead to."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version at which it was checked."""
    dry_run: Literal[True]
    """The move was only checked."""
    legal: Literal[True]
    """The move is legal."""


class NumberStep(TypedDict):
    """A whole number is to be chosen."""

    type: Literal["number"]
    """Its kind."""
    field: str
    """Where the number goes in the action: a JSON Pointer (RFC 6901), such as `/amount`."""
    least: int
    """The least number."""
    most: int
    """The greatest number."""
    suggested: int
    """A number to begin with. All suggested numbers together make a legal action, if there is one to
    suggest.
    """
    name: str
    """What is counted: its name is the text `component.<name>`. Empty: nothing that has a name."""
    limit: str
    """The limit that the number counts against. Empty: none."""


class Outcome(TypedDict):
    """How a match ended."""

    reason: str
    """Stable code of the game for how it ended, such as `DESTINATION_REACHED`; `ABORTED` if the match was
    aborted.
    """
    rule: str
    """Paragraph of the rules by which it ended, such as `7.2` (the list of paragraphs says what it says)."""
    winners: list[int]
    """The winning seats. None: a draw, or no result."""
    results: list[SeatResult]
    """Every seat's result, in order of seats. None if the match was aborted."""
    text: NotRequired[Text]
    """How it ended, for players. Set only if a language was requested."""


class Path(TypedDict):
    """A connection between two places of a board."""

    a: str
    """The id of the place where it begins."""
    b: str
    """The id of the place where it ends."""
    kind: str
    """What kind of connection it is, such as `river`."""
    directed: bool
    """Whether it leads only from `a` to `b`."""


class PendingDecision(TypedDict):
    """A decision that a seat must make."""

    seat: int
    """The seat that must decide, counted from 0."""
    decision: str
    """Stable name of the kind of decision, such as `program`."""
    rule: str
    """Paragraph of the rules that asks for it, such as `7.2` (the list of paragraphs says what it says)."""
    id: str
    """Identifies this decision within its match."""
    simultaneous: bool
    """Several seats decide secretly at the same time, so their answers do not conflict with each other."""
    text: NotRequired[Text]
    """The prompt for the player. Set only if a language was requested."""


class Piece(TypedDict):
    """Something that lies at a place, or several of them that look alike."""

    component: str
    """What it is: its name is the text `component.<component>`. Empty if the audience may not know."""
    place: str
    """The id of the place where it lies."""
    kind: str
    """What kind of piece it is, such as `ship`. Pieces of a kind look alike."""
    count: int
    """How many of them lie there."""
    seat: NotRequired[int]
    """The seat whose piece it is. Absent for nobody's."""
    x: NotRequired[int]
    """Where it lies exactly: its centre, or one end of something long, in units of the board. Absent:
    anywhere in its place.
    """
    y: NotRequired[int]
    """Where it lies exactly. Set whenever `x` is."""
    x2: NotRequired[int]
    """Where the other end of something long lies. Absent for everything else."""
    y2: NotRequired[int]
    """Where the other end of something long lies. Set whenever `x2` is."""
    width: NotRequired[int]
    """Its diameter, or how wide something long is, in units of the board. Absent: as fits its place."""


class Place(TypedDict):
    """A place where pieces can be, or that an action can name."""

    id: str
    """The id, such as `shore_12`, as views and actions name it. On a mat, `@` and the seat's number are
    appended: `hand` is `hand@2` at seat 2.
    """
    kind: str
    """What kind of place it is, such as `shore`. Places of a kind look alike."""
    x: int
    """Where its centre is, in units of the board."""
    y: int
    """Where its centre is, in units of the board; y grows downwards."""
    shape: Literal["circle", "polygon", "rectangle"]
    """Its outline. `circle`: A circle or an ellipse within `width` and `height`. `rectangle`: A rectangle.
    `polygon`: The polygon of `corners`.
    """
    width: int
    """Width of the outline; the diameter of a circle."""
    height: int
    """Height of the outline; the diameter of a circle."""
    corners: list[Corner]
    """The corners of a polygon, clockwise. Empty for other shapes."""
    group: str
    """The group it belongs to. Empty: none."""
    label: str
    """A short inscription that needs no translation, such as `6`. Empty: none."""


class PlayerRecord(TypedDict):
    """Something that is kept of a player: a line of the export. Further members depend on `kind`."""

    kind: Literal[
        "earlier_seat", "event", "event_of_replacement", "forks", "login_code", "seat", "sessions", "vacation"
    ]
    """`sessions`: how often they were revoked; `login_code`: one that is not redeemed; `vacation`; `seat`:
    one that the player has, or that is kept for the player; `earlier_seat`: one that another player has
    since; `event`: a stored event about the player at a seat; `event_of_replacement`: one that names
    the player as who was there before; `forks`: how many the player made of a match.
    """
    match_id: NotRequired[str]
    """Id of the match, a UUIDv7."""
    recorded_at: NotRequired[str]
    """When the event happened."""


class PlayerSession(TypedDict):
    """A session of one player. Whoever has the token acts for the player."""

    player: str
    """The player."""
    token: str
    """The token of the session. It is not stored."""
    scopes: list[Literal["create", "join", "play", "read"]]
    """What the session allows, in alphabetical order."""
    expires_at: str
    """When it expires."""


class PointStep(TypedDict):
    """A point of a board is to be touched. The template says where it may be."""

    type: Literal["point"]
    """Its kind."""
    field_x: str
    """Where the x of the point goes in the action: a JSON Pointer (RFC 6901), such as `/x`."""
    field_y: str
    """Where the y of the point goes in the action, such as `/y`."""
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

    kind: Literal["abort", "pause", "replace", "undo"]
    """What is proposed. `undo`: To undo moves. `abort`: To abort the match. `pause`: To pause the match.
    `replace`: To give the seat to another player. The tenant may propose it, too.
    """
    version: int
    """The version that opened the proposal."""
    seat: int
    """The seat that proposed it."""
    to: int | None
    """For an undo, the version to go back to. Null otherwise."""
    accepted: list[int]
    """The seats that have agreed so far."""
    waiting: list[int]
    """The seats that have not answered yet."""
    expires_at: str
    """When the proposal expires if it is not answered."""


class QuickJoinRequest(TypedDict):
    """Request for a seat at any public match that waits for players."""

    game: str
    """Id of the game, such as `river_dragons`."""
    player: NotRequired[str]
    """Id of the player, as in SeatPlan. A player never gets two seats at the same match."""
    name: NotRequired[str]
    """Name of the player, as in SeatPlan."""
    seats: NotRequired[int | None]
    """Only matches for this number of players. Absent: any number."""
    options: NotRequired[Options]
    """Only matches with these options. Absent: any options."""
    create_if_none: NotRequired[bool]
    """If no match fits, create a public one and take its first seat. Without `seats`, it is for the
    smallest number of players of the game.
    """
    request_id: NotRequired[str | None]
    """Idempotency key of this request, as in CreateMatchRequest. A repeat returns the seat that was found
    first.
    """


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
    """What the platform notes about the rematch."""

    reference: NotRequired[str]
    """The platform's own reference of the new match: printable text of at most 128 code points, which no
    other match of the tenant has (REFERENCE_TAKEN). Empty: none. Tenants only; it is not that of the
    match before. A rematch that exists already stays as it is.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """The platform's own metadata about the new match: a JSON object of at most 4,096 bytes without white
    space, with at most 64 keys, names of at most 64 code points and 8 levels. Empty: none. Tenants
    only.
    """


class ReplacePlayerRequest(TypedDict):
    """Who is to have the seat."""

    player: str
    """The platform's own id of the new player, 1 to 64 code points, as in SeatPlan. The player must have
    no seat of the match.
    """
    name: NotRequired[str]
    """The name shown to the other players, as in SeatPlan. May be empty."""
    data: NotRequired[Any]
    """The new player's data, as when joining. Empty: none. The data of the player before is removed."""
    consent: NotRequired[Literal["tenant", "table"]]
    """Whose consent it needs. `tenant`: Only the tenant's, who asks for it. `table`: That of all other
    seats, too (AskToReplace), given to the replacement of the player who has the seat now.
    CONSENT_MISSING otherwise.
    """
    request_id: NotRequired[str | None]
    """Idempotency key of this request, as in CreateMatchRequest. A repeat returns another token of the
    seat.
    """


class ReplacedPlayer(TypedDict):
    """A player who was replaced by another one while the match was running."""

    player: str
    """The platform's own id of the player. May be empty: a bot had the seat, or a player without an id."""
    name: str
    """The name that was shown to the other players. May be empty."""
    until_version: int
    """The last version of the match at which this player had the seat; later moves are the next player's."""
    replaced_at: str
    """When the player was replaced."""


class ReplayTable(TypedDict):
    """What a page draws of one version: as in a table, without what changes with time."""

    view: View | None
    """The state, as the audience saw it; null if the match was aborted before the start."""
    pieces: dict[str, Piece]
    """What lies at the places of the game's layout, as far as the audience may know. Only if tables were
    requested.
    """
    pending: list[PendingDecision]
    """The open decisions of all seats."""


class RevokedPlayer(TypedDict):
    """What was revoked of a player."""

    player: str
    """The player."""
    seats: int
    """Number of seats whose tokens and invites this call revoked, in matches of any status."""
    login_codes: int
    """Number of login codes that this call revoked before they were redeemed."""
    next_page_token: str
    """The player has more seats: pass it as `page_token` to go on. Empty: all is revoked."""


class RevokedSessions(TypedDict):
    """Whose sessions were revoked."""

    player: str | None
    """The player; null: all players of the tenant."""


class RulesVersion(TypedDict):
    """One version of a game's rules. A match keeps the version it was created with."""

    version: str
    """The version, such as `1.1.0`."""
    since: str
    """When it was released, as YYYY-MM-DD."""
    changes: str
    """What it decides differently from the previous version, in one sentence."""


class ScoreLine(TypedDict):
    """Points from one source."""

    reason: str
    """Stable code of the game for the source of the points."""
    rule: str
    """Paragraph of the rules that gives the points, such as `7.2` (the list of paragraphs says what it
    says).
    """
    points: int
    """The points, which may be negative."""
    text: NotRequired[Text]
    """What the points are for, for players. Set only if a language was requested."""


class Seat(TypedDict):
    """A player's place in a match."""

    seat: int
    """Number of the seat, counted from 0."""
    taken: bool
    """The seat is taken, by a player or a bot."""
    player: str
    """The platform's own id of the player at the seat, or of the player it is reserved for. May be empty."""
    state: Literal["invited", "open", "reserved", "taken"]
    """Whether the seat is free, and for whom. `open`: Free for whoever joins first. `invited`: Reserved
    for whoever holds its invite. `reserved`: Reserved for a player of the previous match (a rematch).
    `taken`: Taken by a player or a bot.
    """
    name: str
    """The name shown to the other players. May be empty."""
    level: str | None
    """Level of the built-in bot that plays the seat. Null: no built-in bot plays it."""
    bot: str | None
    """Name of the tenant's own bot that plays the seat. Null: none does."""
    data: Any
    """The player's data besides the name, as JSON, shown to the other players. Empty or `null`: none."""
    ready: bool
    """The player has said to be ready to start. For people only: no start waits for it, and it means
    nothing afterwards.
    """
    replaced: NotRequired[list[ReplacedPlayer]]
    """Who had the seat before, in order, each until a version. Empty: the same player from the beginning."""


class SeatClock(TypedDict):
    """One seat's clock."""

    seat: int
    """The seat, counted from 0."""
    deadline: str | None
    """When the seat's time is up; later after a time in which no server took moves. Null while its clock
    is stopped.
    """
    left_seconds: float
    """Time left at `as_of`. With `per_move`, meaningless while the clock is stopped."""
    time_outs: int
    """Number of the seat's latest decisions in a row that the server made because its time was up."""
    away: bool
    """The seat is away, until its player returns: the server decides for it at once while a present player
    waits.
    """
    on_vacation: bool
    """The player is on vacation: the clock stands meanwhile."""


class SeatMark(TypedDict):
    """How the pieces of a seat are marked. Both differ between seats, so that nobody has to tell colours
    apart.
    """

    colour: str
    """As `#rrggbb`, from the palette of Okabe and Ito, which colour-blind people can tell apart."""
    symbol: Literal["circle", "cross", "diamond", "square", "star", "triangle"]
    """A shape to be drawn on its pieces. `circle`: A circle. `square`: A square. `triangle`: A triangle.
    `diamond`: A diamond. `star`: A star. `cross`: A cross.
    """


class SeatMarks(TypedDict):
    """The marks of seats with a certain number of players, in a game whose colours depend on it."""

    players: int
    """The number of players."""
    marks: list[SeatMark]
    """How the pieces of each seat are marked then, by number of seat."""


class SeatPlan(TypedDict):
    """One seat of a new match."""

    kind: NotRequired[Literal["closed", "open", "invited", "bot"]]
    """How the seat is filled. `closed`: Handed out when the match is created: the response contains the
    seat's token. `open`: Open to whoever joins first. `invited`: Reserved for whoever holds the seat's
    invite, which the response contains. `bot`: Played by a bot from the beginning; `level` or `bot`
    names it.
    """
    player: NotRequired[str]
    """The platform's own id of the player, at most 64 code points, as for the name. Ids are compared
    exactly, so an id is refused that is not in normalization form C or has spaces at its ends. May be
    empty; must be empty for an open seat.
    """
    name: NotRequired[str]
    """The name shown to the other players: free text of at most 100 code points, without control
    characters, line separators, changes of the direction of writing, noncharacters, and with a visible
    character. It is stored in Unicode's normalization form C, without spaces at its ends. May be empty;
    must be empty for an open seat.
    """
    level: NotRequired[str]
    """For a bot's seat played by a built-in bot: its level, one of GameSummary.bot_levels."""
    bot: NotRequired[str]
    """For a bot's seat played by a tenant's own bot: its name, `[a-z][a-z0-9_.-]{0,31}`, which must not be
    the name of a level. The response contains the seat's token.
    """
    data: NotRequired[Any]
    """The player's data, as when joining. May be empty; must be empty for an open seat."""


class SeatResult(TypedDict):
    """One seat's result."""

    seat: int
    """The seat, counted from 0."""
    rank: int
    """The rank of the seat. 1 is the best; seats that are tied share a rank."""
    score: int | None
    """The sum of the breakdown. Null in a game without points."""
    breakdown: list[ScoreLine]
    """Where the points come from."""


class SeatToken(TypedDict):
    """The right to play one seat of one match. Keep it secret."""

    seat: int
    """The seat, counted from 0."""
    token: str
    """The token: `authorization: Bearer <token>`."""
    expires_at: str
    """When it stops being valid. The tenant can issue a new one at any time."""


class SeatsUpdatedData(TypedDict):
    """`event: seats.updated`: somebody has joined or left, has another name or other data, or has
    something else to do besides moving, such as to answer a proposal; or the match has another title or
    visibility. Sent without an id.
    """

    version: int
    """Number of moves so far, including the start; 0 before the start."""
    status: Literal["ended", "running", "waiting"]
    """Whether the match waits for players, is running, or is over. `waiting`: Some seats are free, and no
    move can be made yet. `running`: The match has begun and is not over. `ended`: Over; `outcome` and
    `secret` are set.
    """
    seats: list[Seat]
    """All seats, in order."""
    todos: list[Todo]
    """What players have to do at the match, besides moving, in order of seats."""
    next_match_id: str | None
    """Id of the match that follows this one. Null: none yet. Set only once the match is over, and only in
    responses about this match alone.
    """
    title: str
    """Title shown in listings. May be empty."""
    visibility: Literal["private", "public", "unlisted"]
    """Who can find the match. `private`: Nobody else. `unlisted`: Everybody who knows the id of the match.
    `public`: Everybody: it is listed, and quick-join may choose it.
    """


class Table(TypedDict):
    """Everything that a front end draws for an audience, read at one moment and of one version."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version that is shown, and the `expected_version` of a move; 0 before the start."""
    audience: Audience
    """The audience whose knowledge is shown."""
    match: Match
    """The match, with its outcome and clocks."""
    view: View | None
    """The state, as the audience may see it. Null before the start."""
    pieces: dict[str, Piece]
    """What lies at the places of the game's layout, as far as the audience may know."""
    pending: list[PendingDecision]
    """The open decisions of all seats."""
    legal: TableLegalActions | None
    """What the seat may do. Only for the audience of a seat, and only if it has an open decision."""
    undo: UndoState | None
    """What the seat may undo. Only for the audience of a seat of a match that has begun."""
    proposal: Proposal | None
    """The open proposal. Null: none."""
    clocks: Clocks | None
    """Each seat's remaining time. Null in a match without a clock."""


class TableLegalActions(TypedDict):
    """Everything that a seat may do now, with hints for a person who chooses."""

    actions: list[Action]
    """Every legal action that can be listed. Each can be sent as it is."""
    action_hints: list[ActionHint]
    """How each action is presented, in the same order."""
    templates: list[Template]
    """Sets of legal actions that are too large to list. No action of them is listed."""
    template_hints: list[TemplateHint]
    """How each template is presented and filled in, in the same order."""
    action_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""
    template_texts: NotRequired[list[Text]]
    """Words for each of them, in the same order; only if a language is asked for, and there are any."""


class TablePatchedData(TypedDict):
    """`event: table.patched`: what has changed in the table since the last `table` or `table.patched` of
    this stream.
    """

    version: int
    """Number of moves so far, including the start; 0 before the start."""
    patch: list[dict[str, Any]]
    """A JSON Patch (RFC 6902) of the last table; only with `add`, `remove` and `replace`."""


class TemplateHint(TypedDict):
    """How a template is presented to a person, and filled in. The action is an object with the template's
    type, and the value of each step put in its place. What the steps and limits cannot express, such as
    the value of a payment, the rules check (`dry_run`).
    """

    group: str
    """Which templates belong together, such as `build`, as in ActionHint."""
    steps: list[ChooseStep | NumberStep | PointStep]
    """What to choose, in this order. Objects and lists that the pointers name are made on the way."""
    limits: list[Limit]
    """Bounds over several steps."""


class Text(TypedDict):
    """A message of the game's catalogue (`GET /v1/games/{game}/texts/{lang}`) with its arguments. It says
    no more than the data beside it.
    """

    key: str
    """Key of the message template (see GetTexts), such as `event.round_started`."""
    args: NotRequired[dict[str, Any]]
    """What belongs into the message: numbers, words, texts within the text, lists of texts. `none` stands
    for what is absent.
    """
    sentence: NotRequired[str]
    """The whole sentence; absent with `lang=keys`, and in inner texts."""


class Todo(TypedDict):
    """Something that a player has to do at a match, besides moving."""

    kind: Literal[
        "answer_abort",
        "answer_pause",
        "answer_replace",
        "answer_undo",
        "get_ready",
        "return",
        "take_invite",
        "take_seat",
    ]
    """What it is. `answer_undo`: Answer a proposal to take moves back. `answer_abort`: Answer a proposal
    to call the match off. `return`: Return: the player is away, and the server decides for the seat.
    `get_ready`: Say to be ready, at a match that starts on demand. `take_invite`: Take the seat that
    the player is invited to. `take_seat`: Take the seat that is kept for the player of the match
    before. `answer_pause`: Answer a proposal to pause the match. `answer_replace`: Answer a proposal to
    give a seat to another player.
    """
    seat: int
    """The seat that it is for."""
    player: str
    """The platform's own id of the player. May be empty."""
    deadline: str | None
    """Until when it may be done. Null: there is no limit."""


class UndoObstacle(TypedDict):
    """Why a seat may not go further back by itself."""

    reason: str
    """`DREW_LUCK`, `REVEALED`, `ANSWERED`, `TIMED_OUT`, `NOT_YOURS` or `NOTHING_TO_UNDO`."""
    version: int | None
    """The version of the move that prevents it."""


class UndoState(TypedDict):
    """Which moves a seat may take back now."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version of the match this applies to."""
    seat: int
    """The seat, counted from 0."""
    rule: Literal["consent", "free", "none"]
    """What the match allows players to undo. `none`: Nothing. `free`: A seat may undo its own moves, as
    long as nothing was drawn, revealed or answered since. `consent`: The same, and in addition whatever
    all other seats agree to.
    """
    free_to: int
    """The earliest version the seat may go back to without consent. The current version if it cannot go
    back at all.
    """
    obstacle: UndoObstacle | None
    """Why the seat may not go back further on its own."""
    earliest: int
    """The earliest version a proposal may go back to. The current version if no undo can be proposed."""
    refusal: str | None
    """Why nothing at all can be undone: a stable code, such as `SWITCHED_OFF` or `MATCH_OVER`. Null if
    something can.
    """
    redo: bool
    """The seat may redo what it undid last."""
    proposal: Proposal | None
    """The open proposal, to undo moves or to abort the match. Null: none."""


class UpdateMatchRequest(TypedDict):
    """A merge patch (RFC 7396) of a match. What is absent stays as it was; one of them is required."""

    title: NotRequired[str | None]
    """The title; null removes it."""
    visibility: NotRequired[Literal["private", "unlisted", "public"]]
    """Who can find the match. A match that is not public any more leaves lists of public matches, and
    nobody goes on reading it who has no credential for it. `private`: Nobody else. `unlisted`:
    Everybody who knows the id of the match. `public`: Everybody: it is listed, and quick-join may
    choose it.
    """
    reference: NotRequired[str | None]
    """The platform's own reference; null removes it."""
    metadata: NotRequired[dict[str, Any] | None]
    """A merge patch (RFC 7396) of the platform's own metadata: names with `null` are removed, the others
    added or replaced. `null` instead of an object: all are removed. The result is bounded as in
    CreateMatchRequest.
    """


class UpdateSeatRequest(TypedDict):
    """Change a player's name, data or readiness. What is absent stays as it was; one of them is required."""

    name: NotRequired[str]
    """The name, as in SeatPlan. Empty: remove it. Absent: unchanged."""
    data: NotRequired[Any]
    """The player's data, as when joining. Empty or `null`: remove it. Absent: unchanged."""
    ready: NotRequired[bool]
    """Whether the player is ready to start. Only before the start, otherwise refused (MATCH_STARTED).
    Absent: unchanged. Whoever takes the seat is not ready at first.
    """


class Vacation(TypedDict):
    """A time for which a player is away by announcement. Meanwhile the clocks of the player's seats stand,
    in matches whose clock allows vacations. It begins at `since` and is over at `until`. Vacations of
    one player never overlap.
    """

    vacation_id: str
    """Id of the vacation, a UUID."""
    player: str
    """The platform's own id of the player."""
    since: str
    """When it begins."""
    until: str
    """When it is over. If it was cancelled while it went on, when that was."""
    created_at: str
    """When it was announced."""
    by_tenant: bool
    """Whether the tenant announced it, with an API key. Otherwise the player did, in a session, and it
    counts against the tenant's `vacation_days`.
    """


class Verification(TypedDict):
    """The result of the verification."""

    ok: bool
    """Everything that could be checked agrees."""
    moves: int
    """Number of moves that were checked."""
    draws: int
    """Number of draws of luck that were computed again and agree; 0 while the match runs."""
    decided_again: bool
    """Every move was decided again, with luck from the match secret. False while the match runs."""
    difference: str
    """The first difference, as text. Empty if everything agrees."""
    difference_version: int
    """The move with the difference. 0 if everything agrees, or if the difference is in the match itself."""
    difference_event: int | None
    """The event of that move, counted from 0. Null if the difference is in none."""
    difference_pointer: str
    """JSON pointer (RFC 6901) to the difference in the export document. Empty if everything agrees."""
    expected: str
    """The expected value, as JSON. Empty if the caller may not know it, or if no value is expected."""
    found: str
    """The value found, as JSON. Empty if the caller may not know it, or if there is none."""
    unchecked: str
    """Why moves were not decided again, as text. Empty if they were."""
    listed_draws: list[VerifiedDraw]
    """The requested draws."""
    next_draws_page_token: str
    """Pass it as `draws_page_token` to get the next page of draws. Empty on the last page."""
    forked: bool
    """The match is a fork: its first state was taken as given, and everything after it was checked."""
    signing_key_id: str
    """Id of the key that signs exports of this match, a `kid` in the gateway's /.well-known/jwks.json.
    Empty if exports are not signed: the server has no such key, or the match was played elsewhere and
    imported.
    """


class VerifiedDraw(TypedDict):
    """One draw of luck, with everything it was computed from."""

    move: int
    """The version of the move it belongs to."""
    number: int
    """Its number within the move, from 0."""
    bound: str
    """The draw chose among this many numbers, at most 2^64 (as decimal digits)."""
    value: str
    """The drawn number, from 0 to bound - 1 (as decimal digits)."""
    message: str
    """The message that the HMAC is computed over. As lower-case hexadecimal digits."""
    digest: str
    """HMAC-SHA-256 of `message`, keyed with the match secret. The drawn number comes from its first eight
    bytes. As lower-case hexadecimal digits.
    """


class ViewAnswer(TypedDict):
    """What an audience sees of the match's state."""

    match_id: str
    """Id of the match, a UUIDv7."""
    version: int
    """The version that is shown."""
    audience: Audience
    """The audience whose knowledge is shown."""
    view: View
    """The state, as the audience may see it."""
    proposal: Proposal | None
    """The open proposal. Null: there is none, or an earlier version is shown."""
    clocks: Clocks | None
    """Each seat's remaining time. Null in a match without a clock, and for an earlier version."""
    pending: NotRequired[list[PendingDecision]]
    """The open decisions with their texts. Set only if a language was requested."""
    outcome: NotRequired[Outcome]
    """The outcome with its texts. Set only if a language was requested and the match is over."""


class WaitingBot(TypedDict):
    """A bot that must act."""

    seat: int
    """The seat, counted from 0."""
    level: str | None
    """Level of the built-in bot. Null: it is a tenant's own bot."""
    bot: str | None
    """Name of the tenant's own bot. Null: it is a built-in bot."""


Action = (
    al_rashid.ChooseStack
    | al_rashid.HoldBack
    | al_rashid.Decline
    | al_rashid.PlacePiece
    | al_rashid.MovePiece
    | al_rashid.Peek
    | al_rashid.UseSmuggler
    | al_rashid.UseTrader
    | al_rashid.UseImporter
    | al_rashid.UseRecruiter
    | al_rashid.UseNegotiator
    | al_rashid.RemoveMercenary
    | al_rashid.ResolveArea
    | al_rashid.EndTurn
    | al_rashid.DeclareVisit
    | al_rashid.DeclareAudience
    | al_rashid.Pay
    | al_rashid.ChooseFavors
    | al_rashid.GiveGood
    | al_rashid.SwapGood
    | al_rashid.NameColours
    | al_rashid.TakeGoods
    | al_rashid.ConvertSage
    | al_rashid.Flee
    | al_rashid.Fight
    | al_rashid.TakeSpoil
    | al_rashid.TakeAll
    | al_rashid.TakeItems
    | river_dragons.SubmitProgram
    | river_dragons.PlaceStone
    | river_dragons.PlaceStoneAt
    | river_dragons.ChoosePlank
    | river_dragons.LayPlank
    | river_dragons.RemovePlank
    | river_dragons.RemoveStone
    | river_dragons.Step
    | river_dragons.Jump
    | river_of_gold.ChoosePatron
    | river_of_gold.SpendFavor
    | river_of_gold.ExchangeGoods
    | river_of_gold.ExchangeKoku
    | river_of_gold.Build
    | river_of_gold.Sail
    | river_of_gold.Deliver
    | river_of_gold.ChooseGood
    | river_of_gold.DiscardCustomer
    | river_of_gold.ChooseRoyalShip
    | river_of_gold.PlaceMarker
    | river_of_gold.TakeJourneyBonus
    | river_of_gold.UseMerchant
    | river_of_gold.SellGoods
    | river_of_gold.EndTurn
    | river_of_gold.RollDie
    | river_of_gold.SetDie
    | river_of_gold.DeclineExchange
)
"""Action of a game; the match's `game` decides which."""


MatchEvent = (
    MatchEventMoveUndone
    | MatchEventMoveRedone
    | MatchEventUndoProposed
    | MatchEventUndoAnswered
    | MatchEventAbortProposed
    | MatchEventAbortAnswered
    | MatchEventForked
    | MatchEventMatchAborted
    | MatchEventPauseProposed
    | MatchEventPauseAnswered
    | MatchEventMatchPaused
    | MatchEventMatchResumed
    | MatchEventReplacementProposed
    | MatchEventReplacementAnswered
    | MatchEventReplacementAgreed
    | MatchEventTimeAdded
    | MatchEventVacationBegan
    | MatchEventVacationEnded
    | MatchEventSeatReturned
)
"""An event of the server rather than of a game: an undo, a redo, a proposal or its answer, a match
called off or paused, added time, a vacation, the begin of a fork, or a player's return. Public.
"""


MatchCommand = (
    MatchCommandResign
    | MatchCommandUndo
    | MatchCommandRedo
    | MatchCommandAnswerUndo
    | MatchCommandAbort
    | MatchCommandAnswerAbort
    | MatchCommandPause
    | MatchCommandAnswerPause
    | MatchCommandResume
    | MatchCommandAskToReplace
    | MatchCommandAnswerReplace
    | MatchCommandAddTime
    | MatchCommandBeginVacation
    | MatchCommandEndVacation
    | MatchCommandReturnToSeat
    | MatchCommandTimeOut
)
"""A request of a seat or of its clock that is not an action of the game."""


Options = dict[str, Any]
"""Options of a game; the match's `game` decides which."""


Template = (
    al_rashid.PayTemplate
    | al_rashid.FightTemplate
    | river_dragons.ProgramTemplate
    | river_dragons.StoneTemplate
    | river_of_gold.BuildTemplate
    | river_of_gold.SellGoodsTemplate
)
"""Template of a game; the match's `game` decides which."""


View = al_rashid.View | river_dragons.View | river_of_gold.View
"""View of a game; the match's `game` decides which."""


Event = (
    al_rashid.MatchStarted
    | al_rashid.CrisisDrawn
    | al_rashid.StackRebuilt
    | al_rashid.MercenariesDrawn
    | al_rashid.TurnStarted
    | al_rashid.PieceHeld
    | al_rashid.HoldingDeclined
    | al_rashid.PiecePlaced
    | al_rashid.ResolutionStarted
    | al_rashid.PieceMoved
    | al_rashid.ManoeuvresEnded
    | al_rashid.RoundStarted
    | al_rashid.OwnTurnStarted
    | al_rashid.OfficeUsed
    | al_rashid.GoodsSwapped
    | al_rashid.GoodsGained
    | al_rashid.NotesGained
    | al_rashid.InfluenceGained
    | al_rashid.DishonorTaken
    | al_rashid.TerritoryPeeked
    | al_rashid.MercenaryRemoved
    | al_rashid.NegotiationEnded
    | al_rashid.AreaOpened
    | al_rashid.PiecesTakenBack
    | al_rashid.VisitDeclared
    | al_rashid.GoodsPaid
    | al_rashid.OfficeAcquired
    | al_rashid.PieceGained
    | al_rashid.FavorsChosen
    | al_rashid.GoodGiven
    | al_rashid.ColoursNamed
    | al_rashid.SageConverted
    | al_rashid.ConversionDeclined
    | al_rashid.SpyMovesStarted
    | al_rashid.SpyMoveWaived
    | al_rashid.OrderChanged
    | al_rashid.TilesRevealed
    | al_rashid.Fought
    | al_rashid.BattleWon
    | al_rashid.TradeStarted
    | al_rashid.Traded
    | al_rashid.AreaClosed
    | al_rashid.OwnTurnEnded
    | al_rashid.TerritoriesRefilled
    | al_rashid.OfficesRefreshed
    | al_rashid.SeatLeft
    | al_rashid.MatchEnded
    | river_dragons.MatchStarted
    | river_dragons.RoundStarted
    | river_dragons.ProgramSubmitted
    | river_dragons.SlotRevealed
    | river_dragons.CardBegun
    | river_dragons.StonePlaced
    | river_dragons.PartLost
    | river_dragons.PlankChosen
    | river_dragons.PlankLaid
    | river_dragons.PlankLost
    | river_dragons.PlankRemoved
    | river_dragons.StoneRemoved
    | river_dragons.PawnStepped
    | river_dragons.PawnJumped
    | river_dragons.PawnFell
    | river_dragons.RoundEnded
    | river_dragons.FirstPlayerPassed
    | river_dragons.SeatLeft
    | river_dragons.MatchEnded
    | river_of_gold.MatchStarted
    | river_of_gold.PatronChosen
    | river_of_gold.SeatSetUp
    | river_of_gold.CustomerDrawn
    | river_of_gold.DeckReshuffled
    | river_of_gold.CustomerDiscarded
    | river_of_gold.DieRolled
    | river_of_gold.DieSet
    | river_of_gold.TurnStarted
    | river_of_gold.FavorSpent
    | river_of_gold.GoodsExchanged
    | river_of_gold.KokuExchanged
    | river_of_gold.BuildingBuilt
    | river_of_gold.ShipSailed
    | river_of_gold.CustomerDelivered
    | river_of_gold.StepStarted
    | river_of_gold.ChoiceOpened
    | river_of_gold.ChoiceLapsed
    | river_of_gold.InfluenceGained
    | river_of_gold.TrackRewarded
    | river_of_gold.VisitorRewarded
    | river_of_gold.OwnerRewarded
    | river_of_gold.GoodChosen
    | river_of_gold.JourneyCompleted
    | river_of_gold.JourneyRewarded
    | river_of_gold.MerchantUsed
    | river_of_gold.BonusesLapsed
    | river_of_gold.NobleRewarded
    | river_of_gold.PatronRewarded
    | river_of_gold.MonkRewarded
    | river_of_gold.RoyalShipLaunched
    | river_of_gold.MarkerPlaced
    | river_of_gold.TileDiscarded
    | river_of_gold.RowRefilled
    | river_of_gold.MasteryClaimed
    | river_of_gold.TurnClosed
    | river_of_gold.EmperorVisited
    | river_of_gold.EndTriggered
    | river_of_gold.SeatLeft
    | river_of_gold.MatchEnded
    | river_of_gold.LastExchangesOpened
    | river_of_gold.LastExchangesClosed
    | MatchEventMoveUndone
    | MatchEventMoveRedone
    | MatchEventUndoProposed
    | MatchEventUndoAnswered
    | MatchEventAbortProposed
    | MatchEventAbortAnswered
    | MatchEventForked
    | MatchEventMatchAborted
    | MatchEventPauseProposed
    | MatchEventPauseAnswered
    | MatchEventMatchPaused
    | MatchEventMatchResumed
    | MatchEventReplacementProposed
    | MatchEventReplacementAnswered
    | MatchEventReplacementAgreed
    | MatchEventTimeAdded
    | MatchEventVacationBegan
    | MatchEventVacationEnded
    | MatchEventSeatReturned
)
"""Event of a game; the match's `game` decides which."""


RequestedAction = (
    al_rashid.ChooseStack
    | al_rashid.HoldBack
    | al_rashid.Decline
    | al_rashid.PlacePiece
    | al_rashid.MovePiece
    | al_rashid.Peek
    | al_rashid.UseSmuggler
    | al_rashid.UseTrader
    | al_rashid.UseImporter
    | al_rashid.UseRecruiter
    | al_rashid.UseNegotiator
    | al_rashid.RemoveMercenary
    | al_rashid.ResolveArea
    | al_rashid.EndTurn
    | al_rashid.DeclareVisit
    | al_rashid.DeclareAudience
    | al_rashid.Pay
    | al_rashid.ChooseFavors
    | al_rashid.GiveGood
    | al_rashid.SwapGood
    | al_rashid.NameColours
    | al_rashid.TakeGoods
    | al_rashid.ConvertSage
    | al_rashid.Flee
    | al_rashid.Fight
    | al_rashid.TakeSpoil
    | al_rashid.TakeAll
    | al_rashid.TakeItems
    | river_dragons.SubmitProgram
    | river_dragons.PlaceStone
    | river_dragons.PlaceStoneAt
    | river_dragons.ChoosePlank
    | river_dragons.LayPlank
    | river_dragons.RemovePlank
    | river_dragons.RemoveStone
    | river_dragons.Step
    | river_dragons.Jump
    | river_of_gold.ChoosePatron
    | river_of_gold.SpendFavor
    | river_of_gold.ExchangeGoods
    | river_of_gold.ExchangeKoku
    | river_of_gold.Build
    | river_of_gold.Sail
    | river_of_gold.Deliver
    | river_of_gold.ChooseGood
    | river_of_gold.DiscardCustomer
    | river_of_gold.ChooseRoyalShip
    | river_of_gold.PlaceMarker
    | river_of_gold.TakeJourneyBonus
    | river_of_gold.UseMerchant
    | river_of_gold.SellGoods
    | river_of_gold.EndTurn
    | river_of_gold.RollDie
    | river_of_gold.SetDie
    | river_of_gold.DeclineExchange
    | MatchCommandResign
    | MatchCommandUndo
    | MatchCommandRedo
    | MatchCommandAnswerUndo
    | MatchCommandAbort
    | MatchCommandAnswerAbort
    | MatchCommandPause
    | MatchCommandAnswerPause
    | MatchCommandResume
    | MatchCommandAskToReplace
    | MatchCommandAnswerReplace
    | MatchCommandAddTime
    | MatchCommandBeginVacation
    | MatchCommandEndVacation
    | MatchCommandReturnToSeat
    | MatchCommandTimeOut
)
"""The request: an action of the game, or one of the server's own requests."""
