#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the old field names (kafka.*) hold what Wireshark's own Kafka dissector puts there?

usage: legacy_fields.py [--tshark "COMMAND"] [--verbose] CAPTURE...

Runs tshark, which must load the plugin, twice on each capture: with the built-in dissector and with the plugin.
Compares the values of each old name in each packet, in order. A difference that no line of EXCEPTIONS explains is a
failure.
Prints for each name how many values were equal, how many explained, and which never occurred. Exit status: 0 all
explained, 1 failures, 2 wrong usage or tshark failed.
"""
import argparse
import collections
import os
import re
import shlex
import subprocess
import sys

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "dissector")
SEPARATOR, AGGREGATOR = "\x1e", "\x1f"

# Where the built-in says itself that it can't read a packet, its values are not compared.
SURRENDERS = [
    "kafka.unsupported_api_version",
    "kafka.assumed_api_version",
    "kafka.unknown_api_key",
    "kafka.request_missing",
    "kafka.pdu_length_mismatch",
    "kafka.bad_string_length",
    "kafka.bad_bytes_length",
    "kafka.bad_array_length",
    "kafka.bad_record_length",
    "kafka.bad_varint",
    "kafka.zero_field_length",
    "kafka.unknown_message_magic",
    "kafka.ei_kafka_bad_message_set_length",
    "kafka.ei_kafka_bad_decompression_length",
    "kafka.ei_kafka_zero_decompression_length",
    "_ws.malformed",
    "_ws.dissector_bug",
    "_ws.malformed.dissector_bug",
]
# Those two are said of the versions that an ApiVersions response lists, too.
OF_LISTS = {"kafka.unsupported_api_version", "kafka.unknown_api_key"}
# The same, and what the built-in has none of: not values.
FLAGS = set(SURRENDERS)

CONTEXT = ["frame.number", "tcp.srcport", "tcp.dstport", "kparse.api_key", "kparse.version", "kparse.request",
           "kparse.rule", "_ws.malformed", "_ws.dissector_bug", "_ws.malformed.dissector_bug"]


class Packet:
    def __init__(self, columns, values):
        self.values = {name: value for name, value in zip(columns, values) if value}

    def __getitem__(self, name):
        return self.values.get(name, [])


def before_4_2(version):
    return version < (4, 2)


def log_append(name, old, new):
    return "1" in new["kafka.batch_timestamp_type"] or "1" in new["kafka.message_timestamp_type"]


def message_set(name, old, new):
    return "0" in new["kafka.message_magic"] or "1" in new["kafka.message_magic"]


def of_api(*keys):
    return lambda name, old, new: any(key in new["kparse.api_key"] for key in keys)


def of_version(key, low, high):
    return lambda name, old, new: any(k == key and low <= int(v) <= high
                                      for k, v in zip(new["kparse.api_key"], new["kparse.version"]))


def cut_at_nul(name, old, new):
    return old[name] == [v.split("\u2400")[0] for v in new[name]]


def far_future(name, old, new):
    """All that differ are before 1970, and in the built-in thousands of years ahead."""
    far = re.compile(r"\d{5,}")
    return len(old[name]) == len(new[name]) and all(
        a == b or far.search(a) for a, b in zip(old[name], new[name]))


def not_opened(name, old, new):
    """A compressed batch that only the plugin could open."""
    ratio = "kafka.message_compression_reduction"
    return len(old[ratio]) < len(new[ratio]) or (
        "0" not in new["kafka.batch_codec"] and new["kafka.message_value"] and not old["kafka.message_value"])


def wrong_lz4(name, old, new):
    return "3" in new["kafka.batch_codec"] and len(old[name]) > len(new[name])


def null_for_empty(name, old, new):
    return ["" if v == "[ Null ]" else v for v in old[name]] == (new[name] or [""])


def rest_inside(name, old, new):
    """Bytes at the end of the messages inside a compressed one."""
    return message_set(name, old, new) and any(codec != "0" for codec in new["kafka.message_codec"])


def bad_utf8(name, old, new):
    def once(values):
        return [re.sub("\ufffd+", "\ufffd", v) for v in values]
    return once(old[name]) == once(new[name])


def some_more(name, old, new):
    rest = iter(new[name])
    return all(v in rest for v in old[name])


# (names, Wireshark versions or None, test(name, old packet, new packet) or None, the built-in's fault)
EXCEPTIONS = [
    (r"kafka\.batch_(first|last)_timestamp", None, None, "reads milliseconds as seconds and nanoseconds"),
    (r"kafka\.response_frame", None, None, "has the name, never sets it"),
    (r"kafka\.message_timestamp", None, log_append, "takes no notice of LogAppendTime"),
    (r"kafka\.(commit|message|token_.*)_timestamp", None, far_future, "reads times before 1970 as unsigned"),
    (r"kafka\.topic_name", None, of_api("34"),
     "shows the topic of an AlterReplicaLogDirs response as a log directory only"),
    (r"kafka\.(message_.*|offset|truncated_content)", before_4_2, message_set, "can't read magic 0 and 1"),
    (r"kafka\.(message_.*|offset|record_attributes|header_.*)", None, not_opened,
     "can't open a compression that Kafka reads"),
    (r"kafka\.(message_.*|offset|record_attributes|header_.*)", None, wrong_lz4,
     "takes a wrong LZ4 header checksum for right in every record format"),
    (r"kafka\.(truncated_content|message_compression_reduction)", None, rest_inside,
     "shows a rest inside of a compressed message, which Kafka passes over"),
    (r"kafka\.(message_.*|offset|record_attributes|header_.*)", before_4_2,
     lambda name, old, new: any(codec != "0" for codec in new["kafka.batch_codec"]),
     "loses part of what it uncompresses"),
    (r"kafka\.truncated_content", None, lambda name, old, new: "surplus" in new["kparse.rule"],
     "takes bytes too many in a message for the next one"),
    (r"kafka\.request_frame", before_4_2, None, "pairs a correlation id that is used again with its first request"),
    (r"kafka\.tagged_field_(tag|data)", None, some_more, "shows no tagged fields inside of tagged fields"),
    (r".*", None, of_version("6", 0, 3), "misreads the endpoints of UpdateMetadata before version 4"),
    (r".*", None, of_version("46", 0, 0), "misreads the partitions of a ListPartitionReassignments response"),
    (r"kafka\.header", None, lambda name, old, new: not any(old[name]), "has the name, never sets it"),
    (r"kafka\.header_key", None, null_for_empty, "shows an empty header name as none"),
    (r".*", None, cut_at_nul, "cuts texts at a NUL"),
    (r".*", None, bad_utf8, "replaces what is not UTF-8 byte by byte"),
]


def names_of_fields():
    names = []
    for source in ("legacy_table.cpp", "experts.cpp"):
        with open(os.path.join(SOURCES, source), encoding="utf-8") as text:
            names += re.findall(r'\{"(kafka\.[a-z0-9_.]+)",', text.read())
    return sorted(set(names))


class Tshark:
    def __init__(self, command):
        self.command = shlex.split(command)
        text = self.run(["--version"])
        found = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
        if not found:
            sys.exit("legacy_fields.py: no tshark: " + command)
        self.version = tuple(int(n) for n in found.groups())
        self.known = {line.split("\t")[2] for line in self.run(["-G", "fields"]).split("\n") if line.count("\t") > 1}

    def run(self, arguments):
        done = subprocess.run(self.command + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 2) or not done.stdout:  # 2: the capture is cut off
            if done.returncode:
                sys.stderr.write(done.stderr.decode(errors="replace"))
                sys.exit(2)
        return done.stdout.decode(errors="replace")

    def packets(self, capture, columns, options):
        fields = [part for name in columns for part in ("-e", name)]
        text = self.run(["-n", "-r", capture, "-T", "fields", "-E", "separator=" + SEPARATOR,
                         "-E", "aggregator=" + AGGREGATOR, "-E", "occurrence=a"] + options + fields)
        packets = {}
        for line in text.split("\n"):
            cells = line.split(SEPARATOR)
            if len(cells) != len(columns):
                continue
            packet = Packet(columns, [cell.split(AGGREGATOR) if cell else [] for cell in cells])
            packets[int(packet["frame.number"][0])] = packet
        return packets


class Comparison:
    def __init__(self, tshark, names, verbose):
        self.tshark, self.names, self.verbose = tshark, names, verbose
        self.equal, self.explained, self.failed = (collections.Counter() for _ in range(3))
        self.reasons = collections.Counter()
        self.examples = {}
        self.not_compared = collections.Counter()

    def capture(self, path):
        columns = [c for c in CONTEXT + self.names if c in self.tshark.known]
        new = self.tshark.packets(path, columns, ["-o", "kparse.show_secrets:TRUE"])
        ports = sorted({p["tcp.dstport"][-1] for p in new.values() if p["kparse.request"] and p["tcp.dstport"]})
        options = ["--disable-protocol", "kparse", "-o", "tcp.reassemble_out_of_order:TRUE"]
        for port in ports:
            options += ["-d", "tcp.port==%s,kafka" % port]
        old = self.tshark.packets(path, columns, options)
        for number in sorted(old.keys() | new.keys()):
            self.packet(path, number, old.get(number), new.get(number))

    def packet(self, path, number, old, new):
        none = Packet([], [])
        old, new = old or none, new or none
        lists = set(new["kparse.api_key"]) == {"18"} and not new["kparse.request"]
        flag = next((f for f in SURRENDERS if old[f] and not (lists and f in OF_LISTS)), None)
        if flag:
            self.not_compared[flag] += 1
            return
        if not any(old[name] for name in self.names):
            if any(new[name] for name in self.names):
                self.not_compared["the built-in sees no frame"] += 1
            return
        for name in self.names:
            if name in FLAGS:
                continue
            before, after = old[name], new[name]
            if before == after:
                self.equal[name] += len(after)
                continue
            reason = self.reason(name, old, new)
            if reason:
                self.explained[name] += max(len(before), len(after))
                self.reasons[(name, reason)] += 1
            else:
                self.failed[name] += 1
                self.examples.setdefault(name, []).append((path, number, before, after, new))

    def reason(self, name, old, new):
        for pattern, versions, test, reason in EXCEPTIONS:
            if not re.fullmatch(pattern, name) or (versions and not versions(self.tshark.version)):
                continue
            if test is None or test(name, old, new):
                return reason
        return None

    def report(self):
        print("%-42s %9s %9s %9s" % ("name", "equal", "explained", "failures"))
        never = []
        for name in self.names:
            if not (self.equal[name] or self.explained[name] or self.failed[name]):
                never.append(name)
                continue
            print("%-42s %9d %9d %9d" % (name, self.equal[name], self.explained[name], self.failed[name]))
        print("\nnever seen: " + " ".join(n for n in never if n not in FLAGS))
        for flag, count in sorted(self.not_compared.items()):
            print("not compared: %d packets: %s" % (count, flag))
        for (name, reason), count in sorted(self.reasons.items()):
            print("explained: %d packets, %s: the built-in %s" % (count, name, reason))
        for name, examples in sorted(self.examples.items()):
            for path, number, before, after, new in examples if self.verbose else examples[:3]:
                print("FAILED %s, %s packet %d (API %s v%s)\n   built-in %s\n   plugin   %s" % (
                    name, path, number, ",".join(new["kparse.api_key"]), ",".join(new["kparse.version"]),
                    shortened(before), shortened(after)))
        print("%d values equal, %d explained, %d failures" % (
            sum(self.equal.values()), sum(self.explained.values()), sum(self.failed.values())))


def shortened(values):
    text = " | ".join(values)
    return text if len(text) < 200 else text[:200] + " ..."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tshark", default="tshark")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("captures", nargs="+", metavar="CAPTURE")
    arguments = parser.parse_args()
    comparison = Comparison(Tshark(arguments.tshark), names_of_fields(), arguments.verbose)
    for capture in arguments.captures:
        comparison.capture(capture)
    comparison.report()
    sys.exit(1 if comparison.failed else 0)


if __name__ == "__main__":
    main()
