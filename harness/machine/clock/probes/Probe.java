// Does with time what the test tells it to, line by line: see test_probe.h.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

public class Probe {
  public static void main(String[] arguments) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "clocks" -> {
          Instant now = Instant.now();
          System.out.println((now.getEpochSecond() * 1_000_000_000L + now.getNano()) + " " + System.nanoTime());
        }
        case "sleep" -> {
          System.out.println("waiting");
          Thread.sleep(Long.parseLong(words[1]) * 1000);
          System.out.println("timed out");
        }
        case "wait" -> {
          System.out.println("waiting");
          Object came = new SynchronousQueue<Object>().poll(Long.parseLong(words[1]), TimeUnit.SECONDS);
          System.out.println(came == null ? "timed out" : "went wrong");
        }
        default -> System.out.println("no such order");
      }
    }
  }
}
