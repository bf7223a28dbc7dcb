"""Live streams: each match's events to its subscribers, and feeds of changed matches to those who wait for a turn.

The rules servers and the platform service send each change to this process once, over a few long gRPC streams. From here
it goes to every subscriber who may see it. A subscriber costs a connection and a few small objects, nothing else.

open_streams  one open event stream: heartbeat, slow clients, end
match_stream  a match's events for one client: catching up, then live
waiting       a long poll for the next move
feeds, feed_stream  changes of all matches of a player or a tenant

The HTTP connection that stays open is in server/event_connection, the subscriptions at the rules servers in upstream/subscriptions.
"""
