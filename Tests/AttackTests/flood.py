"""Attackers: each runs in a process of its own, from some addresses of 127.0.0.0/8, until it is stopped."""

import contextlib
import errno
import multiprocessing
import selectors
import socket


def head(method, path, *fields, host="localhost"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *fields, "", ""]).encode()


def connect(port, source=None):
    """A connection that does not block, and may not be complete yet."""
    connection = socket.socket()
    connection.setblocking(False)
    if source:
        connection.bind((source, 0))
    if (code := connection.connect_ex(("127.0.0.1", port))) != errno.EINPROGRESS and code:
        connection.close()
        raise OSError(code, "connect")
    return connection


def keep(port, sources, count, requests, made, begun):
    """Keeps so many connections, each with a request or the beginning of one. One that is closed is made again."""
    selector = selectors.DefaultSelector()

    def make(number):
        # Ports may be short for a moment; the next round tries again.
        with contextlib.suppress(OSError):
            rest = memoryview(requests[number % len(requests)])
            selector.register(
                connect(port, sources[number % len(sources)]), selectors.EVENT_WRITE, [number, rest])
            return True
        return False

    missing = list(range(count))
    while True:
        missing = [number for number in missing if not make(number)]
        for key, events in selector.select(0.05):
            connection, (number, rest) = key.fileobj, key.data
            try:
                if events & selectors.EVENT_WRITE:
                    sent = connection.send(rest)
                    key.data[1] = rest[sent:]
                    if not key.data[1]:
                        with made.get_lock():
                            made.value += 1
                        begun.set()
                        selector.modify(connection, selectors.EVENT_READ, key.data)
                    continue
                if connection.recv(65536):
                    continue
            except OSError:
                pass
            selector.unregister(connection)
            connection.close()
            missing.append(number)


class Attack:
    """An attacker at work: `with Attack(...):`"""

    def __init__(self, port, sources, count, requests):
        context = multiprocessing.get_context("fork")
        self.made, self.begun = context.Value("q", 0), context.Event()
        self.process = context.Process(
            target=keep, args=(port, sources, count, requests, self.made, self.begun), daemon=True)

    def __enter__(self):
        self.process.start()
        if not self.begun.wait(60):
            raise AssertionError("the attacker has sent nothing")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()
