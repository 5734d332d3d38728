// SPDX-License-Identifier: MIT

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Kafka's own classes on the other side: reads what kparse wrote, and writes what kparse is to read. */
public final class Interop {
  public static void main(String[] args) throws Exception {
    Path ours = Path.of(args[0]), theirs = Path.of(args[1]);
    Files.createDirectories(theirs.resolve("records"));
    Files.createDirectories(theirs.resolve("xerial"));
    Tally tally = new Tally();
    Records.read(ours.resolve("records"), tally);
    int records = tally.checked;
    Xerial.read(ours.resolve("xerial"), tally);
    int xerial = tally.checked - records;
    String messages = Messages.readAndWrite(ours.resolve("messages.ndjson"), theirs.resolve("messages.ndjson"), Set.of(), tally);
    Records.write(theirs.resolve("records"));
    Xerial.write(theirs.resolve("xerial"));
    System.out.printf(
        "ours, read by Kafka's classes: %d record sets, %d snappy streams, %s%n%d checked, %d wrong%n",
        records, xerial, messages, tally.checked, tally.wrong);
    System.exit(tally.wrong == 0 && records > 0 && xerial > 0 ? 0 : 1);
  }
}
