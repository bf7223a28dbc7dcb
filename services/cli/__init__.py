"""The command line, `foldtable`: everything a developer does with this house, from one prompt.

=====================  ====================================================================
file                   what it answers
=====================  ====================================================================
main.py                the commands
up.py                  `up`: the whole house on this machine
stack.py               Postgres, rules servers and gateway: started, watched, stopped in order
child.py               one process that is kept running
tether.py              a process that ends with whoever started it
home.py                the folder of a house: keys, logs, who runs it
development_key.py     the key a developer works with
ports.py               free ports
readiness.py           whether a process takes calls
demo.py                `demo`: whole matches over REST, followed, replayed, verified
demo_match.py          one of them
random_player.py       plays random legal actions over REST
follower.py            follows a match over server-sent events
comparison.py          what was seen beside what the log says
rest.py, sse.py        the client's side of the gateway
simulate.py            `simulate`: many random matches in this process
simulation.py          what they came to
replay.py              `replay`: steps through an export
verify.py              `verify`: checks an export offline
keys.py                single key presses
export.py              `export`: fetches one
key.py                 `key`: issues an API key
migrate.py             `migrate`: brings a database to this release's schema
console.py             how all of them speak
=====================  ====================================================================
"""
