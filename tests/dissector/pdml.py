# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark's trees, read from `tshark -T pdml`."""
import re

# The attributes stand in this order. Values may hold line ends, never quotes.
TAG = re.compile(r'<(?:/(field|proto)>|(?:field|proto) name="([^"]*)"(?: showname="([^"]*)")?(?: show="([^"]*)")?'
                 r'(?: hide="(yes)")?(?: size="([^"]*)")?(?: pos="[^"]*")?(?: show="([^"]*)")?(?: value="([^"]*)")?'
                 r'(?: unmaskedvalue="[^"]*")? ?(/?)>)')
NUMBER = re.compile(r'<field name="num" pos="0" show="(\d+)"')
TIME = re.compile(r'<field name="timestamp" pos="0" show="[^"]*" showname="[^"]*" value="(\d+)\.(\d+)"')
BUG = re.compile(r'\[(?:Malformed Packet|Dissector bug)[^"\]]*')  # another protocol's is its own business
ENTITIES = {'&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&apos;': "'"}
ENTITY = re.compile('|'.join(ENTITIES))


def plain(text):
    if text and '&' in text:
        return ENTITY.sub(lambda m: ENTITIES[m[0]], text)
    return text


class Node:
    """`show`: the value; `label`: what the tree shows; `value`: the bytes, hex; None where there is no such thing."""
    __slots__ = ('name', 'show', 'label', 'value', 'size', 'hidden', 'children')

    def __init__(self, name, show, label, value, size, hidden):
        self.name, self.show, self.label, self.value, self.size, self.hidden = name, show, label, value, size, hidden
        self.children = []

    def walk(self):
        """Itself and all below, from the top down."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, name):
        return [n for n in self.walk() if n.name == name]

    def __repr__(self):
        return f'<{self.name} {self.show!r} {self.label!r}>'


class Packet:
    __slots__ = ('number', 'time', 'frames', 'bugs')

    def __init__(self, number, time):
        self.number, self.time, self.frames, self.bugs = number, time, [], []


def tree(text, skip=()):
    """The items of a packet: the outermost ones, in order."""
    root = Node('', None, None, None, None, False)
    stack, top = [root], root
    for closing, name, label, text_show, hidden, size, show, value, empty in TAG.findall(text):
        if closing:
            stack.pop()
            top = stack[-1]
            continue
        if empty and name.startswith(skip):
            continue
        node = Node(name, plain(show if name else text_show), plain(label), value or None, int(size or 0), bool(hidden))
        top.children.append(node)
        if not empty:
            stack.append(node)
            top = node
    return root.children


def packets(stream, protocol='kparse', skip=('kafka.',)):
    """Reads PDML; a Packet each, `frames`: its items of `protocol`. Old names (kafka.*) are left out."""
    wanted, rest = f'<proto name="{protocol}"', ''
    while True:
        data = stream.read(1 << 20)
        rest += data.decode('utf-8', 'replace') if data else ''
        *whole, rest = rest.split('</packet>\n')
        for text in whole:
            yield packet(text, wanted, protocol, skip)
        if not data:
            return


def packet(text, wanted, protocol, skip):
    seconds, fraction = TIME.search(text).groups()
    made = Packet(int(NUMBER.search(text)[1]), int(seconds) * 10**9 + int(fraction.ljust(9, '0')))
    if wanted in text:
        top = tree(text[text.index(wanted):], skip)
        made.frames = [n for n in top if n.name == protocol]
    made.bugs = [bug for bug in BUG.findall(text) if 'Dissector bug' in bug or 'afka' in bug]
    return made
