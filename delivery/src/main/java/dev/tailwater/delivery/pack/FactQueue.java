package dev.tailwater.delivery.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.stream.StreamProgress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The streams of which a pack must say something beside their bytes. A stream is in at most one
 * place: waiting, or taken into a pack that is not durable yet. Thread-safe.
 */
public final class FactQueue {
  private final LongSupplier nanoClock;

  /** Called without the lock when there is news. */
  private Runnable listener = () -> {};

  /** The streams that wait, with the times at which they came. */
  @GuardedBy("this")
  private final LinkedHashMap<StreamProgress, Long> waiting = new LinkedHashMap<>();

  /** The streams that a worker seals into a pack now. */
  @GuardedBy("this")
  private final Set<StreamProgress> taken = new HashSet<>();

  /** The streams in packs that are being delivered. */
  @GuardedBy("this")
  private final Set<StreamProgress> underWay = new HashSet<>();

  public FactQueue(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Sets who is told of news; before the first stream is added. */
  public void onChange(Runnable told) {
    listener = told;
  }

  /** Adds a stream, unless it is under way: then it is looked at again when that has arrived. */
  public void add(StreamProgress stream) {
    boolean first;
    synchronized (this) {
      if (taken.contains(stream) || underWay.contains(stream)) {
        return;
      }
      first = waiting.isEmpty();
      waiting.putIfAbsent(stream, nanoClock.getAsLong());
    }
    if (first) {
      listener.run();
    }
  }

  /** Takes the streams that have waited longest; each is then sealed, or put back. */
  public synchronized List<StreamProgress> take(int most) {
    List<StreamProgress> streams = new ArrayList<>();
    while (streams.size() < most && !waiting.isEmpty()) {
      Map.Entry<StreamProgress, Long> entry = waiting.pollFirstEntry();
      streams.add(entry.getKey());
      taken.add(entry.getKey());
    }
    return streams;
  }

  /** Puts streams back that were taken and do not fit: they go first. */
  public void putBack(Collection<StreamProgress> streams) {
    long now = nanoClock.getAsLong();
    synchronized (this) {
      for (StreamProgress stream : List.copyOf(streams).reversed()) {
        if (taken.remove(stream)) {
          waiting.putFirst(stream, now);
        }
      }
    }
    listener.run();
  }

  /** Notes that the pack with these streams has been handed over for delivery. */
  public void handedOver(Collection<StreamProgress> streams) {
    synchronized (this) {
      for (StreamProgress stream : streams) {
        if (taken.remove(stream)) { // Otherwise it has arrived already.
          underWay.add(stream);
        }
      }
    }
    listener.run();
  }

  /** Notes that the pack with these streams is durable, or given up. */
  public void arrived(Collection<StreamProgress> streams) {
    synchronized (this) {
      for (StreamProgress stream : streams) {
        if (!underWay.remove(stream)) {
          taken.remove(stream);
        }
      }
    }
    listener.run();
  }

  /** Notes that nothing is to be said of a stream that was taken. */
  public void nothingToSay(StreamProgress stream) {
    synchronized (this) {
      taken.remove(stream);
    }
    listener.run();
  }

  /** Returns since when the first stream waits; empty when none does. */
  public synchronized OptionalLong oldestNanos() {
    return waiting.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(waiting.firstEntry().getValue());
  }

  /** Returns whether something is to be said of a stream, or under way. */
  public synchronized boolean contains(StreamProgress stream) {
    return waiting.containsKey(stream) || taken.contains(stream) || underWay.contains(stream);
  }

  /** Returns how many streams wait. */
  public synchronized int size() {
    return waiting.size();
  }

  /** Returns whether no stream waits, and none is being sealed. */
  public synchronized boolean isIdle() {
    return waiting.isEmpty() && taken.isEmpty();
  }

  /** Returns whether a worker is sealing what is said of a stream. */
  public synchronized boolean isSealing() {
    return !taken.isEmpty();
  }
}
