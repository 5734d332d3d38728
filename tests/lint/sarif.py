#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sarif.py KPARSE FOLDER: kparse lint --format sarif on each capture of FOLDER keeps the rules of the SARIF 2.1.0 schema that
concern what it writes (required members, enumerations, indexes, URIs), and says the same as ndjson. Exit 1 if not."""
import json, os, re, subprocess, sys

LEVELS = {'error': 'error', 'warning': 'warning', 'notice': 'note', 'info': 'none'}
MEMBERS = {
    'log': {'$schema', 'version', 'runs'}, 'run': {'tool', 'artifacts', 'results', 'invocations', 'columnKind'},
    'driver': {'name', 'version', 'semanticVersion', 'rules'},
    'rule': {'id', 'shortDescription', 'fullDescription', 'help', 'defaultConfiguration', 'properties'},
    'result': {'ruleId', 'ruleIndex', 'kind', 'level', 'message', 'locations', 'relatedLocations', 'occurrenceCount',
               'partialFingerprints', 'properties'},
    'location': {'physicalLocation', 'logicalLocations'}, 'logical': {'name', 'fullyQualifiedName', 'kind'},
}

def check(doc, findings):
    problems = []
    def need(condition, text):
        if not condition:
            problems.append(text)
    def only(value, kind):
        extra = set(value) - MEMBERS[kind]
        need(not extra, f'{kind} has {extra}')
    only(doc, 'log')
    need(doc.get('version') == '2.1.0', 'version')
    need(len(doc['runs']) == 1, 'runs')
    run = doc['runs'][0]
    only(run, 'run')
    only(run['tool']['driver'], 'driver')
    need(run['columnKind'] in ('utf16CodeUnits', 'unicodeCodePoints'), 'columnKind')
    rules = run['tool']['driver']['rules']
    need(len({r['id'] for r in rules}) == len(rules), 'rules are unique')
    for r in rules:
        only(r, 'rule')
        need(r['defaultConfiguration']['level'] in LEVELS.values(), f'level of {r["id"]}')
        for text in 'shortDescription', 'fullDescription', 'help':
            need(isinstance(r[text]['text'], str) and r[text]['text'], f'{text} of {r["id"]}')
    for a in run['artifacts']:
        need(re.fullmatch(r'(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+', a['location']['uri']), f'uri {a}')
    need(len(run['results']) == len(findings), f'{len(run["results"])} results, {len(findings)} findings')
    for result, finding in zip(run['results'], findings):
        only(result, 'result')
        where = f'{result["ruleId"]} in packet {finding["packet"]}'
        need(rules[result['ruleIndex']]['id'] == result['ruleId'] == finding['rule'], f'{where}: ruleIndex')
        need(result['level'] == LEVELS[finding['severity']], f'{where}: level')
        need(result['kind'] == ('informational' if finding['severity'] == 'info' else 'fail'), f'{where}: kind')
        need(result['kind'] == 'fail' or result['level'] == 'none', f'{where}: only what fails has a level')
        need(result['message']['text'] == finding['message'], f'{where}: message')
        need(result['occurrenceCount'] == finding['count'] >= 1, f'{where}: occurrenceCount')
        places = result['locations'] + result.get('relatedLocations', [])
        need([p['logicalLocations'][0]['name'] for p in places] == [f'packet {p["packet"]}' for p in finding['packets']],
             f'{where}: places')
        for p in places:
            only(p, 'location')
            only(p['logicalLocations'][0], 'logical')
            artifact = p['physicalLocation']['artifactLocation']
            need(run['artifacts'][artifact['index']]['location']['uri'] == artifact['uri'], f'{where}: artifact')
        need(all(isinstance(v, str) for v in result['partialFingerprints'].values()), f'{where}: fingerprints')
    return problems

def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    kparse, folder = sys.argv[1:]
    files = sorted(f for f in os.listdir(folder) if '.pcap' in f)
    wrong = 0
    def lint(name, form):
        return subprocess.run([kparse, 'lint', '--no-config', '--format', form, os.path.join(folder, name)], capture_output=True,
                              check=True).stdout
    for name in files:
        findings = [json.loads(line) for line in lint(name, 'ndjson').splitlines()]
        problems = check(json.loads(lint(name, 'sarif')), findings)
        wrong += bool(problems)
        for p in problems:
            print(f'{name}: {p}')
    print(f'{len(files)} checked, {wrong} wrong')
    sys.exit(1 if wrong or not files else 0)

if __name__ == '__main__':
    main()
