// Sleeps and waits, and says how long each took on its own clock.
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

public class Sleeps {
  interface Act {
    void run() throws Exception;
  }

  static void tell(String what, Act act) throws Exception {
    long began = System.nanoTime();
    act.run();
    System.out.println(what + " " + (System.nanoTime() - began));
  }

  public static void main(String[] arguments) throws Exception {
    tell("sleep", () -> Thread.sleep(1500));
    tell("wait", () -> new LinkedBlockingQueue<Integer>().poll(250, TimeUnit.MILLISECONDS));
    tell("minute", () -> Thread.sleep(60000));
  }
}
