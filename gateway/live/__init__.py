"""What a gateway tells as it happens: matches to whoever follows them, feeds to whoever waits for a turn.

The rules servers and the platform service tell this process each thing once, over a few long streams; from here
it goes to every reader who may know it. A reader costs a connection and a few small objects, nothing else.

connections   an HTTP connection that stays open and is written to by callbacks alone
readers       one open event stream: heartbeat, slowness, farewell
topics        one match for one audience, and everybody in this process who follows it
follows       one reader's right to follow, kept alive at the rules server
follow_stream the long stream to a rules server that carries all follows
match_stream  a match's events for one reader: catching up, then live
waiting       a long poll for the next move
feeds, feed_stream  the same for all matches of a player or a tenant
"""
