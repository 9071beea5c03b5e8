"""The service over TLS with its own certificate, in a browser that trusts its authority, and in one that does not."""

import base64
import ctypes
import ctypes.util
import os
import re
import tempfile
import unittest

from browser import Browser
from server import Server

NSS = ctypes.util.find_library("nss3")


class Trust(ctypes.Structure):
    """CERTCertTrust of NSS: for servers, e-mail and programs."""

    _fields_ = [("servers", ctypes.c_uint), ("mail", ctypes.c_uint), ("programs", ctypes.c_uint)]


# CERTDB_VALID_CA and CERTDB_TRUSTED_CA.
AUTHORITY = 1 << 3 | 1 << 4


def trust(home, certificate):
    """Makes an authority, in DER, one that programs of this home trust for servers."""
    folder = home + "/.pki/nssdb"
    os.makedirs(folder)
    nss, mime = ctypes.CDLL(NSS), ctypes.CDLL(ctypes.util.find_library("smime3"))
    for function in (nss.PK11_GetInternalKeySlot, nss.CERT_GetDefaultCertDB, mime.CERT_DecodeCertFromPackage):
        function.restype = ctypes.c_void_p
    if nss.NSS_InitReadWrite(f"sql:{folder}".encode()):
        raise OSError("NSS cannot make a database")
    slot = ctypes.c_void_p(nss.PK11_GetInternalKeySlot())
    nss.PK11_InitPin(slot, None, b"")
    made = ctypes.c_void_p(mime.CERT_DecodeCertFromPackage(certificate, len(certificate)))
    trusted = Trust(AUTHORITY, 0, 0)
    failed = nss.PK11_ImportCert(slot, made, ctypes.c_ulong(0), b"leaflog", 0) or nss.CERT_ChangeCertTrust(
        ctypes.c_void_p(nss.CERT_GetDefaultCertDB()), made, ctypes.byref(trusted))
    nss.CERT_DestroyCertificate(made)
    nss.PK11_FreeSlot(slot)
    nss.NSS_Shutdown()
    if failed:
        raise OSError("NSS does not take the authority")


@unittest.skipUnless(NSS, "NSS is not installed (apt: libnss3)")
class OwnCertificate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(options=("--tls", "own"))
        cls.addClassCleanup(cls.server.stop)

    def browser(self, certificate=None):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        if certificate:
            trust(home.name, certificate)
        browser = Browser(home=home.name)
        self.addCleanup(browser.stop)
        return browser

    def certificate(self):
        with open(self.server.library + "/tls-authority.pem") as file:
            text = re.search("-----BEGIN CERTIFICATE-----(.*?)-----END", file.read(), re.DOTALL)[1]
        return base64.b64decode(text)

    def check_warning(self, browser):
        browser.open(self.server.address + "/")
        self.assertIn("ERR_CERT_AUTHORITY_INVALID", browser.text())

    def test_who_trusts_the_authority_gets_in_by_name_and_by_address(self):
        browser = self.browser(self.certificate())
        for host in ("localhost", "127.0.0.1"):
            browser.open(self.server.address.replace("localhost", host) + "/")
            self.assertIn("Today", browser.driver.title)
        browser.wait(lambda _: browser.run("return isSecureContext && Boolean(navigator.serviceWorker.controller)"))
        browser.open(self.server.address + "/trust")
        text = browser.find("main").text
        self.assertIn("not limited to this machine’s addresses", text)
        self.assertNotIn("e-mail", text)

    def test_nobody_else_gets_in_without_a_warning(self):
        self.check_warning(self.browser())

    def test_a_renewed_authority_has_to_be_trusted_anew(self):
        former = self.certificate()
        self.server.run("serve", "renew-authority", "--yes", "--quiet")
        self.assertNotEqual(self.certificate(), former)
        self.check_warning(self.browser(former))
        browser = self.browser(self.certificate())
        browser.open(self.server.address + "/")
        self.assertIn("Today", browser.driver.title)


if __name__ == "__main__":
    unittest.main()
