"""The channels by which somebody could learn what he cannot know. Every piece of a recording belongs to one."""

from __future__ import annotations

from typing import Final

CHANNELS: Final = {
    "abort": "proposals to call a match off, by REST",
    "determinizations": "tables for bots to think with",
    "directory": "the tenant's list of its matches",
    "dry runs": "moves that are only tried: one's own, and those others make or will make",
    "event feed": "the tenant's `GET /v1/events`",
    "event stream": "server-sent events of a match, every byte",
    "exports": "exports of a running match",
    "feed": "server-sent events of a player's matches",
    "forks": "forking with one's own credential, and all that can be seen of the fork",
    "history": "moves, in pages and as a long poll",
    "internal errors": "what is told of a fault whose error holds the whole table",
    "legal actions": "what may be done, with templates and samples",
    "log lines": "of gateway, rules server and platform service, at the level `foldtable up` has, and at debug; of their libraries from warnings on",
    "match": "the match itself: seats, clocks, who is waited for",
    "metrics": "names, labels and counts of what Prometheus is told",
    "own moves": "answers to accepted moves, and to their repetition",
    "problem pages": "what a refusal's type leads to",
    "refusals": "moves, views and exports that are refused",
    "replays": "whole matches, in pages and as lines",
    "response headers": "status and every header of every HTTP answer: entity tags, trace ids, locations",
    "rpc follow": "`Follow`, by which gateways subscribe",
    "rpc history": "`ListMoves`, typed and JSON",
    "rpc legal actions": "`GetLegalActions`, typed",
    "rpc match": "`GetMatch`",
    "rpc past": "`ReplayMatch` and `ExportMatch`",
    "rpc play": "`Play`, by which gateways move: tried and made",
    "rpc refusals": "`Act`, refused or tried",
    "rpc status, trailers": "status, details, initial and trailing metadata of every call",
    "rpc views": "`GetView`, typed and JSON",
    "rpc watch": "`WatchMatch`, typed",
    "tables": "whole tables, by REST and RPC, on streams, of those who have them already, and what changes in them",
    "texts": "words for people in views, moves, legal actions, refusals and streams, in every language",
    "tickets": "tickets for a match's stream, and the stream that each opens",
    "undo": "what can be taken back, and proposals to do so, by REST and RPC",
    "verification": "`verify` while the match runs, by REST and RPC",
    "views": "views now, earlier, and of those who have them already",
    "webhooks": "what the tenant's endpoint is sent, headers and body",
}
"""What is read of each."""
