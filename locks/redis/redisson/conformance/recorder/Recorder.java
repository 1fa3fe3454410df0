import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Does the sequences with the real library against real servers, and writes down what the servers saw.
 *
 * Of every command: when, of whom, at which server, its name (a script is EVAL, its text is not kept), what was
 * answered, and what it did to the keys and to how long they live. Of every call: when it returned, and what.
 */
public final class Recorder {
  static final long LEASE_MS = 3000;
  private static final long LONGEST_STALL_MS = 40;
  private static final int MOST_TRIES = 8;

  record Step(long at, String who, String what) {}

  record Sequence(String name, int servers, int replicas, List<Step> steps, long until) {
    /** What classes it needs. */
    String kind() {
      Set<String> objects = new TreeSet<>();
      steps.forEach(step -> objects.add(step.what().split("[. ]")[0]));
      return objects + " " + replicas;
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<Sequence> sequences = read(Path.of(arguments[0]));
    String release = arguments[1];
    Path to = Path.of(arguments[2]);
    String only = arguments.length > 3 ? arguments[3] : "";
    List<String> recorded = new ArrayList<>();
    String server;
    try (Topology single = new Topology(3, 0); Topology one = new Topology(1, 1); Topology two = new Topology(1, 2)) {
      server = single.servers.get(0).release();
      Set<String> loaded = new HashSet<>();
      for (Sequence sequence : sequences) {
        if (!only.isEmpty() && !sequence.name().matches(only)) {
          continue;
        }
        Topology topology = sequence.replicas() == 0 ? single : sequence.replicas() == 1 ? one : two;
        if (loaded.add(sequence.kind())) {
          record(sequence, topology);  // so that loading classes delays nothing that counts
        }
        recorded.add(recordUndisturbed(sequence, topology));
        System.err.println(sequence.name());
      }
    }
    Files.writeString(to, "{\n  \"library\": \"Redisson " + release + "\",\n  \"server\": \"redis-server " + server
        + "\",\n  \"lease_ms\": " + LEASE_MS + ",\n  \"sequences\": [\n" + String.join(",\n", recorded) + "\n  ]\n}\n");
    System.exit(0);  // the library's threads would go on for a while
  }

  static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static List<Sequence> read(Path file) throws IOException {
    List<Sequence> all = new ArrayList<>();
    String name = "";
    int servers = 1;
    int replicas = 0;
    List<Step> steps = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.trim().split(" ");
      if (words[0].equals("sequence")) {
        name = words[1];
        servers = words.length > 3 && words[2].equals("servers") ? Integer.parseInt(words[3]) : 1;
        replicas = words.length > 3 && words[2].equals("replicas") ? Integer.parseInt(words[3]) : 0;
        steps = new ArrayList<>();
      } else if (words[0].equals("until")) {
        all.add(new Sequence(name, servers, replicas, steps, Long.parseLong(words[1])));
      } else {
        String what = String.join(" ", List.of(words).subList(2, words.length));
        steps.add(new Step(Long.parseLong(words[0]), words[1], what));
      }
    }
    return all;
  }

  /** Until the machine has let everybody run in time, for some tries. */
  private static String recordUndisturbed(Sequence sequence, Topology topology) throws Exception {
    for (int tries = 1;; ++tries) {
      Stalls stalls = new Stalls();
      String text = record(sequence, topology);
      if (stalls.longestMs() <= LONGEST_STALL_MS || tries == MOST_TRIES) {
        return text;
      }
      System.err.println(sequence.name() + ": again, the machine stood still for " + stalls.longestMs() + " ms");
    }
  }

  private static String record(Sequence sequence, Topology topology) throws Exception {
    topology.repair();
    for (Server server : topology.servers) {
      server.ask("FLUSHALL");
    }
    Record record = new Record();
    Map<String, Objects> processes = new TreeMap<>();
    Map<String, ExecutorService> threads = new TreeMap<>();
    for (Step step : sequence.steps()) {
      if (step.who().contains(":") && !threads.containsKey(step.who())) {
        String process = step.who().split(":")[0];
        if (!processes.containsKey(process)) {
          processes.put(process, new Objects(process, sequence.servers(), topology, record));
        }
        ExecutorService thread = Executors.newSingleThreadExecutor();
        threads.put(step.who(), thread);
        thread.submit(() -> record.rename(
            ":" + Thread.currentThread().getId() + "\\b", ":" + step.who().split(":")[1])).get();
      }
    }
    record.begin(topology.servers);
    for (Step step : sequence.steps()) {
      record.sleepUntil(step.at());
      if (step.who().equals("replica")) {
        topology.replicasOf(1).get(0).signal(step.what());
        continue;
      }
      if (step.who().equals("server")) {
        String[] words = step.what().split(" ");
        int server = words.length > 1 ? Integer.parseInt(words[0]) : 1;
        topology.servers.get(server - 1).ask("FLUSHALL");
        record.lookAgain(server);
        continue;
      }
      if (step.what().equals("dies")) {
        record.died(step.who());
        processes.get(step.who()).close();
        continue;
      }
      Objects objects = processes.get(step.who().split(":")[0]);
      threads.get(step.who()).submit(() -> record.returned(step.who(), step.what(), objects.call(step.what())));
    }
    record.sleepUntil(sequence.until());
    String text = record.end(sequence.name());
    threads.values().forEach(ExecutorService::shutdownNow);
    for (Objects objects : processes.values()) {
      objects.close();
    }
    return text;
  }
}
