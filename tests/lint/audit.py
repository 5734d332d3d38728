#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""audit.py KPARSE CAPTURES: kparse audit against what brokers logged and did (CAPTURES: a folder with manifest.json).
- Captures of 3.9 brokers: the clients that --target 4.0 refuses are exactly those whose logged requests are of versions that KIP-896
  removed (REMOVED, written down here once more).
- Captures of 4.x brokers, against their own release: what the broker answered is ok, what is refused was never answered.
- Pairs: an old client against 3.9, and the same client against 4.3.1.
Exit 1 if anything differs; without CAPTURES: exit 77."""
import concurrent.futures, json, os, re, subprocess, sys

# KIP-896 as 4.0 has it: the highest version that is gone. Metadata, FindCoordinator, JoinGroup, SaslHandshake, DeleteGroups were kept.
REMOVED = {'Produce': 2, 'Fetch': 3, 'ListOffsets': 0, 'OffsetCommit': 1, 'OffsetFetch': 0, 'CreateTopics': 1, 'DeleteTopics': 0,
           'OffsetForLeaderEpoch': 1, 'DescribeAcls': 0, 'CreateAcls': 0, 'DeleteAcls': 0, 'DescribeConfigs': 0,
           'AlterReplicaLogDirs': 0, 'DescribeLogDirs': 0, 'CreateDelegationToken': 0, 'RenewDelegationToken': 0,
           'ExpireDelegationToken': 0, 'DescribeDelegationToken': 0}
# Old client against 3.9 (the end of its client ids), what 4.x refuses of it; the same client against 4.3.1, what the broker
# refused of it there. librdkafka 1.0.0 asks the broker first and gives up its consumer by itself.
PAIRS = [('k391-old-producers', '0.10.0.1', {('Produce', 2), ('Fetch', 2), ('ListOffsets', 0)},
          'b-01001-client-on-431', {('Produce', 2), ('ListOffsets', 0)}),
         ('kafka-python147-39-gzip', '', set(), 'kafka-python147-43', set()),
         ('librdkafka100-39-none', '', {('ListOffsets', 0), ('OffsetCommit', 1)}, 'librdkafka100-43', set())]

def kparse(*args):
    run = subprocess.run([sys.argv[1], *args], capture_output=True)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr.decode('utf-8', 'replace').strip())
    return run.stdout

def audit(path, target):
    return json.loads(kparse('audit', '--no-config', '--format', 'json', '--target', target, path))

def refused_calls(a, ids=''):
    return {(c['api'], c['version']) for x in a['clients'] if not x['interBroker'] and (x['clientId'] or '').endswith(ids)
            for c in x['calls'] if c['verdict'] == 'refused'}

def of_39(path):
    log = os.path.splitext(path)[0] + '.requests.jsonl'
    want, seen = set(), set()   # the log writes null as ""
    for line in open(log, encoding='utf-8'):
        r = json.loads(line)
        seen.add(r['clientId'])
        if r['version'] <= REMOVED.get(r['apiName'], -1) and not r.get('replica'):
            want.add(r['clientId'])
    a = audit(path, '4.0')
    problems = []
    brokers = {x['clientId'] or '' for x in a['clients'] if x['interBroker']}
    ours = {x['clientId'] or '' for x in a['clients'] if x['verdict'] == 'refused' and not x['interBroker']}
    for client in sorted(map(str, (want - brokers) - ours)):
        problems.append(f'client "{client}" sends what 4.0 refuses, and audit has it as served')
    for client in sorted(map(str, (ours & seen) - want)):
        problems.append(f'client "{client}" sends nothing that 4.0 refuses, and audit has it as refused')
    for client in sorted(map(str, seen - {x['clientId'] or '' for x in a['clients']})):
        problems.append(f'client "{client}" is in the log and not in the audit')
    return problems

def of_4(path, target):
    answered, asked = set(), set()
    for line in kparse('frames', '--format', 'ndjson', path).splitlines():
        f = json.loads(line)
        key = f.get('api'), f.get('version')
        if f['kind'] == 'request':
            asked.add(key)
        elif f['kind'] == 'response' and f.get('requestPacket'):
            answered.add(key)
    a = audit(path, target)
    problems = []
    verdicts = {}
    for x in a['clients']:
        for c in x['calls']:
            verdicts.setdefault((c['api'], c['version']), set()).add(c['verdict'])
    for key, said in sorted(verdicts.items(), key=str):
        if key in answered and key[0] != 'ApiVersions' and 'refused' in said:
            problems.append(f'{key[0]} v{key[1]} is refused by audit, and the {target} broker answered it')
    return problems

def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = sys.argv[2]
    manifest = os.path.join(folder, 'manifest.json')
    if not os.path.exists(manifest):
        print(f'{manifest} is not there')
        sys.exit(77)
    entries = {e['name']: e for e in json.load(open(manifest))}
    path = lambda name: os.path.join(folder, entries[name]['file'])
    jobs = []
    for e in entries.values():
        p = os.path.join(folder, e['file'])
        target = re.search(r'Kafka (4\.\d)', e['broker'])
        if re.match(r'Apache Kafka 3\.9', e['broker']) and os.path.exists(os.path.splitext(p)[0] + '.requests.jsonl'):
            jobs.append((e['name'], of_39, (p,)))
        elif target:
            jobs.append((e['name'], of_4, (p, target.group(1))))
    checked = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for (name, _, _), future in zip(jobs, [pool.submit(f, *args) for _, f, args in jobs]):
            checked += 1
            try:
                problems = future.result()
            except (RuntimeError, ValueError, OSError) as error:
                problems = [str(error)]
            wrong += bool(problems)
            for p in problems:
                print(f'{name}: {p}')
    for old, ids, will_be, new, was in PAIRS:
        checked += 1
        problems = []
        with_39, with_4 = refused_calls(audit(path(old), '4.3'), ids), refused_calls(audit(path(new), '4.3'))
        if with_4 != was:
            problems.append(f'{new}: refused {sorted(with_4)}, the broker refused {sorted(was)}')
        if with_39 != will_be:
            problems.append(f'{old}: refused {sorted(with_39)}, not {sorted(will_be)}')
        wrong += bool(problems)
        for p in problems:
            print(p)
    print(f'{checked} checked, {wrong} wrong')
    sys.exit(1 if wrong else 0)

if __name__ == '__main__':
    main()
