package dev.tailwater.restore.list;

import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.list.ListOrder;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.Retry;
import dev.tailwater.restore.StoredSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A listing of all objects of a destination, grouped by stream. For one use by one thread. */
final class ArchiveLister {
  private static final int PAGE_ENTRIES = 1000;

  private final Destination destination;
  private final Retry retry;
  private final RestoreProgress progress;
  private final ListedStreams streams = new ListedStreams();
  private final List<ListedPack> packs = new ArrayList<>();
  private final List<ListedManifest> manifests = new ArrayList<>();
  private final List<ListedPack> treePacks = new ArrayList<>();
  private final List<ReceiptName> receipts = new ArrayList<>();
  private final SortedSet<String> agents = new TreeSet<>();
  private boolean ofEveryAgent;
  private final Map<String, Long> lastDrainMillis = new LinkedHashMap<>();
  private final Map<String, Long> newestMillis = new HashMap<>();
  private final List<String> foreignKeys = new ArrayList<>();
  private long foreignCount;
  private long objects;

  ArchiveLister(Destination destination, Retry retry, RestoreProgress progress) {
    this.destination = destination;
    this.retry = retry;
    this.progress = progress;
  }

  /**
   * Adds all objects whose keys start with the prefix.
   *
   * @throws IOException the destination failed for good or longer than the retries last
   */
  ArchiveLister list(String prefix) throws IOException {
    ofEveryAgent = prefix.isEmpty();
    Optional<String> after = Optional.empty();
    ListOrder order = new ListOrder(destination.uri(), prefix, after);
    do {
      Optional<String> from = after;
      Listing page = retry.call(() -> destination.list(prefix, from, PAGE_ENTRIES));
      order.check(page);
      page.entries().forEach(this::add);
      after = page.nextAfter();
      progress.listed(objects, streams.size());
    } while (after.isPresent());
    return this;
  }

  private void add(Entry entry) {
    objects++;
    Optional<ArchiveObject> parsed = ArchiveNames.parse(entry.key());
    if (parsed.isEmpty()) {
      addOther(entry);
      return;
    }
    ArchiveObject object = parsed.get();
    newestMillis.merge(object.agent(), entry.modifiedMillis(), Math::max);
    agents.add(object.agent());
    ListedStream stream = streams.of(StreamName.of(object));
    switch (object) {
      case ArchiveObject.Segment segment ->
          stream.addSegment(
              new StoredSegment(
                  segment.range(),
                  entry.sizeBytes(),
                  entry.modifiedMillis(),
                  segment.gzip(),
                  segment.encrypted(),
                  Optional.empty()));
      case ArchiveObject.Gap gap -> stream.addGap(gap.range());
      case ArchiveObject.Stream record -> {
        stream.hasRecord = true;
        stream.recordModifiedMillis = entry.modifiedMillis();
      }
    }
  }

  private void addOther(Entry entry) {
    Optional<PackName> pack = PackName.parse(entry.key());
    if (pack.isPresent()) {
      agents.add(pack.get().id().agent());
      newestMillis.merge(pack.get().id().agent(), newestMillis(pack.get(), entry), Math::max);
      packs.add(new ListedPack(pack.get(), entry.sizeBytes(), entry.modifiedMillis()));
      return;
    }
    Optional<ManifestName> manifest = ManifestName.parse(entry.key());
    if (manifest.isPresent()) {
      // It repeats what is in packs, and is no news of the agent.
      manifests.add(new ListedManifest(manifest.get(), entry.sizeBytes()));
      return;
    }
    Optional<PackName> tree = PackName.parse(entry.key(), PackName.Folder.TREE);
    if (tree.isPresent()) {
      // It says nothing of streams, so a drain is not out of date by it.
      treePacks.add(new ListedPack(tree.get(), entry.sizeBytes(), entry.modifiedMillis()));
      return;
    }
    Optional<ReceiptName> receipt = ReceiptName.parse(entry.key());
    if (receipt.isPresent()) {
      agents.add(receipt.get().agent());
      receipts.add(receipt.get());
      return;
    }
    Optional<String> agent = ArchiveNames.agentOfObject(entry.key());
    if (agent.filter(a -> entry.key().equals(ArchiveNames.lastDrain(a))).isPresent()) {
      lastDrainMillis.put(agent.get(), entry.modifiedMillis());
    } else if (agent.isEmpty()) {
      foreignCount++;
      if (foreignKeys.size() < ForeignObjects.MAX_KEYS) {
        foreignKeys.add(entry.key());
      }
    }
  }

  /** A merged pack may be much younger than what it holds. */
  private static long newestMillis(PackName pack, Entry entry) {
    return pack.id().isMerged()
        ? TimeUnit.NANOSECONDS.toMillis(pack.id().group().begunNanos())
        : entry.modifiedMillis();
  }

  /** The agents with a record of their last drain; true: nothing was delivered after it. */
  Map<String, Boolean> lastDrains() {
    Map<String, Boolean> latest = new LinkedHashMap<>();
    lastDrainMillis.forEach(
        (agent, millis) ->
            latest.put(agent, newestMillis.getOrDefault(agent, Long.MIN_VALUE) <= millis));
    return latest;
  }

  List<ListedStream> streams() {
    return streams.all();
  }

  /**
   * Reads the packs that were listed, and adds what they hold to the streams.
   *
   * @return the packs
   */
  PackCatalog readPacks(SegmentSource source, int jobs) throws IOException {
    List<ListedManifest> used = source.usesManifests() ? manifests : List.of();
    return PackCatalog.read(
        source, packs, this::packsAgain, new Manifests(source, used, jobs), streams, jobs);
  }

  /** Lists the packs of the same agents again. */
  private List<ListedPack> packsAgain() throws IOException {
    List<ListedPack> again = new ArrayList<>();
    for (String agent : new TreeSet<>(agentsOfPacks())) {
      ArchiveLister lister = new ArchiveLister(destination, retry, RestoreProgress.none());
      again.addAll(lister.list(PackName.prefix(agent)).packs);
    }
    return again;
  }

  /** The agents of packs, whether or not these can be read. */
  Set<String> agentsOfPacks() {
    return packs.stream().map(pack -> pack.name().id().agent()).collect(Collectors.toSet());
  }

  /** The packs that tell directories. */
  List<ListedPack> treePacks() {
    return List.copyOf(treePacks);
  }

  /** All agents that have objects of streams, packs or receipts. */
  SortedSet<String> agents() {
    return agents;
  }

  /** Whether the objects of all agents were listed. */
  boolean isOfEveryAgent() {
    return ofEveryAgent;
  }

  List<ReceiptName> receipts() {
    return List.copyOf(receipts);
  }

  /** Lists the receipts of an agent again. */
  List<ReceiptName> receiptsAgain(String agent) throws IOException {
    return again(ReceiptName.prefix(agent)).receipts();
  }

  /** Lists all objects again whose keys start with the prefix. */
  ArchiveLister again(String prefix) throws IOException {
    return new ArchiveLister(destination, retry, RestoreProgress.none()).list(prefix);
  }

  List<PackName> packNames() {
    return packs.stream().map(ListedPack::name).toList();
  }

  /** Returns the stream whose keys begin like this. */
  Optional<ListedStream> stream(String streamPrefix) {
    return streams.find(streamPrefix);
  }

  ForeignObjects foreign() {
    return new ForeignObjects(foreignCount, List.copyOf(foreignKeys));
  }

  long objects() {
    return objects;
  }
}
