# SPDX-License-Identifier: GPL-2.0-or-later
"""Which dissector gets what: ports, heuristic, Decode As, the built-in; and what secrets are shown."""
import craft

NO_HEURISTIC = ('-o', 'kparse.heuristic:FALSE')


def protocols(c, path, *options):
    """The protocols of all packets with data, as a set of their last names."""
    rows = c.fields(path, 'frame.protocols', options=options, filter='tcp.len > 0')
    return {row[0].split(':')[-1] for row in rows}


def metadata(c, port):
    path = c.scratch(f'metadata-{port}.pcap')
    craft.metadata(path, port)
    return path


def test_port_9092(c):
    assert protocols(c, metadata(c, 9092), *NO_HEURISTIC) == {'kparse'}


def test_other_port_by_preference(c):
    path = metadata(c, 19092)
    assert protocols(c, path, *NO_HEURISTIC) == {'tcp'} or 'kparse' not in protocols(c, path, *NO_HEURISTIC)
    for ports in ('19092', '9092,19000-19100'):
        assert protocols(c, path, *NO_HEURISTIC, '-o', f'kparse.tcp.port:{ports}') == {'kparse'}, ports


def test_other_port_by_heuristic(c):
    assert protocols(c, metadata(c, 19092)) == {'kparse'}
    assert protocols(c, metadata(c, 443)) != {'tcp'}


def test_decode_as(c):
    path = metadata(c, 19092)
    assert protocols(c, path, *NO_HEURISTIC, '-d', 'tcp.port==19092,kparse') == {'kparse'}
    assert protocols(c, metadata(c, 9092), '-d', 'tcp.port==9092,kafka') == {'kafka'}


def test_give_way(c):
    path = metadata(c, 9092)
    assert protocols(c, path, '-o', 'kparse.give_way:TRUE') == {'kafka'}
    rows = c.fields(path, 'kafka.len', 'kparse.length', options=('-o', 'kparse.give_way:TRUE'), filter='tcp.len > 0')
    assert rows and all(row[0] and not (row + [''])[1] for row in rows), rows


def test_old_filters(c):
    path = metadata(c, 9092)
    for filter in ('kafka', 'kafka.api_key == 3', 'kparse', 'kparse.api == "Metadata"', 'kparse.topic == "orders"'):
        assert c.count(path, filter) == 6, f'{filter}: {c.count(path, filter)}'
    assert c.count(path, 'kafka.topic_name == "orders"') == 6
    assert c.count(path, 'kparse.request') == 3
    assert c.count(path, 'kparse.response && kparse.request_in') == 3


def test_not_kafka(c):
    """HTTP on Kafka's port is not taken for Kafka."""
    path = c.scratch('http.pcap')
    pcap = craft.Pcap(path, 9092)
    pcap.send(0, b'GET / HTTP/1.1\r\nHost: broker\r\n\r\n')
    pcap.send(1, b'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    pcap.close()
    assert c.count(path, 'kparse.request || kparse.response') == 0
    assert c.count(path, '_ws.malformed') == 0


def outputs(c, path, *options):
    """All that a user sees, but the bytes of the packets."""
    for arguments in (('-V',), ('-T', 'json'), ('-T', 'fields', '-e', 'kparse.sasl_token', '-e', 'kparse.payload.value',
                                                '-e', 'kparse.SaslAuthenticateRequest.authBytes', '-e', '_ws.col.Info')):
        done = c.shark.run('-n', '-r', c.shark.readable(path), *arguments, *options)
        c.check_run(done)
        # -V and JSON show TCP's payload as well; that is not ours.
        yield '\n'.join(l for l in done.stdout.splitlines() if 'tcp.payload' not in l and 'tcp.segment_data' not in l)


def test_secrets(c):
    path = c.scratch('sasl.pcap')
    craft.sasl(path)
    words = (craft.SECRET, craft.SECRET.encode().hex(), ':'.join(f'{b:02x}' for b in craft.SECRET.encode()))
    for capture in (path, path + '.raw'):
        for text in outputs(c, capture):
            assert not any(w in text for w in words), f'{capture}: {[l for l in text.splitlines() if any(w in l for w in words)]}'
        shown = ''.join(outputs(c, capture, '-o', 'kparse.show_secrets:TRUE'))
        assert any(w in shown for w in words), f'{capture}: not even with show_secrets'
