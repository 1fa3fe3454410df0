#include "locks/sources/passages.h"

#include <algorithm>
#include <array>

namespace holdfast {

std::span<const SourceDocument> source_documents() {
  static constexpr std::array all = {
      SourceDocument{"000", "Java basics: points of design, and locks on MySQL, Redis and ZooKeeper"},
      SourceDocument{"001",
                     "Locks in distributed systems: features, databases, Chubby, and what endangers a lock"},
      SourceDocument{"002",
                     "A summary of distributed systems: what a lock is for, and Redis with Jedis and Lua"},
      SourceDocument{"003", "Locks of the JVM in several processes: databases, Redis, Redisson"},
      SourceDocument{"004", "A Redis lock in five stages, and Redisson's watchdog with its source"},
  };
  return all;
}

std::span<const Passage> passages() {
  static constexpr std::array all = {
      Passage{"000:L4–8",
              "What a distributed lock must have: one thread of one machine at a time, re-entrant so that it "
              "cannot deadlock with itself, preferably blocking, always available, fast."},
      Passage{"000:L129", "The simplest lock: SETNX takes it."},
      Passage{"000:L130",
              "SETNX answers 1 to whoever got the lock; DEL gives it back. Whoever got 0 returns, or tries "
              "again in a loop."},
      Passage{"000:L134", "tryLock as SETNX and then EXPIRE, two commands; unlock as a bare DEL."},
      Passage{"000:L148",
              "A holder that runs too long, is killed or crashes never gives the lock back: a deadlock."},
      Passage{"000:L149",
              "The cure: the time is stored as the lock's value, and a lock that is too old counts as dead."},
      Passage{"000:L150",
              "If several clients find the lock dead at once and simply delete it before SETNX, several of "
              "them get it."},
      Passage{
          "000:L152",
          "How that goes: C2 deletes the dead lock and takes it, then C3 deletes C2's and takes it as well."},
      Passage{"000:L159",
              "GETSET instead of DEL: whoever replaces the old time gets the answer that tells whether "
              "somebody was faster."},
      Passage{"000:L160",
              "If the answer differs, another client was first; the value it then overwrote is wrong by a "
              "little, which the text thinks may be ignored."},
      Passage{"000:L163",
              "The improved way step by step: GET the time T1, see that it is over, GETSET, and own the lock "
              "if the answer is T1."},
      Passage{
          "000:L166",
          "The gap in it: GET and GETSET can both answer null, because a holder deleted the key in between."},
      Passage{"000:L168", "In that case nobody thinks they own the lock, though one of them has set it."},
      Passage{"000:L170",
              "The reason: the two answers are only compared with each other, and null is not considered."},
      Passage{"000:L177", "The finished GETSET lock begins here: null counts as having got it."},
      Passage{"000:L177–233",
              "The finished GETSET lock in Java, with retries, sleeps and EXPIRE after every way to get it."},
      Passage{"000:L185", "The lock allows the clocks of different machines to differ by one second."},
      Passage{"000:L238", "Time stamps have a precision; say it is a second."},
      Passage{"000:L239",
              "Times in whole seconds make the race likely, since everything happens within one; "
              "milliseconds are advised."},
      Passage{"000:L240",
              "A second of slack is added for that, though relying on synchronised clocks remains doubtful."},
      Passage{"000:L245", "A Lua script that takes the lock: SETNX and EXPIRE as one."},
      Passage{"000:L245–259",
              "That script and the one that releases, in which a bracket stands wrong: the comparison is an "
              "argument of GET."},
      Passage{"000:L348",
              "The comparison at the end: locks on Redis and ZooKeeper are fast but hard to make re-entrant, "
              "and Redis suffers from spinning."},
      Passage{"001:L7", "Inside one process ordinary locks do: synchronized, ReentrantLock."},
      Passage{"001:L15–27",
              "What a distributed lock should offer: exclusion, re-entrancy, a timeout, waiting or not, "
              "fairness or not, speed, availability."},
      Passage{"001:L335", "A garbage collection stops the holder's threads so long that its lock runs out."},
      Passage{"001:L355",
              "Chubby's answer to lost locks: the storage itself checks the lock's number (a sequencer, "
              "etcd's revision) and refuses who is out of date."},
      Passage{"001:L365",
              "Large corrections of the clock should be made in many small steps by the operators, not in "
              "one jump."},
      Passage{"002:L26–29",
              "Four conditions: only one holder, no deadlock after a crash, works while most Redis nodes do, "
              "and only the holder releases."},
      Passage{"002:L31", "There are many ways to build one: a file lock, a database, Redis, ZooKeeper."},
      Passage{"002:L45",
              "The pessimistic lock of a database: a transaction that selects the row for update."},
      Passage{"002:L102",
              "setex is explained as \"set if not exists\", and yet as overwriting what is there."},
      Passage{"002:L103", "setex is atomic: the same as SET and EXPIRE together."},
      Passage{"002:L151", "tryGetDistributedLock of the Jedis example, with a request's id and an expiry."},
      Passage{"002:L153", "One SET with NX and PX takes the lock."},
      Passage{"002:L174", "The request's id may be a random UUID."},
      Passage{"002:L213", "Releasing by a script: delete the key only if it still holds my id."},
      Passage{"002:L239",
              "The most common mistake: releasing by a bare DEL, so that anybody frees anybody's lock."},
      Passage{"002:L248", "The second mistake: GET, compare and DEL as two commands."},
      Passage{"002:L252", "Between the two the lock may become another client's, which is then deleted."},
      Passage{"002:L273", "lock.lua begins here: a lock of pure Lua."},
      Passage{"002:L273–308",
              "lock.lua and unlock.lua: SETNX and PEXPIRE, and who has the same value gets it again."},
      Passage{"002:L276", "lock.lua takes the key, the request's id and the lease all as KEYS."},
      Passage{"002:L285",
              "If the value is mine, the request is taken for the same thread's, so the lock is re-entrant."},
      Passage{"003:L2", "A lock inside the process fails if the locked object exists several times."},
      Passage{"003:L4", "It fails as well if the program runs on several machines."},
      Passage{"003:L55",
              "The value must tell clients apart, so that nobody releases another's lock by mistake."},
      Passage{"003:L57", "SET with NX and PX, and a value of one's own."},
      Passage{"003:L61",
              "Trying again belongs into a loop: with recursion, each waiting frame does the work again."},
      Passage{"003:L63–86", "A re-entrant lock as a hash with a counter for each holder, both scripts."},
      Passage{"003:L68", "The script that takes it: free or mine, then HINCRBY and EXPIRE."},
      Passage{"003:L68–75", "That script in full; it says ARG where it means ARGV."},
      Passage{"003:L78–86", "The script that releases it: count down, and delete at zero."},
      Passage{"003:L89–97",
              "Renewing: a timer runs a script that extends the lease while the hash still has my field."},
      Passage{"003:L91", "The condition of that script: the field is there."},
      Passage{"003:L100",
              "Releasing: a UUID against mistakes, and a script that makes comparing and deleting one step."},
      Passage{"003:L103",
              "The release as Spring runs it: execute(new DefaultRedisScript<>(script, Integer.class), keys, "
              "uuid)."},
      Passage{
          "003:L109",
          "A release of what one does not hold answers null, which the caller should turn into an error."},
      Passage{"003:L110",
              "If the counter is not yet zero, the release answers 0: one level less, still locked."},
      Passage{"003:L118",
              "Replication is asynchronous: after a failover the new primary may not know the lock and grant "
              "it again."},
      Passage{"003:L122",
              "Redlock: ask several independent servers one after another; more than half must grant it."},
      Passage{"003:L122–125", "Redlock in full: if the majority fails, all servers are told to release."},
      Passage{"003:L137", "Redisson's RLock, re-entrant."},
      Passage{"003:L143", "Redisson's fair lock, which keeps a sorted queue."},
      Passage{"003:L149", "Redisson's MultiLock and RedLock."},
      Passage{"003:L149–150", "MultiLock needs every server to grant it, and is not recommended."},
      Passage{"003:L151", "RedLock needs more than half of the servers."},
      Passage{"003:L153", "Redisson's read-write lock."},
      Passage{"003:L153–158", "How the read-write lock is used."},
      Passage{"003:L160", "Redisson's semaphore."},
      Passage{"003:L160–165", "How the semaphore is used, with three permits."},
      Passage{"003:L167", "Redisson's count-down latch."},
      Passage{"003:L167–171", "How the latch is used, with a count of six."},
      Passage{"004:L15", "Stage one: SETNX, then EXPIRE."},
      Passage{"004:L25", "What is wrong with it: a crash between the two leaves a lock for ever."},
      Passage{"004:L29", "Stage two: taking the lock and setting its lease must be one step."},
      Passage{"004:L39", "The second way to do so: \"SET key value EX seconds\" (without NX, as written)."},
      Passage{"004:L43",
              "What is still wrong: the work takes longer than the lease, and the lock runs out under its "
              "holder."},
      Passage{"004:L45", "The late holder then releases the lock of the next one."},
      Passage{"004:L51", "Stage three: the lock says whose it is."},
      Passage{"004:L63",
              "What is still wrong: the holder stops between comparing and deleting, and deletes another's "
              "lock when it goes on."},
      Passage{"004:L73", "Stage four: comparing and deleting are one script."},
      Passage{"004:L87", "Stage five: a thread beside the holder renews the lease."},
      Passage{"004:L103", "Redisson's watchdog extends the lease as long as the work goes on."},
      Passage{"004:L113",
              "It does so at every third of the lease, which is 30 seconds unless set otherwise."},
      Passage{"004:L123", "With a lease of its own (tryLock with a time) there is no renewal."},
      Passage{"004:L126", "The example of that: tryLock(10, 30, SECONDS)."},
      Passage{"004:L138–285",
              "Redisson's own source: locking, waiting for the message of a release, and renewing."},
      Passage{"004:L149–200",
              "lock(): tries, subscribes to the channel of releases, and tries again whenever woken or after "
              "the rest of the lease."},
      Passage{"004:L230–272",
              "renewExpiration(): a task after a third of the lease, which plans the next one."},
      Passage{"004:L243", "The task renews for the first thread of its entry; without one it ends."},
      Passage{"004:L250–267",
              "What it does with the answer: an error ends renewing, true plans the next, false cancels."},
      Passage{"004:L256", "An error removes the entry, so one failed renewal ends renewing for good."},
      Passage{"004:L278–282", "The script that renews: PEXPIRE if the hash has my field."},
  };
  return all;
}

std::vector<std::string> references_in(std::string_view text) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::vector<std::string> found;
  for (std::size_t at = text.find(":L"); at != std::string_view::npos; at = text.find(":L", at + 1)) {
    std::size_t end = at + 2;
    if (at < 3 || !is_digit(at - 1) || !is_digit(at - 2) || text[at - 3] != '0' || !is_digit(end)) {
      continue;
    }
    while (is_digit(end)) {
      ++end;
    }
    std::string reference(text.substr(at - 3, end - at + 3));
    const std::size_t dash = text.substr(end).starts_with("–")   ? 3
                             : text.substr(end).starts_with("-") ? 1
                                                                 : 0;
    if (dash != 0 && is_digit(end + dash)) {
      std::size_t last = end + dash;
      while (is_digit(last)) {
        ++last;
      }
      reference += "–" + std::string(text.substr(end + dash, last - end - dash));
    }
    found.push_back(std::move(reference));
  }
  return found;
}

const Passage* find_passage(std::string_view reference) {
  const auto found = std::ranges::find(passages(), reference, &Passage::reference);
  return found == passages().end() ? nullptr : &*found;
}

std::string passages_markdown() {
  std::string text =
      "# What the references mean\n\n"
      "`001:L335` in a catalog, a scenario or a comment is line 335 of document 001. The documents are "
      "articles in\n"
      "Chinese about distributed locks, which are not part of this repository; this is what each passage "
      "says, in our\n"
      "words. `holdfast list locks --source` shows it for every lock. (Made of locks/sources/passages.cpp, "
      "and a test\n"
      "compares them.)\n\n"
      "| document | about |\n| --- | --- |\n";
  for (const SourceDocument& document : source_documents()) {
    text += "| " + std::string(document.number) + " | " + std::string(document.about) + " |\n";
  }
  text += "\n| passage | what it says |\n| --- | --- |\n";
  for (const Passage& passage : passages()) {
    text += "| `" + std::string(passage.reference) + "` | " + std::string(passage.says) + " |\n";
  }
  return text;
}

}  // namespace holdfast
