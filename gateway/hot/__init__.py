"""The operations that are called before or after every move, served without the web framework's stack.

They are declared like all others (`openapi/hot.py`), and each has one function, in `routes/`. `operations.py` calls it for every
request, however it arrived: from the HTTP protocol itself when the request has arrived as a whole (`server/whole_requests.py`),
and as ASGI middleware otherwise.
"""
