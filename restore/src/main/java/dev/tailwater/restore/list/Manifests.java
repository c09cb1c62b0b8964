package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * The manifests of a listing: they repeat the fronts of packs, so that these need not be opened one
 * by one. Whatever is wrong with a manifest costs requests and nothing else. For one use by one
 * thread.
 *
 * <p>Bounds: no more manifests are read than packs are wanted, and not many more bytes than these
 * packs have in their fronts. Memory: one manifest for each job.
 */
final class Manifests {
  private final SegmentSource source;
  private final int jobs;
  private final List<ListedManifest> listed;
  private final Map<PackName, ListedPack> wanted = new HashMap<>();
  private final Map<PackName, OpenedPack> opened = new ConcurrentHashMap<>();
  private final Map<ManifestName, Damage> failed = new ConcurrentHashMap<>();
  private final Queue<Forged> forged = new ConcurrentLinkedQueue<>();

  /** The front of a pack in a manifest, with no signature that counts. */
  private record Forged(ManifestName manifest, PackName pack, NotAuthenticException why) {}

  Manifests(SegmentSource source, List<ListedManifest> listed, int jobs) {
    this.source = source;
    this.listed = listed;
    this.jobs = jobs;
  }

  /**
   * Opens packs that manifests repeat.
   *
   * @return those that could be opened; the others must be opened themselves
   * @throws IOException the thread was interrupted
   */
  Map<PackName, OpenedPack> open(List<ListedPack> packs) throws IOException {
    packs.forEach(pack -> wanted.put(pack.name(), pack));
    Set<ManifestName> tried = new HashSet<>();
    while (true) {
      List<ListedManifest> next =
          ListedManifest.worthReading(
              current().stream().filter(one -> !tried.contains(one.name())).toList(), unopened());
      if (next.isEmpty()) {
        return opened;
      }
      next.forEach(one -> tried.add(one.name()));
      Jobs.forEach("restore-manifests", next, jobs, this::read);
      // What a damaged one was joined of may still be there.
      if (next.stream().noneMatch(one -> failed.containsKey(one.name()))) {
        return opened;
      }
    }
  }

  private List<ListedManifest> current() {
    return ListedManifest.current(
        listed.stream().filter(one -> !failed.containsKey(one.name())).toList());
  }

  /** Returns the packs that no manifest has told of yet, with their lengths. */
  private Map<PackName, Long> unopened() {
    Map<PackName, Long> unopened = new HashMap<>();
    for (ListedPack pack : wanted.values()) {
      if (!opened.containsKey(pack.name())) {
        unopened.put(pack.name(), pack.objectBytes());
      }
    }
    return unopened;
  }

  private void read(ListedManifest manifest) throws IOException {
    String key = manifest.name().key();
    try {
      byte[] object = source.whole(key, manifest.objectBytes());
      for (PackFront front : ManifestFormat.decode(manifest.name(), object)) {
        ListedPack pack = wanted.get(front.name());
        if (pack != null
            && pack.objectBytes() == front.objectBytes()
            && !opened.containsKey(front.name())) {
          open(manifest, front);
        }
      }
    } catch (ArchiveException e) {
      failed.put(manifest.name(), Damage.of(e));
    } catch (NoSuchObjectException e) {
      // Joined with others meanwhile: the packs are opened themselves.
    } catch (DestinationException e) {
      failed.put(manifest.name(), Damage.unreadable(key, e));
    }
  }

  private void open(ListedManifest manifest, PackFront front) throws IOException {
    try {
      OpenedPack pack = source.open(front);
      if (pack.objectBytes() == front.objectBytes()) {
        opened.put(front.name(), pack);
      }
    } catch (NotAuthenticException e) {
      forged.add(new Forged(manifest.name(), front.name(), e));
    } catch (DamagedSegmentException e) {
      failed.put(
          manifest.name(),
          Damage.of(
              manifest.name().key(), "what it repeats of a pack is damaged: " + e.getMessage()));
    } catch (ArchiveException e) {
      // Locked, or of a newer version: the pack itself tells.
    }
  }

  /**
   * Notes the manifests that say of a pack what no trusted key has signed, although one has signed
   * the pack. Where the pack itself is not authentic, that is noted already.
   */
  void noteForged(Predicate<PackName> isAuthentic) {
    for (Forged one : forged) {
      if (isAuthentic.test(one.pack())) {
        source.note(
            new NotAuthenticException(
                one.manifest().key(),
                false,
                "what it repeats is not what the pack says. Hint: remove it, nothing is lost ("
                    + one.why().getMessage()
                    + ")"));
      }
    }
  }

  /** Returns manifests that are damaged. */
  List<Damage> damages() {
    return failed.values().stream().sorted(Comparator.comparing(Damage::key)).toList();
  }
}
