package dev.tailwater.restore.list;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.StoredSegment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/**
 * The packs of agents, listed again when one of them is gone: while somebody reads, packs are
 * merged into longer ones and deleted. Thread-safe.
 */
final class PackRelisting {
  private static final String REFUTED =
      "a manifest says something else of this pack than the pack itself, which counts; remove"
          + " the manifests";

  private final Lister lister;

  /** In the order in which they were noted. */
  @GuardedBy("this")
  private final List<PackName> gone = new ArrayList<>();

  @GuardedBy("this")
  private final Set<PackName> goneNames = new HashSet<>();

  /** Packs whose directories are not what a manifest says. */
  private final Set<PackName> refuted = ConcurrentHashMap.newKeySet();

  /** The last listing of each agent, which may still be going on. */
  @GuardedBy("this")
  private final Map<String, Listing> listings = new HashMap<>();

  /** The calls to the destination. */
  interface Lister {
    /** Returns what the packs of an agent hold, by stream. */
    Map<String, List<StoredSegment>> list(String agent) throws IOException;
  }

  /** What the packs of an agent hold, by stream, and which packs these are. */
  private record Held(Map<String, List<StoredSegment>> segments, Set<PackName> packs) {
    static Held of(Map<String, List<StoredSegment>> segments) {
      return new Held(
          segments,
          segments.values().stream()
              .flatMap(List::stream)
              .flatMap(segment -> segment.pack().stream())
              .map(at -> at.pack().name())
              .collect(Collectors.toSet()));
    }
  }

  /** A listing of the packs of an agent. */
  private static final class Listing {
    final FutureTask<Held> task;

    /** So many of the packs that are gone were gone before it began, or are not in it. */
    int losses;

    Listing(FutureTask<Held> task, int losses) {
      this.task = task;
      this.losses = losses;
    }
  }

  PackRelisting(Lister lister) {
    this.lister = lister;
  }

  /** Whether the directory of any pack was not what a manifest says. */
  boolean hasRefuted() {
    return !refuted.isEmpty();
  }

  /** Notes that a pack is gone. */
  synchronized void noteGone(PackName pack) {
    if (goneNames.add(pack)) {
      gone.add(pack);
    }
  }

  /** Notes that the directory of a pack is not what a manifest says. */
  void noteRefuted(PackName pack) {
    refuted.add(pack);
    noteGone(pack);
  }

  /**
   * Returns a stream with what packs hold of it now.
   *
   * @param now what was found of it so far
   * @param before the stream as it was listed, some packs of which may be gone
   */
  ArchivedStream withPacksOf(ArchivedStream now, ArchivedStream before) throws IOException {
    Set<PackName> packs = packsOf(before);
    if (packs.isEmpty()) {
      return now;
    }
    ArchivedStream found =
        now.withSegments(list(before.agent()).getOrDefault(before.prefix(), List.of()));
    for (PackName pack : packs) {
      if (refuted.contains(pack)) {
        found = found.withDamage(Damage.of(pack.key(), REFUTED));
      }
    }
    return found;
  }

  private static Set<PackName> packsOf(ArchivedStream stream) {
    return stream.segments().stream()
        .flatMap(segment -> segment.pack().stream())
        .map(at -> at.pack().name())
        .collect(Collectors.toSet());
  }

  /**
   * Returns what the packs of an agent hold without those that were noted to be gone. Of several
   * threads that want it at the same time, one lists; the others wait without the lock. A listing
   * serves until a pack is gone that it has: where none can be read, one is enough.
   */
  private Map<String, List<StoredSegment>> list(String agent) throws IOException {
    while (true) {
      Listing listing;
      boolean mine = false;
      synchronized (this) {
        Listing known = listings.get(agent);
        if (known == null || isOutdated(known)) {
          known = new Listing(new FutureTask<>(() -> Held.of(lister.list(agent))), gone.size());
          mine = true;
          listings.put(agent, known);
        }
        listing = known;
      }
      if (mine) {
        listing.task.run();
      }
      try {
        Held held = listing.task.get();
        if (mine || !isOutdated(listing)) {
          return held.segments();
        }
      } catch (ExecutionException e) {
        synchronized (this) {
          listings.remove(agent, listing);
        }
        if (mine) {
          throw PackReader.rethrown(Objects.requireNonNull(e.getCause()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for a list of packs");
      }
    }
  }

  /**
   * Returns whether a listing is over that has packs which were noted to be gone since it began.
   */
  private synchronized boolean isOutdated(Listing listing) {
    if (listing.task.state() != Future.State.SUCCESS) {
      return false;
    }
    Set<PackName> packs = listing.task.resultNow().packs();
    while (listing.losses < gone.size() && !packs.contains(gone.get(listing.losses))) {
      listing.losses++;
    }
    return listing.losses < gone.size();
  }
}
