# SPDX-License-Identifier: GPL-2.0-or-later
"""One frame of the dump against one of Wireshark: every difference is a line of text."""
import expect
import payloads
import records
import values


def short(value):
    text = repr(value)
    return text if len(text) <= 90 else text[:86] + '...' + text[-1]


class Frame:
    """A frame of Wireshark's tree: its items by name, and those of the body in order."""

    def __init__(self, node, packet):
        self.node, self.packet = node, packet
        self.by_name = {}
        for item in node.walk():
            self.by_name.setdefault(item.name, []).append(item)

    def first(self, name):
        found = self.by_name.get(name)
        return found[0] if found else None

    def number(self, name):
        item = self.first(name)
        return None if item is None else values.integer(item.show)

    @property
    def kind(self):
        for name, kind in (('kparse.request', 'request'), ('kparse.response', 'response'), ('kparse.lost', 'gap'),
                           ('kparse.skipped', 'skipped'), ('kparse.length', 'sasl')):
            if name in self.by_name:
                return kind
        return 'other'

    @property
    def key(self):
        return (self.kind, self.number('kparse.stream_offset'), self.number('kparse.length'),
                self.number('kparse.correlation_id'))


def key_of(line):
    """Of a line of the dump: as Frame.key."""
    if line['kind'] == 'gap':
        return ('gap', None, None, None)
    return (line['kind'], line['offset'], line['size'], line.get('correlationId'))


def has_error(value):
    """Of a frame, or of a batch in it."""
    if isinstance(value, dict):
        return 'error' in value or any(has_error(v) for v in value.values())
    return isinstance(value, list) and any(has_error(v) for v in value if isinstance(v, (dict, list)))


class Comparison:
    """`values` counts what was compared; `problems` are those of the last frame."""

    def __init__(self, kparse, secrets=False):
        self.kparse, self.secrets = kparse, secrets
        self.values, self.problems, self.broken = 0, [], False

    def wrong(self, what):
        self.problems.append(what)

    def check(self, name, ours, theirs):
        self.values += 1
        if ours != theirs:
            self.wrong(f'{name}: tree {short(ours)}, dump {short(theirs)}')

    def frame(self, line, frame, request_packet):
        """`request_packet`: where the request of a response is shown (None: don't know)."""
        self.problems, self.broken = [], 'error' in line
        self.check('kparse.length', frame.number('kparse.length'), line['size'])
        self.check('kparse.stream_offset', frame.number('kparse.stream_offset'), line['offset'])
        if line['kind'] == 'sasl':
            self.sasl(line, frame)
        else:
            self.header(line, frame)
            self.links(line, frame, request_packet)
            self.body(line, frame)
        if line.get('error') and '_ws.expert' not in frame.by_name:
            self.wrong(f'no expert item, dump has the error {line["error"]["code"]}')
        if '_ws.malformed' in frame.by_name and not has_error(line):
            said = [i.label for i in frame.by_name.get('_ws.expert', [])]
            self.wrong(f'called malformed, the dump has no error: {short(said)}')
        if line.get('error', {}).get('code') in ('lost', 'cut') and 'kparse.malformed' in frame.by_name:
            self.wrong('called malformed, but only bytes of it are missing')
        return self.problems

    def header(self, line, frame):
        matched = line['kind'] == 'request' or line.get('api') is not None or line.get('requestPacket') is not None
        for name, member, known in (('kparse.api_key', 'apiKey', matched), ('kparse.correlation_id', 'correlationId', True)):
            if known and line.get(member) is not None:
                self.check(name, frame.number(name), line[member])
        if matched and line.get('api') is not None:
            item = frame.first('kparse.api')
            self.check('kparse.api', item and item.show, line['api'])
        if line['kind'] == 'request':
            if line.get('version') is not None:
                self.check('kparse.version', frame.number('kparse.version'), line['version'])
            if 'clientId' in line:
                self.client_id(line['clientId'], frame)

    def client_id(self, expected, frame):
        item = frame.first('kparse.client_id')
        self.values += 1
        if item is None:
            if expected is not None:
                self.wrong(f'kparse.client_id: missing, dump {short(expected)}')
        elif not values.same(item, 'string', expected):
            self.wrong(f'kparse.client_id: tree {short(item.show)} ({item.label}), dump {short(expected)}')

    def links(self, line, frame, request_packet):
        if line['kind'] != 'response':
            return
        item = frame.first('kparse.response_time')
        self.check('kparse.response_time', item and values.seconds(item.show), line.get('latencyNs'))
        if request_packet is not None or 'requestPacket' not in line:
            self.check('kparse.request_in', frame.number('kparse.request_in'), request_packet)

    def sasl(self, line, frame):
        item = frame.first('kparse.sasl_token')
        self.values += 1
        if item is None:
            self.wrong('kparse.sasl_token: missing')
        elif not self.secrets and line['size'] and not values.is_redacted(item):
            self.wrong(f'kparse.sasl_token: not redacted: {item.label}')

    def body(self, line, frame):
        body = line.get('body')
        api, kind = line.get('api'), line['kind'].capitalize()
        if body is None or api is None:
            if body is None and line.get('error', {}).get('code') not in ('lost', 'cut') and line['size'] > 20:
                self.no_body(line, frame, f'kparse.{api}{kind}.')
            return
        self.message(f'{api}{kind}', line['version'], body, frame)

    def no_body(self, line, frame, prefix):
        for name in frame.by_name:
            if name.startswith(prefix):
                self.wrong(f'{name}: the dump has no body')
                return

    def message(self, name, version, body, frame):
        expected = expect.Body(self.kparse, name, version).read(body)
        items, sets = self.items_of(frame, f'kparse.{name}.')
        self.align(expected, items)
        codes = [values.integer(i.show) for i in frame.by_name.get('kparse.error_code', [])]
        if name.endswith('Response'):
            self.check('kparse.error_code', sorted(codes), sorted(expected.errors))
        missing, looked_at = payloads.compare(body, frame)
        self.problems += missing
        self.values += looked_at
        wanted = [i for i in expected.items if i.kind == 'records']
        if len(sets) == len(wanted):
            for item, found in zip(wanted, sets):
                self.problems += records.compare(item.value, found, item.path)
                self.values += found.values
        else:
            self.check('records fields', len(sets), len(wanted))

    def items_of(self, frame, prefix):
        """The body's items, and what stands below each records item."""
        items = [node for node in frame.node.walk() if node.name.startswith(prefix)]
        return items, [records.Found(node) for node in items if self.is_records(node)]

    @staticmethod
    def is_records(node):
        return node.name.rsplit('.', 1)[-1].lower() in ('records', 'unalignedrecords', 'recordset')

    def align(self, expected, items):
        """Both in the order of the bytes. A tagged field at its default isn't in the dump, but may be on the wire."""
        wanted, i, j, skipped = expected.items, 0, 0, 0
        while i < len(wanted) or j < len(items):
            want = wanted[i] if i < len(wanted) else None
            have = items[j] if j < len(items) else None
            if want and have and want.path == have.name and (self.same(have, want) or self.cut(have, want)):
                self.values += 1
                i, j = i + 1, j + 1
            elif have and have.name in expected.tagged and self.at_default(expected, have):
                j += 1
            elif want and want.kind == 'struct' and (not have or want.path != have.name):
                i += 1  # a struct that is there needs no item of its own
            elif want and want.kind == 'null array' and (not have or want.path != have.name):
                i += 1
            else:
                skipped += 1
                if skipped > 20:
                    self.wrong(f'{len(wanted) - i} more expected, {len(items) - j} more in the tree')
                    return
                i, j = self.mismatch(wanted, items, i, j)

    def cut(self, have, want):
        """An array that the frame holds only in part: the tree has the count that the bytes have."""
        return self.broken and want.kind == 'count' and (values.integer(have.show) or 0) > (want.value or 0)

    def same(self, have, want):
        if want.kind == 'null array':
            return values.is_null(have)
        if want.kind == 'records':
            size = None if want.value is None else want.value['sizeInBytes']
            return values.same(have, 'records', size)
        return values.same(have, want.kind, want.value)

    def at_default(self, expected, have):
        default = expect.default_of(self.kparse, expected.message, have.name)
        if default is None or default == []:
            return have.show in ('', '0', '-1', None)
        return values.same(have, 'string' if isinstance(default, str) else 'float64', default)

    def mismatch(self, wanted, items, i, j):
        want = wanted[i] if i < len(wanted) else None
        have = items[j] if j < len(items) else None
        if want and have and want.path == have.name:
            self.wrong(f'{want.path}: tree {short(have.show)} ({short(have.label)}), dump {short(want.value)} ({want.kind})')
            return i + 1, j + 1
        later = next((n for n in range(j, min(j + 40, len(items))) if want and items[n].name == want.path), None)
        sooner = next((n for n in range(i, min(i + 40, len(wanted))) if have and wanted[n].path == have.name), None)
        if have and (sooner is None or (later is not None and later - j < sooner - i)):
            self.wrong(f'{have.name}: in the tree ({short(have.show)}), not in the dump here')
            return i, j + 1
        self.wrong(f'{want.path}: not in the tree here, dump {short(want.value)} ({want.kind})')
        return i + 1, j
