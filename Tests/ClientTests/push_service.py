"""A push service of one's own, and a browser that has subscribed there."""

import base64
import datetime
import http.server
import ipaddress
import json
import os
import ssl
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """The keys of a subscription, and what they decrypt (RFC 8291)."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        self.public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def subscription(self, address):
        return {"address": address, "publicKey": text(self.public), "secret": text(self.secret)}

    def read(self, body):
        """The text of a message: one record in the content encoding aes128gcm (RFC 8188)."""
        salt, count = body[:16], body[20]
        sender, sealed = body[21:21 + count], body[21 + count:]
        assert int.from_bytes(body[16:20], "big") > len(sealed)
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        material = self.derive(shared, self.secret, b"WebPush: info\0" + self.public + sender, 32)
        key = self.derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = self.derive(material, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded[-1] == 2
        return json.loads(padded[:-1])

    @staticmethod
    def derive(key, salt, info, count):
        return HKDF(hashes.SHA256(), count, salt, info).derive(key)


class PushService:
    """Takes messages over https on this machine, and answers them as it is told."""

    def __init__(self, folder):
        self.messages = []
        self.answer = (201, {}, b"")
        self.came = threading.Condition()
        self.authority = f"{folder}/authority.pem"
        self.make_certificate(f"{folder}/key.pem")
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with service.came:
                    service.messages.append((self.path, dict(self.headers), body))
                    service.came.notify_all()
                status, headers, answer = service.answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(answer)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(answer)
                except OSError:
                    pass  # whoever has heard enough hangs up

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority, f"{folder}/key.pem")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.address = f"https://{self.host}/push/device"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def make_certificate(self, key_file):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "push")])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .sign(key, hashes.SHA256()))
        with open(self.authority, "wb") as file:
            file.write(certificate.public_bytes(serialization.Encoding.PEM))
        with open(key_file, "wb") as file:
            file.write(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))

    def wait(self, count):
        with self.came:
            if not self.came.wait_for(lambda: len(self.messages) >= count, 60):
                raise TimeoutError(f"{len(self.messages)} messages of {count} came")
        return self.messages[count - 1]

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
