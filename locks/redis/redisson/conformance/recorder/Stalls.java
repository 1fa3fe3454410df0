/** How long this machine let nobody run, since this was made. */
final class Stalls {
  private static final long NAP_MS = 5;
  private final Thread watch = new Thread(this::look);
  private volatile long longest = 0;

  Stalls() {
    watch.setDaemon(true);
    watch.start();
  }

  /** Ends it. */
  long longestMs() {
    watch.interrupt();
    return longest;
  }

  private void look() {
    try {
      while (true) {
        long before = System.nanoTime();
        Thread.sleep(NAP_MS);
        longest = Math.max(longest, (System.nanoTime() - before) / 1_000_000 - NAP_MS);
      }
    } catch (InterruptedException ended) {
      // It was asked for.
    }
  }
}
