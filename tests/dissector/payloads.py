# SPDX-License-Identifier: GPL-2.0-or-later
"""What the dump decodes inside bytes fields (NAME.decoded): each of its values must stand below the field's item."""
import base64
import binascii
import collections

import values

# Of the request inside an Envelope.
HEADER = {'kparse.api_key': 'requestApiKey', 'kparse.version': 'requestApiVersion', 'kparse.correlation_id': 'correlationId',
          'kparse.client_id': 'clientId'}
UNSEEN = {'records', 'innerHeaderVersion', 'api'}  # compared elsewhere, or said by the other items


def compare(body, frame):
    """(lines that say what is missing, number of values looked at)"""
    expected = []
    for name, payload in payloads(body):
        expected += leaves(payload, name)
    if not expected:
        return [], 0
    have = collections.Counter()
    for node in frame.node.walk():
        if any(child.name in ('kparse.payload', 'kparse.payload.value') for child in node.children):
            gather(node, have)
    problems = []
    for names, value in expected:
        found = next(((n, form) for n in names for form in forms(value) if have[n, form] > 0), None)
        if found is None:
            problems.append(f'payload: {names[0]}: {value!r:.80} is not in the tree')
        else:
            have[found] -= 1
    return problems, len(expected)


def payloads(value):
    """All NAME.decoded that are not inside another one."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.endswith('.decoded'):
                yield name[:-8], inner
            elif name != 'records':
                yield from payloads(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from payloads(inner)


def leaves(value, *names):
    """(names that it may have in the tree, value) of each number, text and flag."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in UNSEEN:
                yield from leaves(inner, name.removesuffix('.decoded'))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from leaves(inner, names[0], f'[{n}]')
    elif value is not None:
        yield (*names, 'value'), value


def gather(node, have):
    for item in node.walk():
        if item is node:
            continue
        if item.name == 'kparse.payload.value':
            name, _, text = (item.show or '').partition(': ')
            have[name, text] += 1
        elif item.name in HEADER:
            have[HEADER[item.name], item.show or ''] += 1
        elif item.name.startswith('kparse.') and item.name[7:8].isupper():
            have[item.name.rsplit('.', 1)[-1], values.REPLACEMENT.sub('\ufffd', item.show or '')] += 1
            if '(redacted)' in (item.label or ''):
                have[item.name.rsplit('.', 1)[-1], '(redacted)'] += 1


def forms(value):
    """How a value of the JSON may stand in the tree."""
    if isinstance(value, bool):
        return ('1', 'True', 'true') if value else ('0', 'False', 'false')
    if isinstance(value, (int, float)):
        return (str(value), repr(value))
    out = [values.shown_text(value), value]
    try:
        data = base64.b64decode(value, validate=True)
        out += [data.hex(), ':'.join(f'{b:02x}' for b in data)]
    except (binascii.Error, ValueError):
        pass
    return tuple(out)
