package dev.tailwater.delivery.merge;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.delivery.merge.MergeSteps.Outcome;
import dev.tailwater.delivery.pack.ManifestStore;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The steps of writing manifests, which save readers from opening every pack: when {@value
 * UnlistedPacks#FULL_PACKS} packs are long enough to stay, their fronts are put as one object; when
 * as many such objects are short, they become one. Nothing depends on that, so nothing is noted,
 * and whatever fails is done later or not at all.
 *
 * <p>Used by the merger's thread, except for {@link #add}, {@link #merged}, {@link #isFull} and
 * {@link #isEmpty}.
 */
final class ManifestSteps {
  private static final String SUBJECT = "manifests";
  private static final String HINT =
      "Nothing is lost or at risk; readers of the archive need more requests.";

  /** A manifest of this length is long enough. */
  static final int LONG_BYTES = UnlistedPacks.FULL_BYTES / 2;

  /** So many short ones are joined. */
  static final int FAN = 16;

  private final ManifestStore store;
  private final RandomGenerator random;
  private final Clocks clocks;
  private final PackInventory packs;
  private final Predicate<PackFront> isSound;
  private final Problems problems;
  private final AtomicBoolean forbidden;
  private final MergeWriter.Turn turn;
  private final Consumer<Boolean> uploading;
  private final UnlistedPacks unlisted = new UnlistedPacks();

  /** Manifests that a rule of the bucket has moved to cold storage: they stay as they are. */
  private final Set<ManifestName> cold = new HashSet<>();

  /** How many manifests to write before looking whether there are many. */
  private int writesBeforeLook = 1;

  /**
   * Creates the steps of one merger.
   *
   * @param forbidden set when the destination forbids to remove
   * @param uploading told true before an upload begins that may be interrupted, and false when it
   *     has ended
   */
  ManifestSteps(
      PackMerging tools,
      RandomGenerator random,
      Clocks clocks,
      Problems problems,
      AtomicBoolean forbidden,
      MergeWriter.Turn turn,
      Consumer<Boolean> uploading) {
    this.store = tools.manifests();
    this.packs = tools.inventory();
    this.isSound = tools.isSound();
    this.random = random;
    this.clocks = clocks;
    this.problems = problems;
    this.forbidden = forbidden;
    this.turn = turn;
    this.uploading = uploading;
  }

  /** Notes a durable pack that will stay; returns whether there is something to write now. */
  boolean add(PackFront front) {
    return unlisted.add(front);
  }

  /** Notes packs that were merged. */
  void merged(Collection<String> keys) {
    unlisted.merged(keys);
  }

  /** Returns whether a manifest is to be written. */
  boolean isFull() {
    return unlisted.isFull();
  }

  /** Returns whether every pack that will stay is in a manifest. */
  boolean isEmpty() {
    return unlisted.isEmpty();
  }

  /**
   * Writes a manifest, and joins short ones if there are many.
   *
   * @param isLast whether the agent ends: then nobody waits for others, and nothing is joined
   */
  Outcome next(boolean isLast) {
    try {
      List<PackFront> fronts = unlisted.all();
      long nowNanos = TimeUnit.MILLISECONDS.toNanos(clocks.millis());
      ManifestName name = ManifestName.of(store.agent(), nowNanos, random);
      if (isLast) {
        store.put(name, fronts);
      } else {
        turn.await();
        upload(() -> store.put(name, fronts));
      }
      unlisted.listed(fronts);
      writesBeforeLook--;
      if (!isLast && writesBeforeLook <= 0 && !forbidden.get()) {
        writesBeforeLook = 1; // In case it fails.
        lookAndJoin();
      }
      problems.resolved(SUBJECT);
      return Outcome.FINISHED;
    } catch (MergeWriter.AbandonedException e) {
      return Outcome.UNFINISHED;
    } catch (DestinationException e) {
      report(String.valueOf(e.getMessage()), e.permanent());
      return e.permanent() ? Outcome.REFUSED : Outcome.FAILED;
    } catch (IOException e) {
      report(String.valueOf(e.getMessage()), false);
      return Outcome.FAILED;
    }
  }

  private void lookAndJoin() throws IOException {
    try {
      writesBeforeLook = Math.max(1, FAN - look());
    } catch (RefusedDestinationException e) {
      // An agent that may only create: somebody else joins manifests.
      writesBeforeLook = Integer.MAX_VALUE;
    }
  }

  private interface Upload {
    void run() throws DestinationException;
  }

  private void upload(Upload put) throws IOException {
    try {
      uploading.accept(true);
      put.run();
    } catch (DestinationException e) {
      turn.await(); // Abandoned, if the failure comes from the interrupt that does that.
      throw e;
    } finally {
      uploading.accept(false);
    }
  }

  private void report(String message, boolean permanent) {
    problems.reportHarmless(SUBJECT, message, Optional.of(HINT), permanent);
  }

  /** Joins short manifests if there are many; returns how many short ones there are. */
  private int look() throws IOException {
    List<ListedManifest> all = store.list();
    Set<ManifestName> superseded =
        ManifestName.superseded(all.stream().map(ListedManifest::name).toList());
    // What an earlier join left.
    if (!remove(superseded)) {
      return 0;
    }
    List<ListedManifest> present =
        all.stream().filter(one -> !superseded.contains(one.name())).toList();
    int shortOnes = (int) present.stream().filter(this::isShort).count();
    List<ListedManifest> some = shortOnes < FAN ? List.of() : neighbours(present);
    if (some.isEmpty()) {
      return shortOnes;
    }
    return join(some) ? shortOnes - some.size() + 1 : shortOnes - 1;
  }

  /** A joined manifest covers all between the first and the last: none that cannot be read. */
  private boolean isShort(ListedManifest manifest) {
    return manifest.objectBytes() < LONG_BYTES && !cold.contains(manifest.name());
  }

  /** Returns short ones that follow each other and fit one: the most. */
  private List<ListedManifest> neighbours(List<ListedManifest> manifests) {
    List<ListedManifest> most = List.of();
    List<ListedManifest> some = new ArrayList<>();
    long bytes = 0;
    for (ListedManifest one : manifests) {
      bytes += one.objectBytes();
      if (!isShort(one) || bytes > UnlistedPacks.FULL_BYTES) {
        some.clear();
        bytes = one.objectBytes();
      }
      if (isShort(one)) {
        some.add(one);
      }
      if (some.size() > Math.max(1, most.size())) {
        most = List.copyOf(some);
      }
    }
    return most;
  }

  /** Joins manifests; false when one of them is in cold storage. */
  private boolean join(List<ListedManifest> manifests) throws IOException {
    Map<PackName, PackFront> fronts = new LinkedHashMap<>();
    List<ManifestName> joined = new ArrayList<>();
    for (ListedManifest manifest : manifests) {
      turn.await();
      try {
        // What readers would not use is not handed on: they open these packs themselves.
        store.read(manifest).stream()
            .filter(isSound)
            .forEach(front -> fronts.put(front.name(), front));
        joined.add(manifest.name());
      } catch (DamagedSegmentException e) {
        report("a damaged manifest is removed: " + e.getMessage(), false);
        joined.add(manifest.name());
      } catch (UnsupportedFormatException e) {
        // Somebody newer takes care of it.
      } catch (ColdObjectException e) {
        cold.add(manifest.name()); // The next look joins others.
        return false;
      }
    }
    Map<PackName, Long> present =
        fronts.isEmpty() ? Map.of() : packs.lengthsBetween(fronts.keySet());
    List<PackFront> wanted =
        fronts.values().stream()
            .filter(front -> present.getOrDefault(front.name(), -1L) == front.objectBytes())
            .toList();
    if (!wanted.isEmpty()) {
      turn.await();
      upload(() -> store.put(ManifestName.join(joined, random), wanted));
    }
    remove(joined);
    return true;
  }

  /** Removes manifests; false when the destination forbids that. */
  private boolean remove(Collection<ManifestName> names) throws DestinationException {
    try {
      for (ManifestName name : names) {
        store.remove(name);
      }
      return true;
    } catch (RefusedDestinationException e) {
      forbidden.set(true);
      report("manifests cannot be removed: " + e.getMessage(), true);
      return false;
    }
  }
}
