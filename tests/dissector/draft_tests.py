# SPDX-License-Identifier: GPL-2.0-or-later
"""Messages of KIP-82's drafts: shown by preference only, with the integer keys' names."""
import os
import subprocess
import json

OLD = ['1 (client.id): cli-7', '260 (new.relic): nr', '-5 (app.name): shop']
NEW = ['1 (client.id): cli-7', '1114000 (app.name): shop', '2100001 (new.relic): nr']
MAP = ['client.id: cli-7', 'app: shop 1']
PROFILES = {'kip82-varint': OLD, 'kip82-int32': NEW, 'kip82-compact': OLD, 'kip82-compact-literal': OLD, 'kip82-map': MAP,
            'kip82-map-always': MAP}


def capture(c, profile):
    return os.path.join(c.source, 'samples', 'captures', 'drafts', f'{profile}.pcap')


def dumped(c, profile):
    """By kparse dump: what the messages of the Produce request hold."""
    done = subprocess.run([c.kparse, 'dump', '--format', 'ndjson', '--draft-headers', profile, '--api', 'Produce', capture(c, profile)],
                          capture_output=True, text=True, check=True)
    body = json.loads(done.stdout.splitlines()[0])['body']
    return [b for t in body['topicData'] for p in t['partitionData'] for b in p['records']['batches']]


def test_drafts(c):
    for profile, headers in PROFILES.items():
        path, option = capture(c, profile), ('-o', f'kparse.draft_headers:{profile}')
        batches = dumped(c, profile)
        sets = len(batches) // 3  # of three messages each, the third without headers
        row = c.fields(path, 'kparse.record.header', 'kparse.record.value.text', 'kparse.batch.draft', 'kparse.batch.draftIntegers',
                       'kparse.batch.crcValid', 'kparse.record.offset', filter='kparse.api == "Produce" && kparse.request', options=option)
        assert len(row) == 1, f'{profile}: {row}'
        shown, values, drafts, integers, crcs, offsets = (column.split(',') for column in row[0])
        assert shown == headers * 2 * sets, f'{profile}: {shown}'
        assert row[0][1].count('placed') == sets, f'{profile}: {values}'
        assert set(drafts) == {profile} and len(drafts) == len(batches), f'{profile}: {drafts}'
        assert integers == [b['draftIntegers'] for b in batches], f'{profile}: {integers}'
        assert len(crcs) == len(batches) and set(crcs) <= {'1', 'True'}, f'{profile}: {crcs}'
        assert offsets == [str(b['records'][0]['offset']) for b in batches], f'{profile}: {offsets}'
        keys = c.fields(path, 'kparse.record.header.key', 'kparse.record.header.registered', options=option,
                        filter='kparse.record.header.value == "nr"')
        assert ('260' in keys[0][0] or '2100001' in keys[0][0]) == (headers is not MAP) if keys else headers is MAP, f'{profile}: {keys}'
        assert c.count(path, 'kparse.batch.draft') == 0, f'{profile}: read without being asked for'
        assert c.count(path, 'kafka.unknown_message_magic') == 2, f'{profile}: nothing says that the messages are not read'


def test_draft_names(c):
    names = c.scratch('names')
    with open(names, 'w') as f:
        f.write('key 260 our.gateway  ours\n')
    rows = c.fields(capture(c, 'kip82-varint'), 'kparse.record.header.registered', filter='kparse.record.header.key == 260',
                    options=('-o', 'kparse.draft_headers:kip82-varint', '-o', f'kparse.header_register:{c.shark.readable(names)}'))
    assert rows and all('our.gateway' in r[0] and 'new.relic' not in r[0] for r in rows), rows
