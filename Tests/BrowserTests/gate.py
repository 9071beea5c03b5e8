"""A SOCKS proxy that lets a browser reach one origin, and records every other one it requests. When closed, it
simulates a lost network, for pages and service workers alike."""

import socket
import threading


class Gate:
    def __init__(self, port):
        self.port = port
        self.connections = 0
        self.others = []
        self.is_open = True
        self.sockets = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        """Serves a client by RFC 1928: no authentication, CONNECT to a name or an address."""
        with client:
            stream = client.makefile("rb")
            stream.read(stream.read(2)[1])
            client.sendall(b"\x05\x00")
            head = stream.read(4)
            if len(head) < 4:
                return
            if head[3] == 3:
                host = stream.read(stream.read(1)[0]).decode()
            else:
                host = socket.inet_ntop(*((socket.AF_INET, stream.read(4)) if head[3] == 1 else (socket.AF_INET6, stream.read(16))))
            port = int.from_bytes(stream.read(2), "big")
            if host not in ("localhost", "127.0.0.1", "::1") or port != self.port:
                self.others.append(f"{host}:{port}")
                client.sendall(b"\x05\x02\x00\x01" + bytes(6))
                return
            if not self.is_open:
                client.sendall(b"\x05\x03\x00\x01" + bytes(6))
                return
            self.connections += 1
            with socket.create_connection(("127.0.0.1", port)) as server:
                self.sockets.update((client, server))
                client.sendall(b"\x05\x00\x00\x01" + bytes(6))
                back = threading.Thread(target=self.pass_on, args=(server, client), daemon=True)
                back.start()
                self.pass_on(client, server)
                back.join()

    @staticmethod
    def pass_on(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        """Cuts open connections, and lets nothing through."""
        self.is_open = False
        while self.sockets:
            try:
                self.sockets.pop().shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def open(self):
        self.is_open = True

    def stop(self):
        self.listener.close()
