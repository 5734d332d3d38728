#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reviewed.py KPARSE CAPTURES [--update]: what lint says of each capture of CAPTURES (a folder with manifest.json), against the
reviewed lists in reviewed/. Errors and warnings are listed one by one, notices and infos by their number. A difference is shown
as a diff, exit 1; --update writes the lists anew: review the change in version control. Without CAPTURES: exit 77."""
import concurrent.futures, difflib, json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))

def say(kparse, path):
    run = subprocess.run([kparse, 'lint', '--no-config', '--format', 'ndjson', '--threads', '1', path], capture_output=True)
    if run.returncode:
        return None, run.stderr.decode('utf-8', 'replace')
    return [json.loads(line) for line in run.stdout.splitlines()], ''

def lines(entry, findings):
    out = [f'# {entry["name"]}: {entry["broker"]}' + (' (healthy)' if entry.get('healthy') else '')]
    for f in findings:
        if f['severity'] in ('error', 'warning'):
            out.append(f'{f["severity"]} {f["rule"]} x{f["count"]} packet {f["packet"]}: {f["message"]}')
    for severity in 'notice', 'info':
        counts = {}
        for f in findings:
            if f['severity'] == severity:
                counts[f['rule']] = counts.get(f['rule'], 0) + f['count']
        if counts:
            out.append(severity + ' ' + ', '.join(f'{rule} x{n}' for rule, n in sorted(counts.items())))
    return out + ['']

def main():
    args = [a for a in sys.argv[1:] if a != '--update']
    if len(args) != 2:
        sys.exit(__doc__)
    kparse, folder = args
    manifest = os.path.join(folder, 'manifest.json')
    if not os.path.exists(manifest):
        print(f'{manifest} is not there')
        sys.exit(77)
    entries = json.load(open(manifest))
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda e: say(kparse, os.path.join(folder, e['file'])), entries))
    wrong, texts = 0, {}
    for entry, (findings, failed) in zip(entries, results):
        if findings is None:
            print(f'{entry["name"]}: {failed.strip()}')
            wrong += 1
            continue
        if entry.get('healthy') and any(f['severity'] == 'error' for f in findings):
            print(f'{entry["name"]} is healthy and has an error')
            wrong += 1
        texts.setdefault(entry['group'], []).extend(lines(entry, findings))
    os.makedirs(os.path.join(HERE, 'reviewed'), exist_ok=True)
    for group, now in sorted(texts.items()):
        path = os.path.join(HERE, 'reviewed', group + '.txt')
        if '--update' in sys.argv:
            with open(path, 'w', encoding='utf-8') as f:
                f.write('\n'.join(now))
            continue
        before = open(path, encoding='utf-8').read().split('\n') if os.path.exists(path) else []
        change = list(difflib.unified_diff(before, now, f'reviewed/{group}.txt', 'now', lineterm='', n=1))
        wrong += sum(1 for l in change if l[:1] in '+-' and l[:3] not in ('+++', '---'))
        print('\n'.join(change))
    print(f'{len(entries)} checked, {wrong} wrong')
    sys.exit(1 if wrong else 0)

if __name__ == '__main__':
    main()
