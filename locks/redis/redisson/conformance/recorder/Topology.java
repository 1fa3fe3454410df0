import java.util.ArrayList;
import java.util.List;

/** Independent servers, each with so many replicas. */
final class Topology implements AutoCloseable {
  final List<Server> servers = new ArrayList<>();
  private final List<Server> replicas = new ArrayList<>();

  Topology(int servers, int replicas) throws Exception {
    for (int server = 0; server < servers; ++server) {
      this.servers.add(new Server(0));
      for (int replica = 0; replica < replicas; ++replica) {
        this.replicas.add(new Server(this.servers.get(server).port));
      }
    }
  }

  /** Of the server with this number, counted from 1. */
  List<Server> replicasOf(int server) {
    int each = replicas.size() / servers.size();
    return replicas.subList((server - 1) * each, server * each);
  }

  /** Replicas that were stopped or killed are there again. */
  void repair() throws Exception {
    for (int replica = 0; replica < replicas.size(); ++replica) {
      Server one = replicas.get(replica);
      one.signal("goes on");
      if (!one.isAlive()) {
        int primary = one.primary;
        one.close();
        replicas.set(replica, new Server(primary));
      }
    }
  }

  @Override
  public void close() throws Exception {
    for (Server replica : replicas) {
      replica.close();
    }
    for (Server server : servers) {
      server.close();
    }
  }
}
