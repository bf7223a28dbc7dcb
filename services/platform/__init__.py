"""What is not a game: accounts, the match directory, live feeds. A library, and a process that serves it.

=========================  ====================================================================
file                       what it answers
=========================  ====================================================================
tenants.py                 tenants in the database
api_keys.py                API keys in the database: issued, listed, replaced, revoked
scopes.py                  what keys are good for
key_format.py              what a key looks like
key_ring.py                the look-up of keys, remembered for a short while
expiring.py                a memory that forgets
match_tokens.py            signed tokens: seat, spectator, referee, invite
signing_keys.py            the key pair they are signed with
__main__.py                the process
server.py                  which services it offers
settings.py                what the environment says
platform_servicer.py       PlatformService: requests in, responses out
tenant_administration.py   tenants over the API
key_administration.py      keys over the API
administration.py          who may administer accounts
account_messages.py        tenants, keys and credentials as protobuf messages
credentials.py             what a credential is good for
directory.py               the match directory; directory_queries.py is its SQL
webhook_servicer.py        WebhookService: requests in, responses out
webhook_administration.py  webhook endpoints over the API
delivery_administration.py what is sent to them
event_feed.py              the feed of events
webhook_messages.py        endpoints and deliveries as protobuf messages
=========================  ====================================================================
"""
