// SPDX-License-Identifier: MIT

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/** Snappy framed and raw, by snappy-java. */
final class Xerial {
  static void read(Path folder, Tally tally) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.snappy")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        byte[] packed = Files.readAllBytes(file), plain = Files.readAllBytes(folder.resolve(name.replace(".snappy", ".plain")));
        byte[] read;
        try {
          read = name.endsWith("-raw.snappy") ? Snappy.uncompress(packed)
                                              : new SnappyInputStream(new ByteArrayInputStream(packed)).readAllBytes();
        } catch (IOException e) {
          tally.expect(false, name + ": " + e);
          continue;
        }
        tally.expect(Arrays.equals(read, plain), name);
      }
    }
  }

  static void write(Path folder) throws IOException {
    byte[] noise = new byte[70_000];
    new Random(7).nextBytes(noise);
    byte[][] contents = {{}, "hello".getBytes(StandardCharsets.UTF_8), noise, "line of text\n".repeat(20_000).getBytes(StandardCharsets.UTF_8)};
    for (int i = 0; i < contents.length; ++i) {
      for (int block : new int[] {1024, 32 << 10, 1 << 20}) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SnappyOutputStream snappy = new SnappyOutputStream(out, block)) {
          snappy.write(contents[i]);
        }
        save(folder, i + "-" + block, out.toByteArray(), contents[i]);
      }
      save(folder, i + "-raw", Snappy.compress(contents[i]), contents[i]);
    }
    // A flush ends a block early; streams may stand one behind the other.
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < 2; ++i) {
      SnappyOutputStream snappy = new SnappyOutputStream(out);
      snappy.write(contents[1]);
      snappy.flush();
      snappy.write(noise);
      snappy.close();
    }
    byte[] plain = new byte[2 * (5 + noise.length)];
    for (int i = 0; i < 2; ++i) {
      System.arraycopy(contents[1], 0, plain, i * (5 + noise.length), 5);
      System.arraycopy(noise, 0, plain, i * (5 + noise.length) + 5, noise.length);
    }
    save(folder, "flushed-twice", out.toByteArray(), plain);
  }

  private static void save(Path folder, String name, byte[] packed, byte[] plain) throws IOException {
    Files.write(folder.resolve(name + ".snappy"), packed);
    Files.write(folder.resolve(name + ".plain"), plain);
  }
}
