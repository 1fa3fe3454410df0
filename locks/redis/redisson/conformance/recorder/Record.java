import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is seen of one sequence. */
final class Record implements Proxy.Listener {
  // What clients' libraries say about their connections, and a script that the server did not know yet.
  private static final Set<String> ABOUT_CONNECTIONS = Set.of("AUTH", "CLIENT", "HELLO", "INFO", "PING", "ROLE",
      "SCRIPT", "SELECT");
  private static final long SAME_TIME_MS = 60;
  // Who asks the same again this soon, and is told the same, asks in a loop: written once.
  private static final long LOOP_MS = 100;

  private final Map<String, String> names = new LinkedHashMap<>();
  private final List<String> commands = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private final Map<String, Long> lastSaid = new TreeMap<>();
  private final Map<String, String> lastText = new TreeMap<>();
  private final Set<String> dead = new TreeSet<>();
  private final Map<Integer, Map<String, Server.Value>> seen = new TreeMap<>();
  private List<Server> servers = List.of();
  private long start = Long.MAX_VALUE;

  /** From now on this pattern is written as that: ids differ each time. */
  synchronized void rename(String pattern, String name) {
    names.put(pattern, name);
  }

  synchronized void begin(List<Server> all) throws IOException {
    servers = all;
    for (int server = 1; server <= all.size(); ++server) {
      lookAgain(server);
    }
    start = System.nanoTime();
  }

  synchronized void died(String process) {
    dead.add(process);
  }

  synchronized void lookAgain(int server) throws IOException {
    seen.put(server, servers.get(server - 1).look());
  }

  void sleepUntil(long at) throws InterruptedException {
    long left = at - now();
    if (left > 0) {
      Thread.sleep(left);
    }
  }

  private long now() {
    return (System.nanoTime() - start) / 1_000_000;
  }

  synchronized void returned(String who, String what, String result) {
    if (start != Long.MAX_VALUE && !dead.contains(who.split(":")[0])) {
      calls.add("{\"at\": " + now() + ", \"who\": " + quoted(who) + ", \"call\": " + quoted(what) + ", \"result\": "
          + quoted(result) + "}");
    }
  }

  @Override
  public synchronized void answered(Proxy proxy, List<String> command, String reply) {
    String name = command.get(0).toUpperCase();
    boolean unknownScript = reply != null && reply.startsWith("error NOSCRIPT");
    if (start == Long.MAX_VALUE || ABOUT_CONNECTIONS.contains(name) || unknownScript) {
      return;
    }
    long at = now();
    String words = name.startsWith("EVAL") ? "EVAL" : String.join(" ", command).replaceFirst(command.get(0), name);
    if (name.equals("WAIT") && command.get(1).equals("0") || name.equals("WAITAOF")) {
      return;  // once in a process: whether the server knows the command
    }
    List<String> parts = new ArrayList<>();
    parts.add("\"at\": " + at);
    parts.add("\"who\": " + quoted(proxy.client));
    parts.add("\"server\": " + proxy.server);
    parts.add("\"command\": " + quoted(words));
    if (reply != null) {
      parts.add("\"reply\": " + quoted(reply));
    }
    if (reply != null && proxy.server > 0) {
      try {
        parts.add("\"did\": [" + String.join(", ", changes(proxy.server)) + "]");
      } catch (IOException gone) {
        throw new IllegalStateException(gone);
      }
    }
    String said = String.join(", ", parts.subList(1, parts.size()));
    Long before = lastSaid.put(proxy.client, at);
    if (said.equals(lastText.put(proxy.client, said)) && before != null && at - before < LOOP_MS && said.endsWith("[]")) {
      return;
    }
    commands.add("{" + String.join(", ", parts) + "}");
  }

  private List<String> changes(int server) throws IOException {
    Map<String, Server.Value> before = seen.get(server);
    Map<String, Server.Value> after = servers.get(server - 1).look();
    long now = servers.get(server - 1).now();
    seen.put(server, after);
    Set<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    List<String> changes = new ArrayList<>();
    for (String key : keys) {
      Server.Value was = before.get(key);
      Server.Value is = after.get(key);
      if (is == null) {
        // A lease that ended is nobody's doing.
        if (was.expiry() < 0 || was.expiry() > now + SAME_TIME_MS) {
          changes.add("{\"key\": " + quoted(key) + ", \"is\": \"gone\"}");
        }
      } else if (was == null || !same(was, is)) {
        String ttl = is.expiry() < 0 ? "" : ", \"ttl\": " + (is.expiry() - now);
        StringBuilder due = new StringBuilder();
        for (double score : is.scores()) {
          due.append(due.isEmpty() ? ", \"due\": [" : ", ").append(Math.round(score - now));
        }
        changes.add("{\"key\": " + quoted(key) + ", \"is\": " + quoted(is.text()) + ttl + due
            + (due.isEmpty() ? "" : "]") + "}");
      }
    }
    return changes;
  }

  private static boolean same(Server.Value was, Server.Value is) {
    boolean same = was.text().equals(is.text()) && was.scores().size() == is.scores().size()
        && Math.abs(was.expiry() - is.expiry()) <= SAME_TIME_MS;
    for (int each = 0; same && each < is.scores().size(); ++each) {
      same = Math.abs(was.scores().get(each) - is.scores().get(each)) <= SAME_TIME_MS;
    }
    return same;
  }

  private String quoted(String text) {
    String named = text;
    for (Map.Entry<String, String> name : names.entrySet()) {
      named = named.replaceAll(name.getKey(), name.getValue());
    }
    return "\"" + named.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  synchronized String end(String sequence) {
    start = Long.MAX_VALUE;
    return "    {\n      \"name\": \"" + sequence + "\",\n      \"calls\": [\n        "
        + String.join(",\n        ", calls) + "\n      ],\n      \"commands\": [\n        "
        + String.join(",\n        ", commands) + "\n      ]\n    }";
  }
}
