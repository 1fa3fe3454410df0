import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Stands between one client and one server, and tells what the one asked and the other answered.
 *
 * One command at a time passes, whatever connection it comes from (`turn` is shared by all proxies of a server),
 * so that what a look at the server finds after it is what that command did.
 */
final class Proxy {
  interface Listener {
    /** Before the answer goes on to the client. */
    void answered(Proxy proxy, List<String> command, String reply);
  }

  final String client;
  final int server;  // counts from 1
  final int port;
  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final Semaphore turn;
  private final Listener listener;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  Proxy(String client, int server, int target, Semaphore turn, Listener listener) throws IOException {
    this.client = client;
    this.server = server;
    this.target = target;
    this.turn = turn;
    this.listener = listener;
    port = socket.getLocalPort();
    Recorder.daemon(this::accept);
  }

  private void accept() {
    while (true) {
      try {
        Socket here = socket.accept();
        Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(here);
        sockets.add(there);
        here.setTcpNoDelay(true);
        there.setTcpNoDelay(true);
        Queue<List<String>> asked = new ConcurrentLinkedQueue<>();
        Recorder.daemon(() -> carryRequests(here, there, asked));
        Recorder.daemon(() -> carryReplies(there, here, asked));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void carryRequests(Socket from, Socket to, Queue<List<String>> asked) {
    try (from; to) {
      InputStream in = new BufferedInputStream(from.getInputStream());
      while (true) {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        Object value = Resp.read(in, raw);
        List<String> words = new ArrayList<>();
        ((List<?>) value).forEach(word -> words.add(String.valueOf(word)));
        boolean isChannel = words.get(0).toUpperCase().endsWith("SUBSCRIBE");
        if (isChannel) {
          listener.answered(this, words, null);
        } else {
          turn.acquire();
          asked.add(words);
        }
        to.getOutputStream().write(raw.toByteArray());
      }
    } catch (IOException | InterruptedException closed) {
      asked.forEach(each -> turn.release());
      asked.clear();
    }
  }

  private void carryReplies(Socket from, Socket to, Queue<List<String>> asked) {
    try (from; to) {
      InputStream in = new BufferedInputStream(from.getInputStream());
      OutputStream out = to.getOutputStream();
      while (true) {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        Object value = Resp.read(in, raw);
        List<String> question = isPush(value) ? null : asked.poll();
        if (question != null) {
          listener.answered(this, question, Resp.text(value));
          turn.release();
        }
        out.write(raw.toByteArray());
      }
    } catch (IOException closed) {
      // The other direction ends as well, and lets go of the turn.
    }
  }

  /** Whatever the client still wants to say, it is not heard. */
  void close() throws IOException {
    socket.close();
    for (Socket each : sockets) {
      each.close();
    }
  }

  private static boolean isPush(Object value) {
    return value instanceof List<?> all && !all.isEmpty()
        && List.of("message", "subscribe", "unsubscribe").contains(String.valueOf(all.get(0)));
  }
}

/** Redis's protocol, as far as it is needed to know where a message ends and what it says. */
final class Resp {
  private Resp() {}

  static Object read(InputStream in, OutputStream copy) throws IOException {
    String line = line(in, copy);
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+':
        return rest;
      case '-':
        return new RuntimeException(rest);
      case ':':
        return Long.valueOf(rest);
      case '_':
        return null;
      case '$': {
        int size = Integer.parseInt(rest);
        if (size < 0) {
          return null;
        }
        byte[] bytes = in.readNBytes(size + 2);
        copy.write(bytes);
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
      }
      case '*':
      case '>': {
        int size = Integer.parseInt(rest);
        if (size < 0) {
          return null;
        }
        List<Object> all = new ArrayList<>();
        for (int each = 0; each < size; ++each) {
          all.add(read(in, copy));
        }
        return all;
      }
      case '%': {
        List<Object> all = new ArrayList<>();
        for (int each = 0; each < 2 * Integer.parseInt(rest); ++each) {
          all.add(read(in, copy));
        }
        return all;
      }
      default:
        throw new IOException("not understood: " + line);
    }
  }

  private static String line(InputStream in, OutputStream copy) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed");
      }
      copy.write(next);
      if (next == '\n') {
        return line.substring(0, line.length() - 1);
      }
      line.append((char) next);
    }
  }

  static String text(Object value) {
    if (value == null) {
      return "nil";
    }
    if (value instanceof RuntimeException error) {
      return "error " + error.getMessage().split(" ")[0];
    }
    return value.toString();
  }

  static byte[] command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append('$').append(word.getBytes(StandardCharsets.UTF_8).length).append("\r\n").append(word).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
