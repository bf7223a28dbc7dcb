"""The command line, `foldtable`: everything a developer does with this house, from one prompt.

=====================  ====================================================================
file                   what it answers
=====================  ====================================================================
main.py                the commands
up.py                  `up`: the whole house on this machine
stack.py               Postgres, rules servers, platform service and gateway: started, watched, stopped in order
child.py               one process that is kept running
tether.py              a process that ends with whoever started it
home.py                the folder of a house: keys, logs, who runs it
development_key.py     the key a developer works with
ports.py               free ports
readiness.py           whether a process takes calls
demo.py                `demo`: whole matches over REST, followed, replayed, verified
demo_match.py          one of them
match_options.py       `--option NAME=VALUE`
random_player.py       plays random legal actions over REST
follower.py            follows a match over server-sent events
comparison.py          what was seen beside what the log says
rest.py, sse.py        the client's side of the gateway
match_place.py         where a match is: a file, an id, an address; asking a gateway for it
replay.py              `replay`: steps through a match, or prints it
recorded_match.py      a match as each audience may look at it, wherever its record lies
replay_browser.py      where one is in a match, and the ways to another place
replay_screen.py       what a screen of a given size shows
replay_lines.py        lines that fit
replay_words.py        a move in words
replay_audience.py     whose eyes, as people write it
replay_print.py        a match printed, for pipes and for tools
terminal.py            single keys in, whole screens out
verify.py              `verify`: checks an export offline
simulate.py            `simulate`: thousands of random matches
simulation.py          how one of them is played
simulation_workers.py  the processes they are played in
simulation_tally.py    what they came to
simulation_report.py   and how that is told
simulation_log.py      a simulated match as an export
arena.py               `arena`: levels of bots against each other
arena_matches.py       how one of their matches is played
arena_tally.py         what they came to
arena_report.py        and how that is told
distribution.py        medians, quartiles, shares with their intervals
export.py              `export`: fetches one
tenants.py             `tenants`: creates and lists them
api_keys.py            `keys`: creates, lists, rotates and revokes API keys
key.py                 `key`: a tenant and its key in one go
accounts.py            the database that commands about accounts work on
migrate.py             `migrate`: brings a database to this release's schema
console.py             how all of them speak
=====================  ====================================================================
"""
