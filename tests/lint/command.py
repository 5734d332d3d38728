#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""command.py KPARSE SAMPLES: the options and exit statuses of lint, rules and audit, on captures of SAMPLES. Exit 1 if one is wrong."""
import json, os, subprocess, sys, tempfile

kparse, samples = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
capture = os.path.join(samples, 'kafka-0.8-message-sets.pcap')
folder = tempfile.TemporaryDirectory()
checked = wrong = 0

def run(*args, cwd=folder.name):
    r = subprocess.run([kparse, *args], capture_output=True, cwd=cwd)
    return r.returncode, r.stdout.decode(), r.stderr.decode()

def check(name, condition, got=''):
    global checked, wrong
    checked += 1
    if not condition:
        wrong += 1
        print(f'{name}: {got}')

def path(name, content=None):
    p = os.path.join(folder.name, name)
    if content is not None:
        with open(p, 'w') as f:
            f.write(content)
    return p

status, out, err = run('lint', '--format', 'ndjson', capture)
findings = [json.loads(line) for line in out.splitlines()]
check('lint', status == 0 and findings, (status, err))
ids = {f['rule'] for f in findings}
check('an old client is found', 'KP-OLDVER' in ids, ids)
for threads in '1', '3':
    check(f'{threads} threads', run('lint', '--format', 'ndjson', '--threads', threads, capture)[1] == out)
status, document, err = run('lint', '--format', 'json', capture)
check('json is ndjson', json.loads(document)['findings'] == findings)

check('a small report has findings', 'KP-OLDVER' in run('report', capture)[1])
check('unless told not to', 'KP-OLDVER' not in run('report', '--no-lint', capture)[1])
with open(capture, 'rb') as f:
    streamed = subprocess.run([kparse, 'report', '-'], stdin=f, capture_output=True).stdout.decode()
with open(capture, 'rb') as f:
    chosen = subprocess.run([kparse, 'report', '--select', 'KP-OLDVER', '-'], stdin=f, capture_output=True).stdout.decode()
check('rules that are named are looked at there, too', 'KP-OLDVER' in chosen and 'not looked for' not in chosen, chosen[-300:])
check('of a stream it says that it does not look', 'KP-OLDVER' not in streamed and '--lint' in streamed, streamed[-300:])

check('fail-on info', run('lint', '--fail-on', 'info', capture)[0] == 1)
check('fail-on never', run('lint', '--fail-on', 'never', capture)[0] == 0)
check('fail-on nonsense', run('lint', '--fail-on', 'bad', capture)[0] == 2)
for command in 'lint', 'audit':
    check(f'{command}: fail-on of nothing', run(command, '--fail-on', '', capture)[0] == 2)
    status, out, err = run(command, path('nowhere.pcap'))
    check(f'{command}: nothing is said of what could not be read', (status, out) == (3, '') and 'nowhere.pcap' in err, (status, out, err))
only = run('lint', '--select', 'KP-OLDVER', '--format', 'ndjson', capture)[1]
check('select', {json.loads(l)['rule'] for l in only.splitlines()} == {'KP-OLDVER'}, only)
check('select a beginning', 'KP-OLDVER' in run('lint', '--select', 'KP-OLD*', capture)[1])
check('ignore', 'KP-OLDVER"' not in run('lint', '--ignore', 'KP-OLDVER', '--format', 'ndjson', capture)[1])
for args in ('--select', 'KP-NOSUCH'), ('--set', 'KP-NOSUCH.x=1'), ('--set', 'KP-OLDVER'), ('--set', 'KP-OLDVER.x=y'):
    status, _, err = run('lint', *args, capture)
    check(' '.join(args), status == 2 and args[1].split('=')[0].split('.')[0] in err, (status, err))

base = path('known.json')
status, _, err = run('lint', '--write-baseline', base, capture)
check('write-baseline', status == 0 and len(json.load(open(base))['findings']) > 0, (status, err))
status, out, err = run('lint', '--baseline', base, '--fail-on', 'info', '--format', 'ndjson', capture)
check('baseline', (status, out) == (0, ''), (status, out, err))
check('baseline, some left', run('lint', '--baseline', path('empty.json', '{"findings":[]}'), '--fail-on', 'info', capture)[0] == 1)
copy = path('copy.pcap')
with open(capture, 'rb') as a, open(copy, 'wb') as b:
    b.write(a.read())
size = os.path.getsize(copy)
check('a baseline in place of the capture', run('lint', '--write-baseline', copy, copy)[0] == 2 and os.path.getsize(copy) == size)
status, _, err = run('audit', '--config', path('release.toml', '[audit]\n\ntarget = "9.9"\n'), capture)
check('a release that there is not', status == 2 and 'release.toml' in err and 'line 3' in err, (status, err))
check('no baseline', run('lint', '--baseline', path('none.json'), capture)[0] == 3)
check('a broken baseline', run('lint', '--baseline', path('broken.json', '{'), capture)[0] == 3)

path('.kparse.toml', 'ignore = ["KP-OLDVER"]\nfail-on = "info"\nbaseline = "empty.json"\n[audit]\ntarget = "3.9"\n')
status, out, err = run('lint', '--format', 'ndjson', capture)
check('config', status == 1 and 'KP-OLDVER"' not in out, (status, err))
check('config, overruled', run('lint', '--fail-on', 'never', capture)[0] == 0)
check('no config', run('lint', '--no-config', capture)[0] == 0)
check('audit target from the config', json.loads(run('audit', '--format', 'json', capture)[1])['target'] == '3.9')
status, _, err = run('lint', '--config', path('bad.toml', 'ignore = []\n\nselekt = []\n'), capture)
check('a mistake in the config', status == 2 and 'bad.toml: line 3' in err, (status, err))
os.remove(path('.kparse.toml'))
os.mkdir(path('.kparse.toml'))
status, _, err = run('lint', capture)
check('a folder in the place of the config', status == 2 and '.kparse.toml: Is a directory' in err, (status, err))
os.rmdir(path('.kparse.toml'))

status, out, err = run('audit', '--target', '4.0', '--format', 'json', capture)
audit = json.loads(out)
check('audit', status == 0 and audit['target'] == '4.0' and audit['clients'], (status, err))
check('an old client is refused', any(c['verdict'] == 'refused' and c['releases']['3.9'] == 'ok' and c['releases']['4.0'] == 'refused'
                                      for c in audit['clients']), out)
check('audit, fail-on', run('audit', '--target', '4.0', '--fail-on', 'refused', capture)[0] == 1)
check('audit, nothing refused', run('audit', '--target', '3.9', '--fail-on', 'refused', capture)[0] == 0)
check('audit, no such release', run('audit', '--target', '9.9', capture)[0] == 2)
rows = run('audit', '--target', '4.0', '--format', 'csv', capture)[1].split('\r\n')
check('csv', len(rows) == 2 + sum(len(c['calls']) for c in audit['clients']), rows[:2])

catalogue = json.loads(run('rules', '--format', 'json')[1])['rules']
check('rules', len(catalogue) > 0 and ids <= {r['id'] for r in catalogue})
for name in 'KP-OLDVER', 'kp-oldver', 'oldver':
    check(f'rules {name}', run('rules', name)[1].startswith('KP-OLDVER'))
check('rules, no such', run('rules', 'KP-OLDVAR')[0] == 2 and 'KP-OLDVER' in run('rules', 'KP-OLDVAR')[2])

status, out, err = run('report', '--lint', '--format', 'json', capture)
check('report --lint', status == 0 and json.loads(out)['findings'] == findings, (status, err))
for other in 'otel-traceparent.pcap', 'java-4.3-headers-lz4.pcap':
    both = os.path.join(samples, other)
    alone = json.loads(run('lint', '--format', 'json', both)[1])['findings']
    for threads in '1', '2':  # one thread opens records once for both
        found = json.loads(run('report', '--lint', '--threads', threads, '--format', 'json', both)[1])
        check(f'report --lint, {threads} threads', alone and found['findings'] == alone, other)
        plain = json.loads(run('report', '--threads', threads, '--format', 'json', both)[1])
        check(f'its numbers, {threads} threads', {k: v for k, v in found.items() if k != 'findings'} == plain, other)
check('report without', 'findings' not in json.loads(run('report', '--format', 'json', capture)[1]))

print(f'{checked} checked, {wrong} wrong')
sys.exit(1 if wrong else 0)
