#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kparse groups, txns and trace against what the brokers' request logs and the applications themselves say.

usage: truth.py KPARSE CAPTURES [NAME...]     CAPTURES: the folder with manifest.json, captures and their truth files
Prints every difference; status 1 if there is one, 77 if CAPTURES isn't there.
"""
import base64
import collections
import json
import os
import struct
import subprocess
import sys

WITH_BODIES = {"JoinGroup", "SyncGroup", "OffsetCommit", "LeaveGroup", "EndTxn", "ConsumerGroupHeartbeat", "ShareFetch"}


def run(kparse, command, capture, *more):
    out = subprocess.run([kparse, command, "--format", "json", "--quiet", capture, *more], capture_output=True)
    if out.returncode != 0:
        raise RuntimeError(f"{command} {capture}: status {out.returncode}: {out.stderr.decode()[:500]}")
    return json.loads(out.stdout)


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [json.loads(line) for line in f if line.strip()]


def assignment(data):
    """Partitions of a ConsumerProtocolAssignment (base64)."""
    raw = base64.b64decode(data or "")
    if len(raw) < 6:
        return frozenset()
    at = 2
    (topics,) = struct.unpack_from(">i", raw, at)
    at += 4
    out = set()
    for _ in range(topics):
        (n,) = struct.unpack_from(">h", raw, at)
        topic = raw[at + 2:at + 2 + n].decode()
        at += 2 + n
        (count,) = struct.unpack_from(">i", raw, at)
        at += 4
        for _ in range(count):
            out.add((topic, struct.unpack_from(">i", raw, at)[0]))
            at += 4
    return frozenset(out)


class Names:
    """Topic ids to names, from the log."""

    def __init__(self, log):
        self.of = {}
        for r in log:
            for t in ((r.get("raw") or {}).get("response") or {}).get("topics") or []:
                if isinstance(t, dict) and t.get("topicId") and t.get("name"):
                    self.of[t["topicId"]] = t["name"]

    def __call__(self, row):
        name = row.get("name") or row.get("topic")
        return name if name else self.of.get(row.get("topicId"), row.get("topicId"))


def shown(rows):
    """[{"topic","topicId","partitions"}] as a set."""
    return frozenset((r["topic"] or r["topicId"], p) for r in rows or [] for p in r["partitions"])


def tasks(rows):
    return frozenset((r["role"], r["subtopology"], p) for r in rows or [] for p in r["partitions"])


def parts(rows, names):
    return frozenset((names(t), p) for t in rows or [] for p in t["partitions"])


def api_of(r):
    """Some logs write JOIN_GROUP for JoinGroup."""
    name = r["apiName"]
    return "".join(w.capitalize() for w in name.split("_")) if name.isupper() else name


def bodies(log, *apis):
    for r in log:
        raw = r.get("raw")
        if api_of(r) in apis and raw and raw.get("request") and raw.get("response") is not None and not raw.get("isForwarded"):
            yield r, raw["request"], raw["response"]


class Check:
    def __init__(self, name):
        self.name = name
        self.faults = 0
        self.checked = collections.Counter()

    def equal(self, what, mine, truth):
        self.checked[what] += len(truth) if hasattr(truth, "__len__") else 1
        if mine == truth:
            return
        self.faults += 1
        if isinstance(mine, (set, frozenset, collections.Counter)):
            print(f"{self.name}: {what}: only kparse has {sorted(map(str, mine - truth))[:4]}, only the truth has {sorted(map(str, truth - mine))[:4]}")
        else:
            print(f"{self.name}: {what}: {str(mine)[:300]}, truth {str(truth)[:300]}")


def check_groups(check, log, doc, names):
    groups = {g["group"]: g for g in doc["groups"]}
    joined, assigned, left, left_by_instance, commits = set(), set(), set(), [], collections.Counter()
    kinds = {}
    for r, q, a in bodies(log, "JoinGroup"):
        kinds[q["groupId"]] = "classic"
        if a["errorCode"] == 0:
            joined.add((q["groupId"], a["generationId"], a["memberId"]))
    for r, q, a in bodies(log, "SyncGroup"):
        if a["errorCode"] == 0 and (a.get("protocolType") or "consumer") == "consumer":
            assigned.add((q["groupId"], q["generationId"], q["memberId"], assignment(a["assignment"])))
    for r, q, a in bodies(log, "LeaveGroup"):
        if a["errorCode"] != 0:
            continue
        who = q.get("members") or ([{"memberId": q["memberId"]}] if q.get("memberId") else [])
        results = a.get("members") or [{"errorCode": 0}] * len(who)
        for w, x in zip(who, results):
            if x["errorCode"] == 0 and w["memberId"]:
                left.add((q["groupId"], w["memberId"]))
            elif x["errorCode"] == 0:   # an admin names the instance
                left_by_instance.append((q["groupId"], w["groupInstanceId"]))
    for api, kind in (("ConsumerGroupHeartbeat", "consumer"), ("ShareGroupHeartbeat", "share"), ("StreamsGroupHeartbeat", "streams")):
        for r, q, a in bodies(log, api):
            kinds[q["groupId"]] = kind
            if a["errorCode"] != 0:
                continue
            member = a.get("memberId") or q["memberId"]
            if q["memberEpoch"] == 0:
                joined.add((q["groupId"], a["memberEpoch"], member))
            if q["memberEpoch"] < 0:
                left.add((q["groupId"], member))
            elif kind == "streams":
                if any(a.get(k) is not None for k in ("activeTasks", "standbyTasks", "warmupTasks")):
                    assigned.add((q["groupId"], a["memberEpoch"], member, frozenset(
                        (role, t["subtopologyId"], p) for role in ("active", "standby", "warmup")
                        for t in a.get(role + "Tasks") or [] for p in t["partitions"])))
            elif a.get("assignment") is not None:
                assigned.add((q["groupId"], a["memberEpoch"], member, parts(a["assignment"]["topicPartitions"], names)))
    for api in ("OffsetCommit", "TxnOffsetCommit"):
        for r, q, a in bodies(log, api):
            errors = {(names(t), p["partitionIndex"]): p["errorCode"] for t in a["topics"] for p in t["partitions"]}
            for t in q["topics"]:
                for p in t["partitions"]:
                    key = (names(t), p["partitionIndex"])
                    commits[(q["groupId"], *key, p["committedOffset"], errors.get(key, 0) == 0)] += 1

    mine_joined, mine_assigned, mine_left = set(), set(), set()
    for g in groups.values():
        for e in g["events"]:
            if e["event"] == "joined":
                mine_joined.add((g["group"], e["generation"], e["member"]))
            if e["event"] == "assigned" and e["assignment"] is not None and (g["protocolType"] or "consumer") == "consumer":
                what = tasks(e["assignment"]) if g["type"] == "streams" else shown(e["assignment"])
                mine_assigned.add((g["group"], e["generation"], e["member"], what))
            if e["event"] in ("leave", "staticLeave", "removed") and not e["error"] and e["member"]:
                mine_left.add((g["group"], e["member"]))
    check.equal("types", {g: groups.get(g, {}).get("type") for g in kinds}, kinds)
    check.equal("joined", mine_joined, joined)
    check.equal("assigned", mine_assigned, assigned)
    mine = [(g["group"], e["instance"]) for g in groups.values() for e in g["events"]
            if e["event"] == "removed" and not e["error"] and not e["member"]]
    check.equal("left by instance", sorted(mine), sorted(left_by_instance))
    check.equal("left", mine_left, left)
    mine = collections.Counter((g["group"], c["topic"] or c["topicId"], c["partition"], c["offset"], c["error"] is None)
                               for g in groups.values() for c in g["commits"] if c["answered"])
    check.equal("commits", mine, commits)

    types = {0: "gap", 1: "accept", 2: "release", 3: "reject", 4: "renew"}
    acked, acquired = collections.Counter(), collections.Counter()
    for r, q, a in bodies(log, "ShareFetch", "ShareAcknowledge"):
        if a["errorCode"] != 0:
            continue
        errors = {(t["topicId"], p["partitionIndex"]): p.get("acknowledgeErrorCode", p["errorCode"]) for t in a["responses"] for p in t["partitions"]}
        for t in q["topics"]:
            for p in t["partitions"]:
                if errors.get((t["topicId"], p["partitionIndex"]), 0) != 0:
                    continue
                for b in p["acknowledgementBatches"]:
                    n = b["lastOffset"] - b["firstOffset"] + 1
                    for kind in b["acknowledgeTypes"] * (n if len(b["acknowledgeTypes"]) == 1 else 1):
                        acked[(q["groupId"], names(t), p["partitionIndex"], types[kind])] += 1
        for t in a["responses"]:
            for p in t["partitions"]:
                for x in p.get("acquiredRecords") or []:
                    acquired[(q["groupId"], names(t), p["partitionIndex"])] += x["lastOffset"] - x["firstOffset"] + 1
    mine_acked, mine_acquired = collections.Counter(), collections.Counter()
    for g in groups.values():
        for d in g["deliveries"]:
            key = (g["group"], d["topic"] or d["topicId"], d["partition"])
            mine_acquired[key] += d["acquired"]
            for kind, n in d["acknowledged"].items():
                mine_acked[(*key, kind)] += n
    check.equal("acknowledged", +mine_acked, +acked)
    check.equal("acquired", +mine_acquired, +acquired)


def check_txns(check, log, records, doc, names):
    ended = collections.Counter()
    for r, q, a in bodies(log, "EndTxn"):
        if a["errorCode"] == 0:
            ended[(q["transactionalId"], q["producerId"], q["producerEpoch"], "committed" if q["committed"] else "aborted")] += 1
    offsets = collections.Counter()
    for r, q, a in bodies(log, "TxnOffsetCommit"):
        errors = {(names(t), p["partitionIndex"]): p["errorCode"] for t in a["topics"] for p in t["partitions"]}
        for t in q["topics"]:
            for p in t["partitions"]:
                key = (names(t), p["partitionIndex"])
                if errors.get(key, 0) == 0:
                    offsets[(q["transactionalId"], q["groupId"], *key, p["committedOffset"])] += 1
    mine, mine_offsets = collections.Counter(), collections.Counter()
    ranges = collections.defaultdict(list)
    for p in doc["txns"]:
        for t in p["transactions"]:
            if not t["byMarker"] and t["outcome"] in ("committed", "aborted"):
                mine[(p["transactionalId"], p["producerId"], t["epoch"], t["outcome"])] += 1
            for o in t["offsets"]:
                if o["error"] is None and o["answered"]:
                    mine_offsets[(p["transactionalId"], o["group"], o["topic"] or o["topicId"], o["partition"], o["offset"])] += 1
            for x in t["partitions"]:
                if x["firstOffset"] is not None:
                    ranges[(x["topic"] or x["topicId"], x["partition"])].append((x["firstOffset"], x["lastOffset"], t["outcome"], x["marker"]))
    check.equal("ended", mine, ended)
    check.equal("offsets in transactions", mine_offsets, offsets)
    # What the application left open, somebody else may have ended.
    wanted = {"committed": {"committed"}, "aborted": {"aborted"}, "open": {"open", "fenced", "aborted"}}
    wrong = []
    for r in records:
        if r["dir"] != "produced" or r.get("offset") is None or r.get("txn") not in wanted or r.get("error"):
            continue
        check.checked["records in transactions"] += 1
        if not any(a <= r["offset"] <= b and o in wanted[r["txn"]] for a, b, o, m in ranges[(r["topic"], r["partition"])]):
            wrong.append((r["topic"], r["partition"], r["offset"], r["txn"]))
    check.equal("records outside of their transaction", wrong, [])


def check_trace(check, records, doc, both_sides):
    ways = {}
    for w in doc["trace"]:   # a topic made again has its offsets again
        mine = ways.setdefault((w["topic"] or w["topicId"], w["partition"], w["offset"]), {"produced": None, "fetched": []})
        mine["produced"] = mine["produced"] or w["produced"]
        mine["fetched"] += w["fetched"]
    lost = [(r["topic"], r["partition"], r["offset"]) for r in records
            if r["dir"] == "produced" and r.get("offset") is not None and not r.get("error")
            and not (ways.get((r["topic"], r["partition"], r["offset"])) or {}).get("produced")]
    check.checked["produced"] += sum(r["dir"] == "produced" for r in records)
    check.equal("produced records without their production", lost[:5], [])
    unread = [k for k in ((r["topic"], r["partition"], r.get("offset")) for r in records if r["dir"] == "consumed")
              if k[2] is not None and not (ways.get(k) or {}).get("fetched")]
    check.checked["consumed"] += sum(r["dir"] == "consumed" for r in records)
    check.equal("consumed records that nobody fetched", unread[:5], [])
    without = [(w["topic"], w["partition"], w["offset"]) for w in doc["trace"] for f in w["fetched"] if w["produced"] and f["delayMs"] is None]
    check.equal("fetches of records produced here without a delay", without[:5], [])


def main():
    kparse, folder = sys.argv[1], sys.argv[2]
    if not os.path.exists(os.path.join(folder, "manifest.json")):
        print("no captures")
        sys.exit(77)
    faults, captures, totals = 0, 0, collections.Counter()
    for entry in json.load(open(os.path.join(folder, "manifest.json"))):
        if sys.argv[3:] and entry["name"] not in sys.argv[3:]:
            continue
        capture = os.path.join(folder, entry["file"])
        base = capture[:capture.index(".pcap")]
        if entry.get("complete") is not True or not os.path.exists(base + ".requests.jsonl") or entry.get("tls") or entry.get("keylog"):
            continue
        check = Check(entry["name"])
        log, records = lines(base + ".requests.jsonl"), lines(base + ".records.jsonl")
        names = Names(log)
        # Older and filtered logs don't hold bodies of all.
        structured = all((r.get("raw") or {}).get("request") is not None for r in log if api_of(r) in WITH_BODIES)
        groups, txns, trace = (run(kparse, c, capture) for c in ("groups", "txns", "trace"))
        if structured:
            names.of.update({t["topicId"]: t["topic"] for t in trace["topics"] if t["topicId"] and t["topic"]})
            check_groups(check, log, groups, names)
            check_txns(check, log, records, txns, names)
        if not entry.get("unloggedWriters"):
            check_trace(check, records, trace, True)
        captures += 1
        faults += check.faults
        totals += check.checked
    print(f"{captures} captures, {faults} faults; compared: " + ", ".join(f"{n} {what}" for what, n in sorted(totals.items())))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
