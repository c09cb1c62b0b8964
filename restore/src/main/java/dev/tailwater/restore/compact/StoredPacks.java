package dev.tailwater.restore.compact;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListOrder;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.Retry;
import dev.tailwater.restore.read.RangeSums;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The packs at a destination: lists, reads, puts and removes them. For one thread. */
final class StoredPacks {
  private static final int PAGE_ENTRIES = 1000;

  private final Destination destination;
  private final ReadOptions options;
  private final Retry retry;
  private final PackOpener opener;

  StoredPacks(Destination destination, ReadOptions options) {
    this.destination = destination;
    this.options = options;
    this.opener = new PackOpener(options.authenticity().trust());
    this.retry = new Retry(options.retry(), options.random());
  }

  /** Returns whether a copy of the front of a pack may be handed on. */
  boolean isSound(PackFront front) {
    return front.isSound(opener);
  }

  /** A pack of a listing. */
  record Listed(PackName name, long objectBytes, long modifiedMillis) {}

  /** The packs of a group number their streams together. */
  record Group(String agent, PackGroup name) implements Comparable<Group> {
    @Override
    public int compareTo(Group other) {
      int byAgent = agent.compareTo(other.agent);
      return byAgent == 0 ? name.compareTo(other.name) : byAgent;
    }
  }

  /** Lists all packs. */
  Map<Group, List<Listed>> groups(Optional<String> agent) throws IOException {
    Map<Group, List<Listed>> groups = new TreeMap<>();
    for (Listed pack : list(agent.map(PackName::prefix).orElse(""))) {
      Group group = new Group(pack.name().id().agent(), pack.name().id().group());
      groups.computeIfAbsent(group, any -> new ArrayList<>()).add(pack);
    }
    return groups;
  }

  /** Lists the packs of an agent. */
  List<Listed> ofAgent(String agent) throws IOException {
    return list(PackName.prefix(agent));
  }

  /** Lists the manifests of an agent. */
  List<ListedManifest> manifests(String agent) throws IOException {
    List<ListedManifest> manifests = new ArrayList<>();
    forEach(
        ManifestName.prefix(agent),
        entry ->
            ManifestName.parse(entry.key())
                .ifPresent(name -> manifests.add(new ListedManifest(name, entry.sizeBytes()))));
    return manifests;
  }

  /** Reads a manifest; one that is too long only in part. */
  byte[] read(ListedManifest manifest) throws IOException {
    long most = Math.min(manifest.objectBytes(), ManifestFormat.MAX_OBJECT_BYTES);
    return read(manifest.name().key(), most);
  }

  /** Lists the segments of an agent. */
  StoredSegments segments(String agent) throws IOException {
    StoredSegments segments = new StoredSegments();
    forEach(
        ArchiveNames.agentPrefix(agent),
        entry ->
            ArchiveNames.parse(entry.key())
                .filter(ArchiveObject.Segment.class::isInstance)
                .map(ArchiveObject.Segment.class::cast)
                .ifPresent(segments::add));
    return segments;
  }

  /**
   * Reads a segment as a whole, and returns checksums of ranges in it.
   *
   * @throws ArchiveException it is damaged, not authentic, or no identity opens it
   */
  RangeSums sums(ArchiveObject.Segment name, List<ByteRange> ranges) throws IOException {
    return retry.call(
        () -> {
          RangeSums sums = new RangeSums(name.range().startBytes(), ranges);
          try (InputStream object = destination.read(name.key(), 0, Long.MAX_VALUE)) {
            new SegmentOpener(options.authenticity().trust())
                .open(name, object, options.identities(), sums);
            return sums;
          } catch (DestinationException | ArchiveException e) {
            throw e;
          } catch (IOException e) {
            throw broken(name.key(), e);
          }
        });
  }

  private TransientDestinationException broken(String key, IOException e) {
    return TransientDestinationException.whileReading(destination.uri(), key, e);
  }

  /** Lists the packs of a group. */
  List<Listed> list(Group group) throws IOException {
    return list(PackName.prefix(group.agent(), group.name()));
  }

  private List<Listed> list(String prefix) throws IOException {
    List<Listed> packs = new ArrayList<>();
    forEach(
        prefix,
        entry ->
            PackName.parse(entry.key())
                .ifPresent(
                    name ->
                        packs.add(new Listed(name, entry.sizeBytes(), entry.modifiedMillis()))));
    return packs;
  }

  private void forEach(String prefix, Consumer<Entry> visitor) throws IOException {
    Optional<String> after = Optional.empty();
    ListOrder order = new ListOrder(destination.uri(), prefix, after);
    do {
      Optional<String> from = after;
      Listing page = retry.call(() -> destination.list(prefix, from, PAGE_ENTRIES));
      order.check(page);
      page.entries().forEach(visitor);
      after = page.nextAfter();
    } while (after.isPresent());
  }

  /**
   * Reads a directory.
   *
   * @throws DamagedSegmentException the pack is damaged, or no identity opens it
   * @throws DestinationException it cannot be read
   */
  StoredPack open(Listed listed) throws IOException {
    PackName name = listed.name();
    byte[] front = read(name, PackOpener.wantedBytes(name));
    OpenedPack opened = opener.open(name, new ByteArrayInputStream(front), options.identities());
    if (opened.objectBytes() != listed.objectBytes()) {
      throw new DamagedSegmentException(
          name.key(),
          0,
          "it has "
              + listed.objectBytes()
              + " bytes, and its directory is that of "
              + opened.objectBytes());
    }
    List<AgeStanza> carried =
        name.encrypted()
            ? opener.stanzasForAgent(name, new ByteArrayInputStream(front))
            : List.of();
    return new StoredPack(name, listed.objectBytes(), opened, carried);
  }

  /**
   * Puts a pack or a manifest. One whose first answer was lost is there already, as another one of
   * its name would be: where that can exist, it must be read back.
   */
  void put(String key, ByteBuffer content) throws IOException {
    retry.call(() -> destination.putSegment(key, content));
  }

  /** Removes a pack or a manifest, if it is there. */
  void delete(String key) throws IOException {
    retry.call(
        () -> {
          destination.delete(key);
          return key;
        });
  }

  /**
   * Reads a pack as a whole.
   *
   * @throws DamagedSegmentException it is longer than what is held in memory
   */
  byte[] readWhole(StoredPack pack) throws IOException {
    if (pack.objectBytes() > PackChunks.MOST_READ_BYTES) {
      throw new DamagedSegmentException(
          pack.name().key(),
          0,
          "it has "
              + pack.objectBytes()
              + " bytes, and no pack that is made from others has more than "
              + PackChunks.MOST_READ_BYTES);
    }
    return read(pack.name(), pack.objectBytes());
  }

  /** Reads the first bytes of a pack. */
  byte[] read(PackName name, long mostBytes) throws IOException {
    return read(name.key(), mostBytes);
  }

  private byte[] read(String key, long mostBytes) throws IOException {
    return retry.call(
        () -> {
          try (InputStream object = destination.read(key, 0, mostBytes)) {
            return object.readAllBytes();
          } catch (DestinationException e) {
            throw e;
          } catch (IOException e) {
            throw broken(key, e);
          }
        });
  }
}
