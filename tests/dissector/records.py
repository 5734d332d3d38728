# SPDX-License-Identifier: GPL-2.0-or-later
"""Batches and records of the dump against those of Wireshark's tree."""
import values

# Member of the dump: field of the tree, kind.
BATCH = {
    'baseOffset': 'int64', 'batchLength': 'int32', 'partitionLeaderEpoch': 'int32', 'magic': 'int8', 'crc': 'uint32',
    'transactional': 'bool', 'control': 'bool', 'lastOffsetDelta': 'int32', 'baseTimestamp': 'int64', 'maxTimestamp': 'int64',
    'producerId': 'int64', 'producerEpoch': 'int16', 'baseSequence': 'int32', 'count': 'int32'}
CODECS = {'none': 0, 'gzip': 1, 'snappy': 2, 'lz4': 3, 'zstd': 4}
TYPES = {'NoTimestampType': -1, 'CreateTime': 0, 'LogAppendTime': 1}


class Found:
    """What the tree has below a records item: batches, each a dict name -> items, with the same for its records."""

    def __init__(self, node):
        self.batches, self.partial, self.values = [], {}, 0
        self.gather(node, None, None)

    def gather(self, node, batch, record):
        names = {child.name for child in node.children}
        if 'kparse.batch.baseOffset' in names:
            self.batches.append(({}, []))
            batch, record = self.batches[-1], None
        if 'kparse.record.offset' in names and batch is not None:
            record = {}
            batch[1].append(record)
        for child in node.children:
            if child.name.startswith('kparse.batch.partial'):
                self.partial[child.name] = child
            elif child.name.startswith('kparse.batch.') and batch is not None:
                batch[0].setdefault(child.name, []).append(child)
            elif child.name.startswith('kparse.record.') and record is not None:
                record.setdefault(child.name, []).append(child)
            if child.children:
                self.gather(child, batch, record)


def compare(expected, found, path):
    """Lines that say what differs. `expected`: {"sizeInBytes","batches",...}, None for null."""
    problems = []
    if expected is None:
        return [f'{path}: batches in a null field'] if found.batches else []
    batches = expected.get('batches', [])
    if len(batches) != len(found.batches):
        problems.append(f'{path}: {len(found.batches)} batches in the tree, dump {len(batches)}')
    for n, (want, (fields, rows)) in enumerate(zip(batches, found.batches)):
        batch(want, fields, rows, f'{path}: batch {n}', problems, found)
    partial = expected.get('partial')
    have = found.partial.get('kparse.batch.partial')
    if (partial is None) != (have is None):
        problems.append(f'{path}: partial: tree {have}, dump {partial}')
    elif partial is not None:
        one(found.partial, 'kparse.batch.partial', 'uint32', partial['bytes'], path, problems, found)
        if partial.get('need'):
            one(found.partial, 'kparse.batch.partial.need', 'int64', partial['need'], path, problems, found)
    return problems


def one(fields, name, kind, value, where, problems, found):
    found.values += 1
    nodes = fields.get(name)
    node = nodes[0] if isinstance(nodes, list) else nodes
    if node is None:
        problems.append(f'{where}: {name} is missing, dump {value!r:.90}')
    elif not values.same(node, kind, value):
        problems.append(f'{where}: {name}: tree {node.show!r:.90} ({node.label!r:.90}), dump {value!r:.90}')


def batch(want, fields, rows, where, problems, found):
    old = want.get('magic', 2) < 2  # the dump has their time with the record
    for member, kind in BATCH.items():
        if member == 'magic' and 'error' in want and not want[member] and f'kparse.batch.{member}' not in fields:
            continue  # it wasn't read at all
        if member in want and want[member] is not None:
            one(fields, f'kparse.batch.{member}', kind, want[member], where, problems, found)
        elif f'kparse.batch.{member}' in fields and not (member == 'control' or 'error' in want or old and member == 'baseTimestamp'):
            problems.append(f'{where}: kparse.batch.{member} is in the tree ({fields[f"kparse.batch.{member}"][0].show}), not in the dump')
    if want.get('codec') is not None and want.get('error', {}).get('code') != 'unknownCodec':
        one(fields, 'kparse.batch.codec', 'uint8', CODECS.get(want['codec'], want['codec']), where, problems, found)
    if want.get('timestampType') is not None:
        one(fields, 'kparse.batch.timestampType', 'int8', TYPES.get(want['timestampType'], want['timestampType']), where, problems, found)
    if want.get('crcValid') is not None:
        one(fields, 'kparse.batch.crcValid', 'bool', want['crcValid'], where, problems, found)
    if want.get('deleteHorizon') is not None:
        one(fields, 'kparse.batch.deleteHorizon', 'int64', want['deleteHorizon'], where, problems, found)
    records = want.get('records', [])
    if len(records) != len(rows):
        problems.append(f'{where}: {len(rows)} records in the tree, dump {len(records)}')
    for n, (record, row) in enumerate(zip(records, rows)):
        compare_record(record, row, f'{where}, record {n}', problems, found)


def compare_record(want, row, where, problems, found):
    one(row, 'kparse.record.offset', 'int64', want['offset'], where, problems, found)
    if want.get('timestamp') is not None and (want['timestamp'] != -1 or 'kparse.record.timestamp' in row):
        one(row, 'kparse.record.timestamp', 'int64', want['timestamp'], where, problems, found)
    if want.get('sequence', -1) not in (-1, None) or 'kparse.record.sequence' in row:
        one(row, 'kparse.record.sequence', 'int32', want.get('sequence'), where, problems, found)
    for member in ('key', 'value'):
        if member in want:
            one(row, f'kparse.record.{member}', 'bytes', want[member], where, problems, found)
    if want.get('control'):
        one(row, 'kparse.record.control', 'string', want['control'], where, problems, found)
    headers(want.get('headers', []), row, where, problems, found)


def headers(want, row, where, problems, found):
    names, contents = row.get('kparse.record.header.name', []), row.get('kparse.record.header.value', [])
    pairs = row.get('kparse.record.header', [])
    if not len(names) == len(contents) == len(pairs) == len(want):
        problems.append(f'{where}: {len(pairs)} headers, {len(names)} names, {len(contents)} values in the tree, dump {len(want)}')
    for n, (name, value) in enumerate(want[:min(len(names), len(contents), len(pairs))]):
        one({'n': names[n]}, 'n', 'string', name, f'{where}, header {n} name', problems, found)
        one({'n': contents[n]}, 'n', 'bytes', value, f'{where}, header {n} value', problems, found)
        found.values += 1
        if not values.same_text((pairs[n].show or '')[:len(name) + 1], name + ':') and name:
            problems.append(f'{where}, header {n}: pair {pairs[n].show!r:.90}, name {name!r:.90}')
