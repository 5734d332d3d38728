// SPDX-License-Identifier: MIT

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** Record sets and their description: see records.cpp. */
final class Records {
  private static final long WHEN = 1475280000000L;

  static void read(Path folder, Tally tally) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.bin")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String expected = Files.readString(folder.resolve(name.replace(".bin", ".txt")));
        String read;
        try {
          read = describe(Files.readAllBytes(file));
        } catch (RuntimeException e) {
          read = "refused\n";
          if (!expected.equals(read)) tally.expect(false, name + ": " + e);
        }
        tally.expect(read.equals(expected) && !expected.isEmpty(), name + "\n  ours   " + cut(expected) + "\n  Kafka  " + cut(read));
      }
    }
  }

  private static String cut(String s) {
    return s.length() > 400 ? s.substring(0, 400) : s;
  }

  static String describe(byte[] set) {
    StringBuilder out = new StringBuilder();
    for (MutableRecordBatch b : MemoryRecords.readableRecords(ByteBuffer.wrap(set)).batches()) {
      b.ensureValid();
      StringBuilder records = new StringBuilder();
      for (Record r : b) {
        r.ensureValid();
        records.append("record ").append(r.offset()).append(' ').append(r.timestamp());
        records.append(' ').append(hex(r.key())).append(' ').append(hex(r.value()));
        for (Header h : r.headers())
          records.append(' ').append(HexFormat.of().formatHex(h.key().getBytes(StandardCharsets.UTF_8)))
              .append('=').append(h.value() == null ? "-" : HexFormat.of().formatHex(h.value()));
        records.append('\n');
      }
      out.append("batch ").append(b.magic()).append(' ').append(b.compressionType().name).append(' ').append(b.timestampType().name);
      for (long n : new long[] {b.baseOffset(), b.lastOffset(), b.maxTimestamp(), b.producerId(), b.producerEpoch(),
                                b.baseSequence(), b.partitionLeaderEpoch()})
        out.append(' ').append(n);
      out.append(' ').append(b.isTransactional() ? "t" : "").append(b.isControlBatch() ? "c" : "")
          .append(b.deleteHorizonMs().isPresent() ? "h" : "").append('\n').append(records);
    }
    return out.toString();
  }

  private static String hex(ByteBuffer b) {
    if (b == null) return "-";
    byte[] bytes = new byte[b.remaining()];
    b.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  static void write(Path folder) throws IOException {
    byte[] large = new byte[150_000];
    for (int i = 0; i < large.length; ++i) large[i] = (byte) ('a' + i * 7919 % 13);
    Header[] headers = {new RecordHeader("trace", bytes("1")), new RecordHeader("trace", new byte[0]),
                        new RecordHeader("", null), new RecordHeader("gr\u00f6\u00dfe", new byte[] {-1, 0})};
    for (byte magic = 0; magic <= 2; ++magic) {
      for (CompressionType type : CompressionType.values()) {
        if (magic < 2 && type == CompressionType.ZSTD) continue;
        for (TimestampType time : new TimestampType[] {TimestampType.CREATE_TIME, TimestampType.LOG_APPEND_TIME}) {
          if (magic == 0 && time == TimestampType.LOG_APPEND_TIME) continue;
          MemoryRecordsBuilder b = MemoryRecords.builder(ByteBuffer.allocate(1024), magic, Compression.of(type).build(),
              magic == 0 ? TimestampType.CREATE_TIME : time, 1000L, WHEN + 5000);
          Header[] h = magic == 2 ? headers : new Header[0];
          b.appendWithOffset(1000, WHEN, bytes("k"), large, h);
          b.appendWithOffset(1009, WHEN - 10, null, new byte[0], h);
          b.appendWithOffset(1010, WHEN + 20, new byte[0], null, Arrays.copyOf(h, h.length / 2));
          save(folder, "magic" + magic + "-" + type.name + "-" + time.name, b.build());
        }
      }
    }
    MemoryRecordsBuilder b = MemoryRecords.builder(ByteBuffer.allocate(1024), (byte) 2, Compression.of(CompressionType.ZSTD).build(),
        TimestampType.CREATE_TIME, 9L, WHEN, 9_000_000_000L, (short) 7, 2_147_483_646, true, 3);
    for (int i = 0; i < 1000; ++i) b.append(WHEN + i, null, bytes("value " + i));
    save(folder, "transaction", b.build());
    for (ControlRecordType type : new ControlRecordType[] {ControlRecordType.COMMIT, ControlRecordType.ABORT})
      save(folder, "marker-" + type, MemoryRecords.withEndTransactionMarker(12L, WHEN, 3, 9_000_000_000L, (short) 7,
          new EndTransactionMarker(type, 5)));
  }

  private static byte[] bytes(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static void save(Path folder, String name, MemoryRecords records) throws IOException {
    byte[] set = new byte[records.sizeInBytes()];
    records.buffer().duplicate().get(set);
    Files.write(folder.resolve(name + ".bin"), set);
    Files.writeString(folder.resolve(name + ".txt"), describe(set));
  }
}
