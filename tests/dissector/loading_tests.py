# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin is loaded, and what it registers is there."""
import os
import re


def test_loads(c):
    done = c.shark.run('-G', 'plugins')
    c.check_run(done)
    assert 'kparse.so' in done.stdout, done.stdout
    protocols = c.shark.run('-G', 'protocols')
    c.check_run(protocols)
    assert '\tkparse' in protocols.stdout
    assert '\tkafka' in protocols.stdout, "Wireshark's own must stay"


def test_fields_are_registered(c):
    done = c.shark.run('-G', 'fields')
    c.check_run(done)
    names = {}
    for line in done.stdout.splitlines():
        parts = line.split('\t')
        if parts[0] == 'F':
            names.setdefault(parts[2], set()).add(parts[3])
    for name, kind in (('kparse.api_key', 'FT_INT16'), ('kparse.FetchRequest.topics.partitions.fetchOffset', 'FT_INT64'),
                       ('kparse.record.header', 'FT_STRING'), ('kparse.batch.crcValid', 'FT_BOOLEAN'), ('kafka.header', 'FT_STRING'),
                       ('kparse.response_time', 'FT_RELATIVE_TIME'), ('kparse.ShareAcknowledgeResponse.errorCode', 'FT_INT16')):
        assert names.get(name) == {kind}, f'{name}: {names.get(name)}'
    twice = [n for n, kinds in names.items() if n.startswith('kparse.') and len(kinds) > 1]
    assert not twice, twice
    assert sum(n.startswith('kparse.') for n in names) > 2000


def test_statistics_are_offered(c):
    done = c.shark.run('-z', 'help')
    for name in ('kparse,tree', 'kparse,srt', 'kparse,sum'):
        assert name in done.stdout + done.stderr, name
    assert 'kparse' in c.shark.run('--export-objects', 'help').stderr


def test_expert_list(c):
    """-z expert and Wireshark's window of expert items ask for no tree; a filter makes them have one."""
    def listed(path, tap, *options):
        done = c.shark.run('-n', '-q', '-z', tap, '-r', c.shark.readable(path), *options)
        c.check_run(done)
        return sorted(line for line in done.stdout.splitlines() if 'Kafka (kparse)' in line)

    found = 0
    for path in c.samples():
        for options in ((), ('-2', '-o', 'kparse.lint:TRUE')):
            without, with_tree = listed(path, 'expert', *options), listed(path, 'expert,frame', *options)
            assert without == with_tree, f'{path}: {set(without) ^ set(with_tree)}'
            found += len(without)
    assert found > 10, found


def test_preferences(c):
    done = c.shark.run('-G', 'currentprefs')
    c.check_run(done)
    found = set(re.findall(r'#?kparse\.([\w.]+):', done.stdout))
    for name in ('heuristic', 'give_way', 'verify_crc', 'max_uncompressed', 'show_secrets', 'max_records',
                 'draft_headers', 'header_register'):
        assert name in found, f'{name}: {sorted(found)}'


def test_nothing_is_said_of_other_traffic(c):
    """Without Kafka nothing of the plugin shows."""
    path = os.path.join(c.source, 'samples', 'captures', 'plaintext-to-tls-port.pcap')
    for name in ('kparse,tree', 'kparse,sum', 'kparse,srt'):
        done = c.shark.run('-n', '-q', '-r', c.shark.readable(path), '-z', f'{name},frame.number==0')
        c.check_run(done)
        assert done.returncode == 0, f'{name}: {done.stderr}'
