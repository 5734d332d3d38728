#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Secrets planted in captures come out nowhere: SASL tokens of all mechanisms, delegation tokens, SCRAM credentials,
sensitive configs, in requests, answers, envelopes, records of the metadata log; whole, cut by the snapshot length, with
packets lost, begun in the middle. All commands in all formats; raw, base64 at any alignment, hex.

usage: secrets.py KPARSE
"""
import base64
import copy
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from everything import craft, outputs  # noqa: E402

rng = random.Random(4)
planted = {}


def secret(name):
    """Bytes that nothing else has; letters and digits, so that they look alike as text and inside JSON."""
    planted[name] = ("Zq" + "".join(rng.choice("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789") for _ in range(22))).encode()
    return planted[name].decode()


def b64(text):
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


def token(text):
    return {"text": text}


def sasl(mechanism, client, server, version=1):
    """SaslHandshake, then the tokens: in SaslAuthenticate, or (handshake version 0) raw."""
    steps = [{"request": "SaslHandshake", "version": version, "body": {"mechanism": mechanism}, "answer": {"mechanisms": [mechanism]}}]
    for c, s in zip(client, server):
        if version == 0:
            steps.append({"token": c})
            steps.append({"token": s, "from": "server"})
        else:
            steps.append({"request": "SaslAuthenticate", "version": 2, "body": {"authBytes": token(c)},
                          "answer": {"authBytes": token(s), "errorMessage": None}})
    return steps


def scram(n, version):
    proof, salt, signature = b64(secret(f"scram proof {n}")), b64(secret(f"scram salt {n}")), b64(secret(f"scram signature {n}"))
    return ([f"n,,n=alice,r=fyko{n}", f"c=biws,r=fyko{n}rest,p={proof}"], [f"r=fyko{n}rest,s={salt},i=4096", f"v={signature}"])


def jwt(n):
    part = base64.urlsafe_b64encode(json.dumps({"sub": "carol", "jti": secret(f"jwt id {n}")}).encode()).decode().rstrip("=")
    return f"eyJhbGciOiJIUzI1NiJ9.{part}.{secret(f'jwt signature {n}')}"


def uvarint(n):
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def metadata_record(kparse, key, message, body):
    """As __cluster_metadata holds it (KIP-631): frame version, type, version."""
    out = subprocess.run([kparse, "encode", "--message", message, "--version", "0", "-"], input=json.dumps(body).encode(), capture_output=True, check=True).stdout.strip()
    return {"hex": (b"\x01" + uvarint(key) + b"\x00").hex() + out.decode()}


def conversations(kparse):
    yield sasl("PLAIN", [f"\0alice\0{secret('plain')}"], [""])
    yield sasl("PLAIN", [f"\0alice\0{secret('plain raw')}"], [""], 0)
    for version in (1, 0):
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
            yield sasl(mechanism, *scram(f"{mechanism} {version}", version), version)
        yield sasl("OAUTHBEARER", [f"n,a=carol,\1auth=Bearer {jwt(version)}\1\1"], [""], version)
        yield sasl("GSSAPI", ["\x60\x1a\x06\x09*\x02" + secret(f"gssapi client {version}")], ["\x05\x04" + secret(f"gssapi server {version}")], version)
        yield sasl("X-OWN", [secret(f"unknown mechanism {version}")], [secret(f"unknown mechanism's answer {version}")], version)
    yield [{"request": "CreateDelegationToken", "version": 3, "body": {"maxLifetimeMs": -1},
            "answer": {"tokenId": "t", "hmac": token(secret("hmac created"))}},
           {"request": "RenewDelegationToken", "version": 2, "body": {"hmac": token(secret("hmac renewed")), "renewPeriodMs": 1}, "answer": {}},
           {"request": "ExpireDelegationToken", "version": 2, "body": {"hmac": token(secret("hmac expired")), "expiryTimePeriodMs": 1}, "answer": {}},
           {"request": "DescribeDelegationToken", "version": 3, "body": {"owners": None},
            "answer": {"tokens": [{"tokenId": "t", "hmac": token(secret("hmac described")), "renewers": []}]}}]
    config = {"name": "ssl.keystore.password", "value": secret("config altered")}
    jaas = {"name": "listener.name.x.plain.sasl.jaas.config", "configOperation": 0, "value": f'org.x required password="{secret("jaas")}";'}
    yield [{"request": "AlterConfigs", "version": 2, "body": {"resources": [{"resourceType": 4, "resourceName": "1", "configs": [config]}]},
            "answer": {"responses": []}},
           {"request": "IncrementalAlterConfigs", "version": 1, "body": {"resources": [{"resourceType": 4, "resourceName": "1", "configs": [jaas]}]},
            "answer": {"responses": []}},
           {"request": "DescribeConfigs", "version": 4, "body": {"resources": [{"resourceType": 4, "resourceName": "1", "configurationKeys": None}]},
            "answer": {"results": [{"resourceType": 4, "resourceName": "1", "errorMessage": None, "configs": [
                {"name": "my.own.setting", "value": secret("config described"), "isSensitive": True,
                 "synonyms": [{"name": "my.own.setting", "value": secret("synonym"), "source": 1}]}]}]}},
           {"request": "CreateTopics", "version": 5, "body": {"topics": [{"name": "t", "numPartitions": 1, "replicationFactor": 1,
            "configs": [{"name": "x.ssl.key.password", "value": secret("config of a new topic")}]}]}, "answer": {"topics": []}},
           {"request": "AlterUserScramCredentials", "version": 0, "body": {"deletions": [], "upsertions": [
               {"name": "bob", "mechanism": 1, "iterations": 4096, "salt": token(secret("salt")), "saltedPassword": token(secret("salted password"))}]},
            "answer": {"results": []}}]
    records = [metadata_record(kparse, 11, "UserScramCredentialRecord", {
        "name": "bob", "mechanism": 1, "salt": b64(secret("record salt")), "storedKey": b64(secret("record stored key")),
        "serverKey": b64(secret("record server key")), "iterations": 4096}),
        metadata_record(kparse, 4, "ConfigRecord", {"resourceType": 4, "resourceName": "1", "name": "ssl.truststore.password", "value": secret("record config")})]
    yield [{"request": "Fetch", "version": 4, "body": {"replicaId": 1, "maxWaitMs": 1, "minBytes": 1, "topics": [
        {"topic": "__cluster_metadata", "partitions": [{"partition": 0, "fetchOffset": 0, "partitionMaxBytes": 1000}]}]},
        "answer": {"responses": [{"topic": "__cluster_metadata", "partitions": [{"partitionIndex": 0, "highWatermark": 9, "lastStableOffset": 9,
            "abortedTransactions": None, "records": [{"baseOffset": 3, "records": [{"value": r} for r in records]}]}]}]}}]


def envelope(kparse):
    """AlterConfigs as a controller gets it from a broker: header and body inside bytes (KIP-590)."""
    inner = {"resources": [{"resourceType": 4, "resourceName": "1", "configs": [
        {"name": "sasl.jaas.config", "value": secret("config in an envelope")}]}], "validateOnly": False}
    out = subprocess.run([kparse, "encode", "--message", "AlterConfigsRequest", "--version", "2", "-"], input=json.dumps(inner).encode(), capture_output=True, check=True).stdout
    data = "0021000200000007" + "0005" + b"admin".hex() + "00" + out.decode().strip()
    return [{"request": "Envelope", "version": 0, "body": {"requestData": {"hex": data}, "requestPrincipal": None,
             "clientHostAddress": {"hex": "0a000001"}}, "answer": {"responseData": None}}]


def needles(value):
    yield "raw", value
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + value)
        # What depends on the neighbours is left off.
        core = encoded[(shift * 8 + 5) // 6:len(encoded) - 4]
        yield "base64", core
        yield "base64url", core.replace(b"+", b"-").replace(b"/", b"_")
    yield "hex", value.hex().encode()
    yield "HEX", value.hex().upper().encode()
    yield "escaped", "".join(f"\\x{b:02x}" for b in value).encode()


def found(text, name):
    value = planted[name]
    # Those of SCRAM and in a JWT are base64 on the wire: that form is a secret, too, and may be encoded once more.
    values = [value] + ([n for how, n in needles(value) if how.startswith("base64")] if name.startswith(("scram", "jwt id")) else [])
    for v in values:
        for how, n in needles(v):
            # A short piece suffices: text may be cut.
            if n in text or (how in ("raw", "hex") and n[:len(n) // 2] in text):
                return how
    return None


def main():
    kparse = os.path.abspath(sys.argv[1])
    checked = wrong = 0
    with tempfile.TemporaryDirectory() as work:
        connections = [{"steps": s} for s in conversations(kparse)] + [{"steps": envelope(kparse)}]
        whole = os.path.join(work, "whole.pcapng")
        craft(kparse, {"connections": connections}, whole)
        shown = subprocess.run([kparse, "dump", "--format", "ndjson", "--secrets", "show", "--bytes", "base64", whole], capture_output=True, check=True).stdout
        for name in planted:  # else the test would prove nothing
            checked += 1
            if not found(shown, name):
                wrong += 1
                print(f"{name}: isn't in the capture, or --secrets show doesn't show it")
        variants = {"whole": {"connections": connections}}
        for snaplen in (100, 140):
            variants[f"snaplen {snaplen}"] = {"connections": connections, "snaplen": snaplen}
        variants["in small packets, some lost"] = {"connections": connections, "mss": 40, "trouble": {"loss": 0.15}, "seed": 3}
        middle = copy.deepcopy(connections)
        for c in middle:
            c["handshake"] = False
            c["steps"] = c["steps"][1:] if len(c["steps"]) > 1 else c["steps"]
        variants["begun in the middle"] = {"connections": middle}
        answers = copy.deepcopy(connections)
        for c in answers:
            for s in c["steps"]:
                s.pop("answer", None)
        variants["never answered"] = {"connections": answers}
        for what, script in variants.items():
            capture = os.path.join(work, "capture.pcapng")
            craft(kparse, script, capture)
            with tempfile.TemporaryDirectory() as empty:
                for ran, _, out, err in outputs(kparse, capture, empty):
                    checked += 1
                    seen = [(n, how) for n in planted for how in [found(out + err, n)] if how]
                    if seen:
                        wrong += 1
                        print(f"{what}: {ran.replace(capture, 'CAPTURE')}: {seen}")
                if os.listdir(empty):
                    wrong += 1
                    print(f"{what}: files were left: {os.listdir(empty)}")
    print(f"{checked} checked, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
