"""Requests of those who are not attackers, and how long their answers take."""

import socket
import time


def ask(port, path, *fields):
    """The status of an answer on a connection of its own; None where there is none."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *fields, "", ""]
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            connection.sendall("\r\n".join(lines).encode())
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
            return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else None
    except OSError:
        return None


class Answers:
    """The times of answers in milliseconds, and how many requests had none."""

    def __init__(self):
        self.times = []
        self.lost = 0

    @property
    def count(self):
        return len(self.times) + self.lost

    def within(self, milliseconds):
        """The share of requests that were answered in that time."""
        return sum(time <= milliseconds for time in self.times) / max(1, self.count)

    def __str__(self):
        times = sorted(self.times)
        if not times:
            return f"{self.lost} of {self.lost} lost"
        rank = {share: times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99)}
        return (f"{self.count} asked, {self.lost} lost, median {rank[0.5]:.1f} ms, 99th {rank[0.99]:.1f} ms, "
                f"longest {times[-1]:.0f} ms, {100 * self.within(250):.1f} % within 250 ms")


def watch(seconds, *askers):
    """Asks in turn for so long, and gives the answers of each asker. An asker gives the status of its answer."""
    answers = [Answers() for _ in askers]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for asker, noted in zip(askers, answers):
            start = time.monotonic()
            status = asker()
            if status == 200:
                noted.times.append(1000 * (time.monotonic() - start))
            else:
                noted.lost += 1
    return answers
