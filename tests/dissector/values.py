# SPDX-License-Identifier: GPL-2.0-or-later
"""Is an item of Wireshark's tree what the dump says? Items are pdml.Node, expectations expect.Item."""
import calendar
import re
import time

from expect import REDACTED

REPLACEMENT = re.compile('\ufffd+')
CONTROL = re.compile(r'[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]')
INTEGERS = {'int8', 'int16', 'int32', 'int64', 'uint16', 'uint32', 'records'}


def shown_text(text):
    """A string as PDML shows it: control characters escaped. Wireshark's strings end at a NUL: a picture of it is shown.
    How many U+FFFD stand for bad bytes is a matter of taste."""
    text = CONTROL.sub(lambda m: f'\\x{ord(m[0]):x}', text.replace('\0', '\u2400'))
    return REPLACEMENT.sub('\ufffd', text)


def same_text(show, text):
    return show == text or REPLACEMENT.sub('\ufffd', show) == shown_text(text)


def integer(show):
    if show in ('True', 'true'):
        return 1
    if show in ('False', 'false'):
        return 0
    try:
        return int(show, 0)
    except (TypeError, ValueError):
        return None


def hexadecimal(node):
    """The value of an item; its bytes in the packet may have a length before it."""
    return (node.show or '').replace(':', '').lower()


def is_null(node):
    return 'null' in (node.label or '').lower() and node.show in ('', '-1', '0', None)


def is_redacted(node):
    return REDACTED in (node.label or '') + (node.show or '') and not node.value


def same(node, kind, value):
    """Does the item show this value of this kind?"""
    if kind == 'struct':
        return value is not None or is_null(node)
    if value is None:
        return is_null(node)
    if value == REDACTED and kind in ('bytes', 'string'):
        return is_redacted(node)
    if kind == 'count' or kind in INTEGERS:
        return integer(node.show) == value
    if kind == 'bool':
        return integer(node.show) == int(value)
    if kind == 'float64':
        return same_real(node.show, value)
    if kind == 'bytes':
        return hexadecimal(node) == value
    return same_text(node.show or '', str(value))


def same_real(show, value):
    try:
        a, b = float(show.replace('inf', 'Infinity')) if 'Inf' not in show else float(show), float(value)
    except (ValueError, AttributeError):
        return False
    return a == b or (a != a and b != b) or abs(a - b) <= 1e-13 * max(abs(a), abs(b))


MONTHS = {m: n for n, m in enumerate('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(), 1)}
OLD_TIME = re.compile(r'(\w{3}) +(\d+), (\d+) (\d+):(\d+):(\d+)\.(\d{9}) UTC')
NEW_TIME = re.compile(r'(\d+)-(\d+)-(\d+)[T ](\d+):(\d+):(\d+)\.(\d+)Z')


def milliseconds(show):
    """An absolute time of PDML as ms since 1970, None if it can't be read."""
    if m := OLD_TIME.search(show or ''):
        parts = (int(m[3]), MONTHS[m[1]], int(m[2]), int(m[4]), int(m[5]), int(m[6]))
    elif m := NEW_TIME.search(show or ''):
        parts = tuple(int(m[n]) for n in range(1, 7))
    else:
        return None
    return calendar.timegm(time.struct_time((*parts, 0, 0, 0))) * 1000 + int(m[7].ljust(9, '0')[:9]) // 1000000


def seconds(show):
    """A relative time of PDML in nanoseconds."""
    if not show:
        return None
    negative = show.startswith('-')
    whole, _, fraction = show.lstrip('-').partition('.')
    ns = int(whole) * 10**9 + int(fraction.ljust(9, '0')[:9] or 0)
    return -ns if negative else ns
