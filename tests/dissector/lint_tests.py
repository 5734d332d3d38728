# SPDX-License-Identifier: GPL-2.0-or-later
"""What lint finds: the same in Wireshark, at the same packets, as `kparse lint` says."""
import collections
import glob
import json
import os
import re
import subprocess
import textwrap

ON = ('-o', 'kparse.lint:TRUE')
MOST_PLACES = 5  # that `kparse lint` names of a finding
# What they look at are packets of TCP and connections that aren't Kafka, which the plugin isn't told of.
OF_TCP = {'KP-ADVERTISED', 'KP-APIV-NOREPLY', 'KP-CONN-CHURN', 'KP-FRAME-TLS', 'KP-IDLE-DROP', 'KP-NAGLE', 'KP-RETRANS',
          'KP-SASL-MISSING', 'KP-SEND-STALL', 'KP-SNAPLEN', 'KP-TLS', 'KP-VER-DROPPED', 'KP-ZEROWIN'}

# They ask how the connection ended, too: not all that they find is shown.
OF_ENDS = {'KP-DUP-PRODUCE', 'KP-NO-RESPONSE', 'KP-FRAME-TRUNC', 'KP-FRAME-BIG-RSP', 'KP-SILENT'}
# About the connection as a whole, or lost bytes (see README.md): shown in other packets.
MOVED = {'KP-NOAPIV', 'KP-GAP'}
# Their numbers grow while the capture is read: `kparse lint` says the last ones, a packet those that it makes full.
GROWING = {'KP-COORD-LOOP', 'KP-ERR-LOOP', 'KP-FETCH-STUCK', 'KP-META-STORM', 'KP-NOTLEADER-LOOP', 'KP-OLDVER'}


def told(c, path, *options):
    """By rule, the packets that `kparse lint` names; and the rules of which it doesn't name all."""
    done = subprocess.run([c.kparse, 'lint', '--format', 'ndjson', *options, path], capture_output=True, text=True)
    packets, more = collections.defaultdict(set), set()
    for line in done.stdout.splitlines():
        finding = json.loads(line)
        packets[finding['rule']] |= {p['packet'] for p in finding['packets']}
        if len(finding['packets']) == MOST_PLACES:
            more.add(finding['rule'])
    return packets, more


def shown(c, path, *options):
    packets = collections.defaultdict(set)
    for number, rules, about in c.fields(path, 'frame.number', 'kparse.lint.rule', 'kparse.lint.packet', options=(*ON, *options)):
        for rule, packet in zip(rules.split(','), about.split(',')) if rules else ():
            packets[rule].add(int(packet))
    return packets


def differences(c, path):
    expected, more = told(c, path)
    ours = shown(c, path, '-2')
    assert not OF_TCP & set(ours), ours
    for rule in sorted((set(expected) | set(ours)) - OF_TCP):
        missing, extra = expected[rule] - ours[rule], ours[rule] - expected[rule]
        if rule in MOVED:
            missing, extra = set() if ours[rule] else missing, set() if expected[rule] else extra
        if rule in OF_ENDS:
            missing = set()
        if missing or (extra and rule not in more):
            yield f'{os.path.basename(path)}: {rule}: not shown at {sorted(missing)}, only shown at {sorted(extra)}'


def crafted(c):
    """The fixtures of the rules, one capture each."""
    for path in sorted(glob.glob(os.path.join(c.source, 'tests', 'lint', 'fixtures', '*.yaml'))):
        made = c.scratch(os.path.basename(path)[:-5] + '.pcap')
        with open(path) as f:
            script = re.search(r'^hit:\n((?:  .*\n|\n)*)', f.read(), re.MULTILINE)
        if script is None:
            continue
        done = subprocess.run([c.kparse, 'craft', '--output', made, '-'], capture_output=True, text=True,
                              input=textwrap.dedent(script[1]))
        assert done.returncode == 0, f'{path}: {done.stderr}'
        os.chmod(made, 0o644)
        yield made


def test_lint(c):
    wrong, rules = [], set()
    for path in (*crafted(c), *c.samples(), *c.shared_captures('cases')):
        wrong += differences(c, path)
        rules |= set(told(c, path)[0])
    assert not wrong, '\n'.join(wrong)
    assert len(rules) > 50, f'only {len(rules)} rules were tried'


def test_lint_is_off(c):
    for path in c.samples():
        assert not any(rules for _, rules in c.fields(path, 'frame.number', 'kparse.lint.rule')), path


def test_lint_items(c):
    """The message, the severity as Wireshark has it; in one pass what is known only later is shown where it is known."""
    path = os.path.join(c.source, 'samples', 'captures', 'errors-unknown-topic.pcap')
    done = subprocess.run([c.kparse, 'lint', '--format', 'ndjson', path], capture_output=True, text=True)
    findings = [f for f in map(json.loads, done.stdout.splitlines()) if f['rule'] not in OF_TCP]
    assert findings
    text = c.shark.run('-n', '-2', '-V', '-r', c.shark.readable(path), *ON).stdout
    for f in findings:
        message = re.escape(f'{f["rule"]}: {f["message"]}')
        if f['rule'] in GROWING:
            message = re.sub(r'\d+(\\\.\d+)?(?=\\ (times|s))', r'[0-9.]+', message)
        assert re.search(message, text), f
        level = {'error': 'error', 'warning': 'warning', 'notice': 'note', 'info': 'chat'}[f['severity']]
        assert c.count(path, f'kparse.lint.{level} && kparse.lint.rule == "{f["rule"]}"', *ON, '-2'), f
        assert c.count(path, f'kparse.rule == "{f["rule"]}"', *ON, '-2'), f
