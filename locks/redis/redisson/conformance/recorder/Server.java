import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** A redis-server of our own on the loopback address, and a look at all that it keeps. */
final class Server implements AutoCloseable {
  /** What a key holds, when it runs out (milliseconds on the server's clock, -1: never), and a sorted set's scores. */
  record Value(String text, long expiry, List<Double> scores) {}

  final int port;
  final int primary;  // 0: none
  final Semaphore turn = new Semaphore(1);
  private final Path directory = Files.createTempDirectory("conformance");
  private final Process process;
  private Socket socket;
  private BufferedInputStream in;

  Server(int primary) throws Exception {
    this.primary = primary;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    ProcessBuilder builder = new ProcessBuilder("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "",
        "--repl-diskless-sync-delay", "0", "--dir", directory.toString());
    if (primary != 0) {
      builder.command().addAll(List.of("--replicaof", "127.0.0.1 " + primary));
    }
    process = builder.redirectErrorStream(true).redirectOutput(new File("/dev/null")).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));  // however we end
    for (int tries = 0; socket == null; ++tries) {
      try {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException notYet) {
        if (tries > 200) {
          throw notYet;
        }
        Thread.sleep(20);
      }
    }
    in = new BufferedInputStream(socket.getInputStream());
    while (primary != 0 && !ask("INFO", "replication").toString().contains("master_link_status:up")) {
      Thread.sleep(20);
    }
  }

  synchronized Object ask(String... words) throws IOException {
    socket.getOutputStream().write(Resp.command(words));
    return Resp.read(in, OutputStream.nullOutputStream());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** "stops", "goes on" or "dies". */
  void signal(String what) throws Exception {
    if (process.isAlive()) {
      String signal = what.equals("stops") ? "-STOP" : what.equals("dies") ? "-KILL" : "-CONT";
      new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor();
      if (what.equals("dies")) {
        process.waitFor();
      }
    }
  }

  String release() throws IOException {
    return ask("INFO", "server").toString().lines().filter(line -> line.startsWith("redis_version:")).findFirst()
        .orElseThrow().substring("redis_version:".length());
  }

  long now() throws IOException {
    List<?> time = (List<?>) ask("TIME");
    return Long.parseLong(time.get(0).toString()) * 1000 + Long.parseLong(time.get(1).toString()) / 1000;
  }

  Map<String, Value> look() throws IOException {
    Map<String, Value> found = new TreeMap<>();
    for (Object each : (List<?>) ask("KEYS", "*")) {
      String key = each.toString();
      String type = ask("TYPE", key).toString();
      List<Double> scores = List.of();
      String text;
      switch (type) {
        case "string" -> text = "string " + ask("GET", key);
        case "list" -> text = "list" + words((List<?>) ask("LRANGE", key, "0", "-1"), 1);
        case "hash" -> text = "hash" + fields((List<?>) ask("HGETALL", key));
        case "zset" -> {
          List<?> pairs = (List<?>) ask("ZRANGE", key, "0", "-1", "WITHSCORES");
          text = "zset" + words(pairs, 2);
          scores = new java.util.ArrayList<>();
          for (int at = 1; at < pairs.size(); at += 2) {
            scores.add(Double.valueOf(pairs.get(at).toString()));
          }
        }
        default -> text = type;
      }
      long left = (Long) ask("PTTL", key);
      if (left != -2) {
        found.put(key, new Value(text, left < 0 ? -1 : now() + left, scores));
      }
    }
    return found;
  }

  private static String words(List<?> all, int step) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < all.size(); at += step) {
      text.append(' ').append(all.get(at));
    }
    return text.toString();
  }

  private static String fields(List<?> pairs) {
    Map<String, Object> sorted = new TreeMap<>();
    for (int at = 0; at < pairs.size(); at += 2) {
      sorted.put(pairs.get(at).toString(), pairs.get(at + 1));
    }
    StringBuilder text = new StringBuilder();
    sorted.forEach((field, value) -> text.append(' ').append(field).append('=').append(value));
    return text.toString();
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();  // also one that stands still
    process.waitFor();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
