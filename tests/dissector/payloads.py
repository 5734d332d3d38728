# SPDX-License-Identifier: GPL-2.0-or-later
"""What the dump decodes inside bytes fields (NAME.decoded): each of its values must stand below the field's item."""
import base64
import binascii
import collections

import values

LEAVES = ('kparse.payload.value',)


def compare(body, frame):
    """(lines that say what is missing, number of values looked at)"""
    expected = []
    for name, payload in payloads(body):
        expected += leaves(payload, name)
    if not expected:
        return [], 0
    have = collections.Counter()
    for node in frame.node.walk():
        if any(child.name == 'kparse.payload' for child in node.children):
            gather(node, have)
    problems = []
    for name, value in expected:
        found = next((form for form in forms(value) if have[name, form] > 0), None)
        if found is None:
            problems.append(f'payload: {name}: {value!r:.80} is not in the tree')
        else:
            have[name, found] -= 1
    return problems, len(expected)


def payloads(value):
    """All NAME.decoded that are not inside another one."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.endswith('.decoded'):
                yield name[:-8], inner
            else:
                yield from payloads(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from payloads(inner)


def leaves(value, name):
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            if inner_name != 'records':
                yield from leaves(inner, inner_name.removesuffix('.decoded'))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    elif value is not None:
        yield name, value


def gather(node, have):
    for item in node.walk():
        if item is node:
            continue
        if item.name == 'kparse.payload.value':
            name, _, text = (item.show or '').partition(': ')
            have[name, text] += 1
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
