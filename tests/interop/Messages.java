// SPDX-License-Identifier: MIT

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;

/** Messages: what kparse encoded must be the bytes that Kafka makes of the same JSON, and read as the same object. */
final class Messages {
  private static final class Kind {
    Class<?> data;
    Method read;
    Method write;
  }

  private static final Map<String, Kind> KINDS = new HashMap<>();

  private static Kind kind(String name) throws ReflectiveOperationException {
    if (KINDS.containsKey(name)) return KINDS.get(name);
    Kind kind = null;
    for (String end : new String[] {"Data", ""}) {
      String type = "org.apache.kafka.common.message." + name + end;
      try {
        Class<?> data = Class.forName(type), json = Class.forName(type + "JsonConverter");
        kind = new Kind();
        kind.data = data;
        kind.read = json.getMethod("read", JsonNode.class, short.class);
        kind.write = json.getMethod("write", data, short.class);
        break;
      } catch (ClassNotFoundException e) {
        kind = null;
      }
    }
    KINDS.put(name, kind);
    return kind;
  }

  /** Those in `done` are passed over. */
  static String readAndWrite(Path ours, Path theirs, Set<String> done, Tally tally) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    Set<String> versions = new TreeSet<>(), absent = new TreeSet<>();
    int before = tally.checked;
    try (BufferedReader in = Files.newBufferedReader(ours); BufferedWriter out = Files.newBufferedWriter(theirs)) {
      for (String line; (line = in.readLine()) != null;) {
        JsonNode row = mapper.readTree(line);
        String name = row.get("message").asText(), hex = row.get("hex").asText();
        short version = (short) row.get("version").asInt();
        String id = name + " " + version;
        if (done.contains(id)) continue;
        Kind kind = kind(name);
        if (kind == null || !supported(kind, version)) {
          absent.add(id);
          continue;
        }
        versions.add(id);
        try {
          Message fromJson = (Message) kind.read.invoke(null, row.get("json"), version);
          String kafkas = hex(fromJson, version);
          Message fromBytes = (Message) kind.data.getConstructor().newInstance();
          ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
          fromBytes.read((Readable) new ByteBufferAccessor(bytes), version);
          tally.expect(kafkas.equals(hex) && fromBytes.equals(fromJson) && !bytes.hasRemaining(),
              id + "\n  json  " + row.get("json") + "\n  ours  " + hex + "\n  Kafka " + kafkas);
          ObjectNode answer = mapper.createObjectNode();
          answer.put("message", name).put("version", version);
          answer.set("json", (JsonNode) kind.write.invoke(null, fromBytes, version));
          answer.put("hex", hex(fromBytes, version));
          out.write(mapper.writeValueAsString(answer));
          out.newLine();
        } catch (InvocationTargetException | RuntimeException e) {
          Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
          tally.expect(false, id + ": " + cause + "\n  json  " + row.get("json") + "\n  ours  " + hex);
        }
      }
    }
    return (tally.checked - before) + " messages of " + versions.size() + " versions (" + absent.size()
        + " more are not in these jars)";
  }

  /** What a file that readAndWrite() wrote is about. */
  static Set<String> versionsOf(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Set<String> out = new TreeSet<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode row = mapper.readTree(line);
      out.add(row.get("message").asText() + " " + row.get("version").asInt());
    }
    return out;
  }

  private static boolean supported(Kind kind, short version) throws ReflectiveOperationException {
    return version >= kind.data.getField("LOWEST_SUPPORTED_VERSION").getShort(null)
        && version <= kind.data.getField("HIGHEST_SUPPORTED_VERSION").getShort(null);
  }

  private static String hex(Message message, short version) {
    ObjectSerializationCache cache = new ObjectSerializationCache();
    ByteBuffer bytes = ByteBuffer.allocate(message.size(cache, version));
    message.write(new ByteBufferAccessor(bytes), cache, version);
    return HexFormat.of().formatHex(bytes.array());
  }
}
