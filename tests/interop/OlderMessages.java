// SPDX-License-Identifier: MIT

import java.nio.file.Path;

/** The versions of messages that newer jars of Kafka lack. */
public final class OlderMessages {
  public static void main(String[] args) throws Exception {
    Path ours = Path.of(args[0]), theirs = Path.of(args[1]);
    Tally tally = new Tally();
    String messages = Messages.readAndWrite(ours.resolve("messages.ndjson"), theirs.resolve("messages-older.ndjson"),
        Messages.versionsOf(theirs.resolve("messages.ndjson")), tally);
    System.out.printf("ours, read by older classes: %s%n%d checked, %d wrong%n", messages, tally.checked, tally.wrong);
    System.exit(tally.wrong == 0 && tally.checked > 0 ? 0 : 1);
  }
}
