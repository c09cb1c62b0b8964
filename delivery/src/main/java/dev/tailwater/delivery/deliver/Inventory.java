package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.pack.EpochBound;
import dev.tailwater.delivery.pack.HeldStream;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.trust.AcknowledgedRanges;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.delivery.trust.DoubtedStream;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.UnsuitableKeyException;
import dev.tailwater.destination.list.ListedEntries;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a destination already holds of an agent's streams, which a restart must know. It is found by
 * listing names, and where those do not suffice, in the headers of single segments.
 */
public final class Inventory {

  /** For so many streams one listing is enough; about 100 bytes each. */
  private static final int MAX_LISTED = 100_000;

  /** Enough for a plain header, and for an age header with a few dozen recipients. */
  private static final int PEEK_BYTES = 8 * 1024;

  private final Destination destination;
  private final Optional<PackInventory> packs;

  /** What one listing told of streams for which nobody has asked since, by prefix. */
  private final Map<String, Holding> listed = new ConcurrentHashMap<>();

  /** Written by whoever asks for all streams. */
  private volatile long lastWrittenMillis;

  /** Creates an inventory of an agent whose packs nobody has to know. */
  public Inventory(Destination destination) {
    this(destination, Optional.empty());
  }

  /**
   * Creates an inventory.
   *
   * @param packs what the packs hold that no checkpoint may know
   */
  public Inventory(Destination destination, Optional<PackInventory> packs) {
    this.destination = destination;
    this.packs = packs;
  }

  /** Returns which objects at the destination are believed; empty: all. */
  private Optional<ArchiveTrust> trust() {
    return packs.map(PackInventory::trust).filter(ArchiveTrust::isChecked);
  }

  /**
   * Returns the keys of segments that may be removed, since all of their bytes are in a longer one.
   */
  public List<String> superseded(Collection<Holding> holdings) throws DestinationException {
    return packs.isEmpty()
        ? List.of()
        : new SupersededSegments(destination, this, packs.get().trust()).keys(holdings);
  }

  /** Returns the ranges of a stream's segments that end beyond the offset. */
  public List<ByteRange> segmentsBeyond(String streamPrefix, long offsetBytes)
      throws DestinationException {
    return stream(PosixPath.EMPTY, streamPrefix, offsetBytes).ranges().stream()
        .filter(range -> range.endBytes() > offsetBytes)
        .toList();
  }

  /** Returns the segments of a stream whose ranges lie in the given one, in the order of keys. */
  public List<ArchiveObject.Segment> segmentsWithin(String streamPrefix, ByteRange range)
      throws DestinationException {
    // Names begin with the start of their range, so those before it need not be listed.
    String first = ArchiveNames.gap(streamPrefix, range);
    Optional<String> after = Optional.of(first.substring(0, first.lastIndexOf('-')));
    List<ArchiveObject.Segment> segments = new ArrayList<>();
    ListedEntries all = new ListedEntries(destination, streamPrefix, after);
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      if (ArchiveNames.parse(next.get().key()).orElse(null)
          instanceof ArchiveObject.Segment found) {
        if (found.range().startBytes() >= range.endBytes()) {
          break;
        }
        if (range.contains(found.range())) {
          segments.add(found);
        }
      }
    }
    return segments;
  }

  /** Returns what a segment states about its content; empty when it is damaged or states none. */
  Optional<ContentStanza> peekContent(ArchiveObject.Segment segment) throws IOException {
    return new SegmentOpener().peekContent(segment, firstBytes(segment));
  }

  /**
   * Returns the file's mtime when the bytes of a segment were read; empty if it is encrypted,
   * damaged, or in cold storage.
   */
  public OptionalLong readWithNanos(ArchiveObject.Segment segment) throws IOException {
    if (segment.encrypted()) {
      return OptionalLong.empty();
    }
    byte[] first;
    try {
      first = firstBytes(segment);
    } catch (ColdObjectException e) {
      return OptionalLong.empty(); // Nor does it for its content.
    }
    try {
      SegmentHeader header =
          new SegmentOpener().openHeader(segment, new ByteArrayInputStream(first), List.of());
      return OptionalLong.of(header.modificationTimeNanos());
    } catch (IOException damaged) {
      return OptionalLong.empty(); // Whoever reads it for its content reports that.
    }
  }

  /**
   * Returns when an object outside of packs was written last, by the clock of the destination; 0 if
   * the streams were not listed, or where only what is signed is believed.
   */
  public long lastWrittenMillis() {
    return lastWrittenMillis;
  }

  /**
   * Returns what an agent has told at the end of its last run that ended; empty where there is no
   * record, or none that is believed.
   */
  public Optional<LastDrain> lastDrain(String agent) throws DestinationException {
    String key = ArchiveNames.lastDrain(agent);
    try (InputStream object = destination.read(key, 0, LastDrain.MAX_BYTES + 1L)) {
      byte[] json = object.readNBytes(LastDrain.MAX_BYTES + 1);
      if (trust().isPresent()) {
        trust().get().keys().requireRecord(key, agent, json);
      }
      return Optional.of(LastDrain.fromJson(json, agent));
    } catch (NoSuchObjectException | ColdObjectException e) {
      return Optional.empty();
    } catch (ArchiveException e) {
      return Optional.empty(); // Readers report it, and the end of this run replaces it.
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), key, e);
    }
  }

  /** Returns the first bytes of an object, with which it states its content. */
  byte[] firstBytes(ArchiveObject.Segment segment) throws IOException {
    try (InputStream object = destination.read(segment.key(), 0, PEEK_BYTES)) {
      return object.readNBytes(PEEK_BYTES);
    }
  }

  /**
   * Returns what is held of one stream. The first answer comes from the listing of all streams, if
   * there was one: until its file is resumed, nothing of a stream is delivered.
   *
   * @param knownBytes up to where the agent knows by itself what is durable: only segments that
   *     reach further must be signed
   */
  public Holding stream(PosixPath birthPath, String streamPrefix, long knownBytes)
      throws DestinationException {
    Holding known = listed.remove(streamPrefix);
    if (known != null) {
      return known;
    }
    Holding holding = new Holding(streamPrefix, birthPath);
    try {
      var _ =
          each(
              streamPrefix,
              (object, entry) -> {
                switch (answer(object, entry.sizeBytes(), knownBytes)) {
                  case TRUSTED -> holding.add(object);
                  case REFUSED -> holding.doubt();
                  case GONE -> {}
                }
              });
    } catch (UnsuitableKeyException e) {
      // What can never be there is not.
    }
    trust().ifPresent(ArchiveTrust::report);
    packs.flatMap(held -> held.of(streamPrefix)).ifPresent(holding::add);
    return holding;
  }

  private ArchiveTrust.Answer answer(ArchiveObject object, long objectBytes, long knownBytes)
      throws DestinationException {
    Optional<ArchiveTrust> trust = trust();
    return trust.isPresent()
            && object instanceof ArchiveObject.Segment segment
            && segment.range().endBytes() > knownBytes
        ? trust.get().of(segment, objectBytes)
        : ArchiveTrust.Answer.TRUSTED;
  }

  /**
   * Returns what packs say that are not trusted of all streams of one file.
   *
   * @param stream any of them
   */
  public List<HeldStream> doubted(StreamId stream) {
    return packs.map(held -> held.doubted(stream)).orElse(List.of());
  }

  /**
   * Returns what is held of one stream whose file must be compared with it: in all packs, if they
   * have not been read.
   *
   * @param knownBytes see {@link #stream}
   */
  public Holding streamToCompare(PosixPath birthPath, String streamPrefix, long knownBytes)
      throws DestinationException {
    Holding holding = stream(birthPath, streamPrefix, knownBytes);
    if (holding.furthest().isPresent() || packs.isEmpty()) {
      return holding;
    }
    packs.get().readOnce();
    packs.get().of(streamPrefix).ifPresent(holding::add);
    return holding;
  }

  /** Returns whether there may be packs of a stream that the agent cannot read. */
  public boolean leavesOutPacks() {
    return packs.filter(PackInventory::leavesOutPacks).isPresent();
  }

  /** Returns what is held of every stream of the agent, for a reader that believes all objects. */
  public Map<StreamId, Holding> streams(String agent) throws DestinationException {
    return streams(agent, Long.MAX_VALUE);
  }

  /**
   * Returns what is held of every stream of the agent, for an agent that has lost its state. A file
   * of which untrusted objects say something, or whose stream ended with a loss, is at a new
   * stream, of which nothing is held. Streams whose epoch the agent cannot have reached are left
   * out: behind the last of all epochs, a file would never be delivered again.
   *
   * @param nowMillis the time, which no epoch exceeds
   */
  public Map<StreamId, Holding> streams(String agent, long nowMillis) throws DestinationException {
    Map<StreamId, Holding> holdings = new HashMap<>();
    List<DoubtedStream> doubted = new ArrayList<>();
    Listed outside = listStreams(agent, holdings);
    outside.trusted().ifPresent(listing -> doubted.addAll(listing.doubted()));
    if (outside.hasPacks() && packs.isPresent()) {
      packs.get().read(Optional.empty());
      for (HeldStream held : packs.get().all()) {
        holdings
            .computeIfAbsent(
                held.stream(), id -> new Holding(held.streamPrefix(), held.birthPath()))
            .add(held);
      }
      doubted.addAll(packs.get().doubted());
    }
    if (outside.trusted().isPresent()) {
      addDescribed(outside.trusted().get(), holdings, doubted);
    }
    trust().ifPresent(ArchiveTrust::report);
    int highestEpoch = EpochBound.ofOwnStreams(nowMillis);
    holdings.keySet().removeIf(stream -> stream.epoch() > highestEpoch);
    FreshStreams fresh = new FreshStreams(holdings, highestEpoch);
    fresh.replace(doubted);
    fresh.followLosses();
    for (Holding holding : holdings.values()) {
      if (listed.size() < MAX_LISTED) {
        listed.put(holding.streamPrefix(), holding);
      }
    }
    return holdings;
  }

  /**
   * Adds what records and gaps say of streams without segments. Of an empty file, there is nothing
   * but its record.
   */
  private static void addDescribed(
      TrustedListing listing, Map<StreamId, Holding> holdings, List<DoubtedStream> doubted)
      throws DestinationException {
    for (ArchiveObject object : listing.described()) {
      Holding held = holdings.get(object.stream());
      if (held != null) {
        if (held.streamPrefix().equals(object.streamPrefix())) {
          held.add(object);
        }
        continue;
      }
      // Nobody has checked that the bytes of a gap are lost.
      ArchiveTrust.Answer answer =
          object instanceof ArchiveObject.Stream record
              ? listing.of(record)
              : ArchiveTrust.Answer.REFUSED;
      switch (answer) {
        case TRUSTED -> {
          Holding described = new Holding(object.streamPrefix(), object.birthPath());
          described.add(object);
          holdings.put(object.stream(), described);
        }
        case REFUSED ->
            doubted.add(
                new DoubtedStream(object.stream(), object.birthPath(), object.streamPrefix()));
        case GONE -> {}
      }
    }
  }

  /**
   * Returns the keys of segments of an agent that may be removed, since all of their bytes are in a
   * longer one. Reads no packs, which may be those of another key.
   */
  public List<String> superseded(String agent) throws DestinationException {
    Map<StreamId, Holding> holdings = new HashMap<>();
    var _ = listStreams(agent, holdings);
    return superseded(holdings.values());
  }

  /**
   * What else a listing told.
   *
   * @param trusted the listing, where only what is signed counts
   */
  private record Listed(boolean hasPacks, Optional<TrustedListing> trusted) {}

  /** Lists the objects outside of packs, and adds what is held of streams that have segments. */
  private Listed listStreams(String agent, Map<StreamId, Holding> holdings)
      throws DestinationException {
    Optional<ArchiveTrust> trust = trust();
    String prefix = ArchiveNames.agentPrefix(agent);
    if (trust.isEmpty()) {
      boolean hasPacks =
          each(
              prefix,
              (object, entry) -> {
                lastWrittenMillis = Math.max(lastWrittenMillis, entry.modifiedMillis());
                holdings
                    .computeIfAbsent(
                        object.stream(),
                        id -> new Holding(object.streamPrefix(), object.birthPath()))
                    .add(object);
              });
      return new Listed(hasPacks, Optional.empty());
    }
    TrustedListing listing =
        new TrustedListing(
            trust.get(), () -> AcknowledgedRanges.read(destination, agent, trust.get()));
    boolean hasPacks = each(prefix, (object, entry) -> listing.add(object, entry.sizeBytes()));
    listing.end();
    holdings.putAll(listing.holdings());
    return new Listed(hasPacks, Optional.of(listing));
  }

  /**
   * Returns the highest epoch of an object of the agent outside of packs; 0 if there is none.
   *
   * @param nowMillis the time, which no epoch of the agent's own exceeds
   */
  public int highestEpoch(String agent, long nowMillis) throws DestinationException {
    int bound = EpochBound.ofOwnStreams(nowMillis);
    int[] highest = {0};
    var _ =
        each(
            ArchiveNames.agentPrefix(agent),
            (object, _) -> {
              int epoch = object.stream().epoch();
              highest[0] = epoch > bound ? highest[0] : Math.max(highest[0], epoch);
            });
    return highest[0];
  }

  private interface Visitor {
    void visit(ArchiveObject object, Entry entry) throws DestinationException;
  }

  /** Visits the objects of streams with this prefix; returns whether there are packs, too. */
  private boolean each(String prefix, Visitor visitor) throws DestinationException {
    ListedEntries all = new ListedEntries(destination, prefix);
    boolean hasPacks = false;
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Entry entry = next.get();
      Optional<ArchiveObject> object = ArchiveNames.parse(entry.key());
      if (object.isPresent()) {
        visitor.visit(object.get(), entry);
      }
      hasPacks |= PackName.parse(entry.key()).isPresent();
    }
    return hasPacks;
  }
}
