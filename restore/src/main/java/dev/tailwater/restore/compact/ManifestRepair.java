package dev.tailwater.restore.compact;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackCover;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Writes the manifests of one agent such that they are few, list every pack that stays, and list
 * nothing else. It needs no key. What is missing or short is written first, then what that replaces
 * is removed, so a crash leaves manifests that say the same. For one thread.
 *
 * <p>Memory: the fronts of one manifest, twice.
 */
final class ManifestRepair {
  /** A manifest is written when it has this length, and one of half of it stays as it is. */
  static final int FULL_BYTES = 16 << 20;

  private final StoredPacks packs;
  private final RandomGenerator random;
  private final CompactCount count;
  private final String agent;
  private final List<PackFront> pending = new ArrayList<>();
  private long pendingBytes;

  ManifestRepair(StoredPacks packs, RandomGenerator random, CompactCount count, String agent) {
    this.packs = packs;
    this.random = random;
    this.count = count;
    this.agent = agent;
  }

  /**
   * Repairs the manifests.
   *
   * @param nowMillis the time, for the names of new ones
   * @param beforeMillis younger packs need not be listed, unless they are merged: they may still be
   */
  void run(long nowMillis, long beforeMillis) throws IOException {
    Map<PackName, StoredPacks.Listed> present = present();
    List<ListedManifest> all = packs.manifests(agent);
    List<ListedManifest> current = ListedManifest.current(all);
    List<ListedManifest> useless = new ArrayList<>(all);
    useless.removeAll(current);
    Set<PackName> listed = new HashSet<>();
    List<ListedManifest> shortOnes = new ArrayList<>();
    for (ListedManifest manifest : current) {
      Optional<Long> usefulBytes = read(manifest, present, listed);
      if (usefulBytes.filter(bytes -> bytes == 0).isPresent()) {
        useless.add(manifest);
      } else if (usefulBytes.filter(bytes -> bytes < FULL_BYTES / 2).isPresent()) {
        shortOnes.add(manifest);
      }
    }
    List<StoredPacks.Listed> missing =
        present.values().stream()
            .filter(pack -> !listed.contains(pack.name()))
            .filter(pack -> pack.modifiedMillis() <= beforeMillis || pack.name().id().isMerged())
            .toList();
    if (shortOnes.size() > 1 || !missing.isEmpty()) {
      write(shortOnes, missing, present, nowMillis);
      useless.addAll(shortOnes);
    }
    for (ListedManifest manifest : useless) {
      packs.delete(manifest.name().key());
      count.removedManifests++;
    }
  }

  /** Returns the packs that are there and worth a copy of their fronts. */
  private Map<PackName, StoredPacks.Listed> present() throws IOException {
    List<StoredPacks.Listed> all = packs.ofAgent(agent);
    Set<PackName> superseded =
        PackCover.superseded(all.stream().map(StoredPacks.Listed::name).toList());
    Map<PackName, StoredPacks.Listed> present = new TreeMap<>();
    for (StoredPacks.Listed pack : all) {
      if (!superseded.contains(pack.name()) && PackFront.isShort(pack.name(), pack.objectBytes())) {
        present.put(pack.name(), pack);
      }
    }
    return present;
  }

  /**
   * Notes what a manifest lists.
   *
   * @return how many of its bytes are of use; empty if only a newer version can tell
   */
  private Optional<Long> read(
      ListedManifest manifest, Map<PackName, StoredPacks.Listed> present, Set<PackName> listed)
      throws IOException {
    long usefulBytes = 0;
    try {
      for (PackFront front : fronts(manifest)) {
        if (isOf(front, present) && listed.add(front.name())) {
          usefulBytes += ManifestFormat.lengthBytes(front);
        }
      }
      return Optional.of(usefulBytes);
    } catch (UnsupportedFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean isOf(PackFront front, Map<PackName, StoredPacks.Listed> present) {
    return Optional.ofNullable(present.get(front.name()))
        .filter(pack -> pack.objectBytes() == front.objectBytes())
        .isPresent();
  }

  /** Returns what a manifest repeats of packs as they are: nothing if it is damaged or gone. */
  private List<PackFront> fronts(ListedManifest manifest) throws IOException {
    try {
      return ManifestFormat.decode(manifest.name(), packs.read(manifest)).stream()
          .filter(packs::isSound)
          .toList();
    } catch (NoSuchObjectException e) {
      return List.of(); // The agent joined it with others.
    } catch (DamagedSegmentException e) {
      count.damages.add(Damage.of(e));
      return List.of();
    }
  }

  private void write(
      List<ListedManifest> shortOnes,
      List<StoredPacks.Listed> missing,
      Map<PackName, StoredPacks.Listed> present,
      long nowMillis)
      throws IOException {
    Set<PackName> written = new HashSet<>();
    for (ListedManifest manifest : shortOnes) {
      for (PackFront front : fronts(manifest)) {
        if (isOf(front, present) && written.add(front.name())) {
          add(front, nowMillis);
        }
      }
    }
    for (StoredPacks.Listed pack : missing) {
      int length = PackFront.lengthBytes(pack.name(), pack.objectBytes());
      try {
        byte[] bytes = packs.read(pack.name(), length);
        if (bytes.length == length) {
          PackFront front = new PackFront(pack.name(), pack.objectBytes(), bytes);
          if (packs.isSound(front)) {
            add(front, nowMillis);
          }
        }
      } catch (NoSuchObjectException e) {
        // Merged just now.
      }
    }
    flush(nowMillis);
  }

  private void add(PackFront front, long nowMillis) throws IOException {
    pending.add(front);
    pendingBytes += ManifestFormat.lengthBytes(front);
    if (pendingBytes >= FULL_BYTES) {
      flush(nowMillis);
    }
  }

  private void flush(long nowMillis) throws IOException {
    if (!pending.isEmpty()) {
      // Names of the same time would supersede each other.
      long nanos = TimeUnit.MILLISECONDS.toNanos(nowMillis) + count.manifests;
      ManifestName name = ManifestName.of(agent, nanos, random);
      packs.put(name.key(), ByteBuffer.wrap(ManifestFormat.encode(pending)));
      count.manifests++;
      pending.clear();
      pendingBytes = 0;
    }
  }
}
