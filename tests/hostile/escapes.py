#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, keys, values and messages that a terminal, a browser, a spreadsheet or a file system would obey: in text they
are shown, in the other formats quoted as these want it, and no file is made of them. All commands in all formats.

usage: escapes.py KPARSE
"""
import csv
import io
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from everything import craft, outputs  # noqa: E402

EVIL = ["\x1b]0;owned\x07", "\x1b[2J\x1b[31mred", "\x9b31mC1", "\u202egnp.exe", "\u2066isolate", "line\nfeed\rreturn\ttab",
        "nul\0byte", "\x7fdel\x08back", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "`[link](javascript:x)`|pipe",
        "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "../../../../tmp/evil", "/etc/passwd", "CON", 'quote"comma,', "a" * 2000]


def conversation(evil):
    key = {"text": evil}
    return [
        {"request": "ApiVersions", "version": 3, "body": {"clientSoftwareName": evil, "clientSoftwareVersion": evil}, "answer": {"apiKeys": []}},
        {"request": "Metadata", "version": 9, "body": {"topics": [{"name": evil}]},
         "answer": {"brokers": [{"nodeId": 1, "host": evil, "port": 9092, "rack": evil}], "clusterId": evil, "controllerId": 1,
                    "topics": [{"errorCode": 3, "name": evil, "partitions": []}]}},
        {"request": "FindCoordinator", "version": 3, "body": {"key": evil, "keyType": 0},
         "answer": {"errorCode": 15, "errorMessage": evil, "nodeId": 1, "host": evil, "port": 9092}},
        {"request": "JoinGroup", "version": 7, "body": {"groupId": evil, "sessionTimeoutMs": 1, "rebalanceTimeoutMs": 1, "memberId": "",
                                                         "groupInstanceId": evil, "protocolType": "consumer", "protocols": [{"name": evil, "metadata": ""}]},
         "answer": {"errorCode": 0, "generationId": 1, "protocolType": "consumer", "protocolName": evil, "leader": evil, "memberId": evil,
                    "members": [{"memberId": evil, "groupInstanceId": evil, "metadata": ""}]}},
        {"request": "InitProducerId", "version": 3, "body": {"transactionalId": evil, "transactionTimeoutMs": 1000, "producerId": -1, "producerEpoch": -1},
         "answer": {"errorCode": 0, "producerId": 7, "producerEpoch": 0}},
        {"request": "Produce", "version": 9, "body": {"acks": -1, "transactionalId": evil, "topicData": [{"name": evil, "partitionData": [{"records": [
            {"transactional": True, "producerId": 7, "producerEpoch": 0, "baseSequence": 0,
             "records": [{"key": key, "value": {"text": evil}, "headers": [[evil, {"text": evil}], ["traceparent", {"text": evil}]]}]}]}]}]},
         "answer": {"responses": [{"name": evil, "partitionResponses": [{"index": 0, "errorCode": 87, "baseOffset": -1, "errorMessage": evil}]}]}},
        {"request": "OffsetCommit", "version": 8, "body": {"groupId": evil, "generationIdOrMemberEpoch": 1, "memberId": evil, "topics": [
            {"name": evil, "partitions": [{"partitionIndex": 0, "committedOffset": 1, "committedMetadata": evil}]}]},
         "answer": {"topics": [{"name": evil, "partitions": [{"partitionIndex": 0}]}]}},
        {"request": "Fetch", "version": 4, "body": {"maxWaitMs": 1, "minBytes": 1, "topics": [{"topic": evil, "partitions": [
            {"partition": 0, "fetchOffset": 0, "partitionMaxBytes": 1000}]}]},
         "answer": {"responses": [{"topic": evil, "partitions": [{"partitionIndex": 0, "highWatermark": 1, "lastStableOffset": 1, "abortedTransactions": None,
             "records": [{"records": [{"key": key, "value": {"text": evil}, "headers": [[evil, {"text": evil}]]}]}]}]}]}},
        {"request": "SaslHandshake", "version": 1, "body": {"mechanism": evil}, "answer": {"errorCode": 33, "mechanisms": [evil]}},
    ]


def obeyed(text):
    """Characters that a terminal acts on, or that turn text round."""
    return sorted({hex(ord(c)) for c in text if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0 or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"})


def problem(form, out):
    try:
        text = out.decode()
    except UnicodeDecodeError as e:
        return f"no UTF-8: {e}"
    if form in ("json", "sarif", "ndjson"):
        try:
            for document in text.splitlines() if form == "ndjson" else [text]:
                json.loads(document)
        except ValueError as e:
            return f"no JSON: {e}"
        if bad := [c for c in obeyed(text) if int(c, 16) < 32]:
            return f"raw control characters: {bad}"
        return None
    if form == "csv":
        for row in csv.reader(io.StringIO(text)):
            for field in row:
                if field[:1] in tuple("=+-@\t\r") and not is_number(field):
                    return f"a formula: {field[:40]!r}"
        return None
    if bad := obeyed(text):
        return f"a terminal would obey {bad}"
    return None


def is_number(field):
    try:
        float(field)
        return True
    except ValueError:
        return False


def main():
    kparse = os.path.abspath(sys.argv[1])
    checked = wrong = 0
    showing = set()     # commands that print a name of ours: else the test would prove nothing
    with tempfile.TemporaryDirectory() as work:
        capture = os.path.join(work, "capture.pcapng")
        script = {"comment": EVIL[0], "connections": [{"clientId": c, "steps": conversation(e)} for e in EVIL for c in (e, "tame")]}
        craft(kparse, script, capture)
        empty = os.path.join(work, "empty")
        os.mkdir(empty)
        for ran, form, out, err in outputs(kparse, capture, empty):
            if b"owned" in out:
                showing.add(ran.split()[0])
            for what, problems in ((form, None if ran.startswith("extract") else problem(form, out)), ("messages", problem("text", err))):
                checked += 1
                if problems:
                    wrong += 1
                    print(f"{ran.replace(capture, 'CAPTURE')}: {what}: {problems}")
        if missing := {"report", "frames", "dump", "records", "groups", "txns", "trace", "lint", "audit"} - showing:
            wrong += 1
            print(f"nothing of the capture is in the output of {sorted(missing)}")
        if left := os.listdir(empty):
            wrong += 1
            print(f"files were made: {left}")
        if os.path.exists("/tmp/evil"):
            wrong += 1
            print("/tmp/evil was made")
    print(f"{checked} checked, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
