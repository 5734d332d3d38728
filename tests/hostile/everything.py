# SPDX-License-Identifier: MIT
"""All commands of kparse in all their formats over one capture."""
import json
import os
import re
import subprocess

# Arguments for each command, "FORMAT" being each of its formats. None: what it shows is what the user gave it, or
# nothing of a capture. A command that isn't here is an error: new ones have to be looked at.
RUNS = {
    "report": [["--details", "--lint"], ["--separate"]],
    "frames": [[]],
    "dump": [["--records", r, "--bytes", b] for r, b in (("none", "auto"), ("batches", "hex"), ("full", "auto"), ("full", "base64"), ("full", "hex"))],
    "records": [["--bytes", b, "--recognise"] for b in ("auto", "base64", "hex", "none")],
    "groups": [["--all"], []],
    "txns": [["--all"]],
    "trace": [["--list"], ["--by", "key", "--list"], ["--by", "trace", "--list"]],
    "diff": [["CAPTURE"]],
    "lint": [["--all"], []],
    "audit": [[]],
    "decode": None, "encode": None, "schema": None, "headers": None, "xerial": None, "rules": None, "craft": None,
    "decrypt": None,    # copies the inside of TLS: no text of its own
    "extract": [["--redact", "--from", "0"]],
}


def commands(kparse):
    text = subprocess.run([kparse, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z]+) {2,}", text.split("Commands:")[1].split("Options:")[0], re.M)
    unknown = set(names) ^ set(RUNS)
    if unknown:
        raise RuntimeError(f"commands that this test doesn't know, or that are gone: {sorted(unknown)}")
    return [n for n in names if RUNS[n] is not None]


def formats(kparse, command):
    text = subprocess.run([kparse, command, "--help"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"--format ([a-z|]+)", text)
    return found.group(1).split("|") if found else [None]


def outputs(kparse, capture, folder, captures_only=False):
    """(what was run, format, standard output and what was written, standard error), in an empty folder of its own."""
    for command in commands(kparse):
        for form in formats(kparse, command):
            for run in RUNS[command]:
                words = [kparse, command] + (["--format", form] if form else []) + [capture if w == "CAPTURE" else w for w in run]
                written = None
                if command == "extract":
                    written = os.path.join(folder, "out.pcapng")
                    words += ["-o", written]
                p = subprocess.run(words + [capture], capture_output=True, cwd=folder, timeout=120)
                if p.returncode not in (0, 1):
                    raise RuntimeError(f"{words}: status {p.returncode}: {p.stderr.decode(errors='replace')[:300]}")
                out = p.stdout
                if written:
                    with open(written, "rb") as f:
                        out += f.read()
                    os.remove(written)
                yield " ".join(words[1:]), form, out, p.stderr
    for form in ("text", "json"):
        report = os.path.join(folder, "report.json")
        with open(report, "wb") as f:
            f.write(subprocess.run([kparse, "report", "--format", "json", capture], capture_output=True, check=True).stdout)
        p = subprocess.run([kparse, "diff", "--format", form, report, report], capture_output=True, cwd=folder)
        yield f"diff {form} of reports", form, p.stdout, p.stderr
        os.remove(report)
    baseline = os.path.join(folder, "baseline.json")
    p = subprocess.run([kparse, "lint", "--write-baseline", baseline, capture], capture_output=True, cwd=folder)
    with open(baseline, "rb") as f:
        yield "lint --write-baseline", "json", f.read(), p.stderr
    os.remove(baseline)


def craft(kparse, script, path):
    p = subprocess.run([kparse, "craft", "-", "-o", path], input=json.dumps(script).encode(), capture_output=True)
    if p.returncode != 0:
        raise RuntimeError(f"craft: {p.stderr.decode(errors='replace')}")
