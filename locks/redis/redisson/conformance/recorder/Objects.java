import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.MasterSlaveServersConfig;

/** The library's objects in one process: a client for each server, with defaults but for the lease. */
final class Objects implements AutoCloseable {
  private static final String KEY = "lock";
  private static final int PERMITS = 2;

  private final List<RedissonClient> clients = new ArrayList<>();
  private final List<Proxy> proxies = new ArrayList<>();
  private boolean permitsSet = false;

  Objects(String process, int servers, Topology topology, Record record) throws Exception {
    for (int server = 1; server <= servers; ++server) {
      Server behind = topology.servers.get(server - 1);
      Proxy proxy = new Proxy(process, server, behind.port, behind.turn, record);
      Config config = new Config();
      config.setLockWatchdogTimeout(Recorder.LEASE_MS);
      List<Server> replicas = topology.replicasOf(server);
      if (replicas.isEmpty()) {
        config.useSingleServer().setAddress("redis://127.0.0.1:" + proxy.port).setConnectionMinimumIdleSize(2)
            .setConnectionPoolSize(4);
      } else {
        MasterSlaveServersConfig several = config.useMasterSlaveServers()
            .setMasterAddress("redis://127.0.0.1:" + proxy.port).setMasterConnectionMinimumIdleSize(2)
            .setMasterConnectionPoolSize(4).setSlaveConnectionMinimumIdleSize(2).setSlaveConnectionPoolSize(4);
        for (int replica = 0; replica < replicas.size(); ++replica) {
          Server at = replicas.get(replica);
          Proxy before = new Proxy(process, -server, at.port, new Semaphore(1), record);
          several.addSlaveAddress("redis://127.0.0.1:" + before.port);
          proxies.add(before);
        }
      }
      RedissonClient client = Redisson.create(config);
      record.rename(client.getId(), process);
      client.getAtomicLong("warm-up").get();
      clients.add(client);
      proxies.add(proxy);
    }
    record.rename("[0-9a-f]{32}", "#");
  }

  private RLock lock(String object) {
    RedissonClient client = clients.get(0);
    RLock[] each = clients.stream().map(one -> one.getLock(KEY)).toArray(RLock[]::new);
    return switch (object) {
      case "rlock", "lease" -> client.getLock(KEY);
      case "fair" -> client.getFairLock(KEY);
      case "read" -> client.getReadWriteLock(KEY).readLock();
      case "write" -> client.getReadWriteLock(KEY).writeLock();
      case "multi" -> new RedissonMultiLock(each);
      case "red" -> new RedissonRedLock(each);
      case "fenced", "fenced-gettoken" -> client.getFencedLock(KEY);
      default -> throw new IllegalArgumentException(object);
    };
  }

  String call(String what) {
    String[] words = what.split("[. ]");
    long number = words.length > 2 ? Long.parseLong(words[2]) : -1;
    try {
      return switch (words[0]) {
        case "semaphore" -> semaphore(words[1], number);
        case "latch" -> latch(words[1], number);
        case "fenced" -> fenced(words[1], number);
        default -> lock(words[0], words[1], number);
      };
    } catch (IllegalMonitorStateException notMine) {
      return "refused";
    } catch (Exception other) {
      return "threw";
    }
  }

  private String lock(String object, String verb, long patience) throws InterruptedException {
    RLock lock = lock(object);
    boolean got = true;
    switch (verb) {
      case "lock" -> {
        if (object.equals("lease")) {
          lock.lock(Recorder.LEASE_MS, TimeUnit.MILLISECONDS);
        } else {
          lock.lock();
        }
      }
      case "try" -> got = patience < 0 ? lock.tryLock() : lock.tryLock(patience, TimeUnit.MILLISECONDS);
      default -> lock.unlock();
    }
    if (got && object.equals("fenced-gettoken") && !verb.equals("unlock")) {
      return "ok " + ((RFencedLock) lock).getToken();
    }
    return got ? "ok" : "busy";
  }

  private String fenced(String verb, long patience) {
    RFencedLock lock = clients.get(0).getFencedLock(KEY);
    if (verb.equals("unlock")) {
      lock.unlock();
      return "ok";
    }
    Long token = verb.equals("lock") ? lock.lockAndGetToken()
        : patience < 0 ? lock.tryLockAndGetToken() : lock.tryLockAndGetToken(patience, TimeUnit.MILLISECONDS);
    return token == null ? "busy" : "ok " + token;
  }

  private String semaphore(String verb, long patience) throws InterruptedException {
    RSemaphore semaphore = clients.get(0).getSemaphore(KEY);
    if (!verb.equals("unlock") && !permitsSet) {
      semaphore.trySetPermits(PERMITS);
      permitsSet = true;
    }
    boolean got = true;
    switch (verb) {
      case "lock" -> semaphore.acquire();
      case "try" -> got = patience < 0 ? semaphore.tryAcquire() : semaphore.tryAcquire(patience, TimeUnit.MILLISECONDS);
      default -> semaphore.release();
    }
    return got ? "ok" : "busy";
  }

  private String latch(String verb, long number) throws InterruptedException {
    RCountDownLatch latch = clients.get(0).getCountDownLatch(KEY);
    switch (verb) {
      case "set" -> {
        return latch.trySetCount(number) ? "ok" : "refused";
      }
      case "down" -> latch.countDown();
      default -> {
        if (number < 0) {
          latch.await();
        } else if (!latch.await(number, TimeUnit.MILLISECONDS)) {
          return "busy";
        }
      }
    }
    return "ok";
  }

  /** The end of the process, as servers see it. */
  @Override
  public void close() throws IOException {
    for (Proxy proxy : proxies) {
      proxy.close();
    }
    clients.forEach(client -> Recorder.daemon(client::shutdown));
  }
}
