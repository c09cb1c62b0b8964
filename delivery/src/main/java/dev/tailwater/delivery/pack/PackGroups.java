package dev.tailwater.delivery.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.checkpoint.NameHash;
import dev.tailwater.delivery.stream.StreamProgress;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Gives the packs for one destination their groups and numbers. Each run has groups of its own, so
 * that it never meets the name of a pack of which it knows nothing. Thread-safe.
 */
public final class PackGroups {
  private final String agent;
  private final SecureRandom random;
  private final NameHash hash;
  private final LongSupplier clockMillis;

  /** The last group that is known: later ones sort behind it. */
  @GuardedBy("this")
  private Optional<PackGroup> latest = Optional.empty();

  @GuardedBy("this")
  private Optional<PackNumbers> current = Optional.empty();

  @GuardedBy("this")
  private boolean filling;

  /** No group is begun earlier, nanoseconds since 1970: the epochs of some stream are that far. */
  @GuardedBy("this")
  private long leastNanos = Long.MIN_VALUE;

  /**
   * Creates groups.
   *
   * @param agent the name under which packs are archived
   */
  public PackGroups(String agent, SecureRandom random, LongSupplier clockMillis) {
    this.agent = agent;
    this.random = random;
    this.hash = new NameHash(random);
    this.clockMillis = clockMillis;
  }

  /** Returns whether packs of this agent can hold ranges of a stream. */
  public boolean accepts(StreamProgress stream) {
    // A stream of another name of the agent, or whose exact path is lost, has objects of its own.
    return stream.isOf(agent) && stream.isNamedByBirthPath();
  }

  /** Notes a group of an earlier run. */
  public synchronized void known(PackGroup group) {
    if (latest.isEmpty() || latest.get().compareTo(group) < 0) {
      latest = Optional.of(group);
    }
  }

  /**
   * Has later packs be of groups that may name this epoch. Only files that are truncated more than
   * once a second have epochs that run ahead of the time.
   */
  private synchronized void reach(int epoch) {
    leastNanos = Math.max(leastNanos, EpochBound.leastNanos(epoch));
    current = current.filter(numbers -> numbers.highestEpoch() >= epoch);
  }

  /**
   * Begins anew, behind packs that the agent cannot read.
   *
   * @param last the last group of these
   * @param usedEpoch no object outside of packs has a higher epoch
   * @return empty when no higher epoch is left
   */
  public synchronized Optional<Beginning> beginAnew(PackGroup last, int usedEpoch) {
    known(last);
    int highest = Math.max(EpochBound.of(last), usedEpoch);
    if (highest == Integer.MAX_VALUE) {
      return Optional.empty();
    }
    reach(highest + 1);
    PackGroup group = nextGroup();
    latest = Optional.of(group);
    return Optional.of(new Beginning(EpochBound.of(group), group));
  }

  /** Returns the last group that is known. */
  public synchronized Optional<PackGroup> latest() {
    return latest;
  }

  /**
   * Begins a pack; waits while another one is being filled, since the order of their numbers is
   * that in which they are delivered.
   */
  public synchronized Numbering begin() throws InterruptedException {
    while (filling) {
      wait();
    }
    PackNumbers numbers = current.filter(group -> !group.isFull()).orElseGet(this::next);
    current = Optional.of(numbers);
    filling = true;
    return new Numbering(numbers);
  }

  @GuardedBy("this")
  private PackNumbers next() {
    PackGroup group = nextGroup();
    latest = Optional.of(group);
    return new PackNumbers(group, hash);
  }

  @GuardedBy("this")
  private PackGroup nextGroup() {
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(clockMillis.getAsLong());
    long atNanos = Math.max(nowNanos, leastNanos);
    return latest
        .map(before -> PackGroup.beginAfter(before, atNanos, random))
        .orElseGet(() -> PackGroup.begin(atNanos, random));
  }

  /** Notes that a pack of this group is given up: the next one begins another group. */
  public synchronized void abandon(PackGroup group) {
    if (current.isPresent() && current.get().group().equals(group)) {
      current = Optional.empty();
    }
  }

  private synchronized void end() {
    filling = false;
    notifyAll();
  }

  /** The numbers of a pack that is being filled, by one thread. */
  public final class Numbering implements AutoCloseable {
    private final PackNumbers numbers;

    @GuardedBy("PackGroups.this")
    private boolean ended;

    private Numbering(PackNumbers numbers) {
      this.numbers = numbers;
    }

    /** Returns which pack it is. */
    public PackId id() {
      return new PackId(agent, numbers.group(), numbers.sequence());
    }

    /**
     * Returns whether the pack may name a stream; otherwise the next one may, which begins a group.
     */
    public boolean mayName(StreamProgress stream) {
      int epoch = stream.id().epoch();
      if (numbers.highestEpoch() >= epoch) {
        return true;
      }
      reach(epoch);
      return false;
    }

    /** Returns the number of a stream; it is kept if the pack describes it. */
    public int number(StreamProgress stream) {
      return numbers.number(stream);
    }

    /** Returns how the pack must describe a stream that it mentions; empty if it need not. */
    public Optional<PackedStream> missingDescription(StreamProgress stream) {
      return numbers.missingDescription(stream);
    }

    /** Notes that the pack describes a stream. */
    public void describe(PackedStream stream) {
      numbers.describe(stream);
    }

    /** Keeps the numbers: the pack is complete, and the next to be handed over for delivery. */
    public void keep() {
      numbers.keep();
    }

    /** Gives the pack up, whose thread hangs: the next one may begin, and begins another group. */
    public void giveUp() {
      synchronized (PackGroups.this) {
        if (!ended) {
          ended = true;
          abandon(numbers.group());
          end();
        }
      }
    }

    /** Lets the next pack begin; without {@link #keep} it gets the same numbers. */
    @Override
    public void close() {
      synchronized (PackGroups.this) {
        if (!ended) {
          ended = true;
          numbers.forget();
          end();
        }
      }
    }
  }
}
