package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.trust.AcknowledgedRanges;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.delivery.trust.DoubtedStream;
import dev.tailwater.destination.DestinationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a listing of all streams of an agent says, as far as it is signed. The name of a segment
 * counts if a signed receipt has acknowledged its bytes, or if the segment itself is signed; one
 * that would supersede others must be signed itself. Of a stream that has another segment, nothing
 * counts; of one that has none, the record counts in the same way where nothing else tells of it.
 * For one thread; objects come in the order of their keys.
 */
final class TrustedListing {
  /** So many objects are looked at; streams of which more would be are delivered again. */
  private static final int MOST_READS = 10_000;

  private static final String TOO_MANY =
      "no receipt tells of it, and after " + MOST_READS + " others its signature is not looked at";

  private final ArchiveTrust trust;
  private final Receipts receipts;
  private final Map<StreamId, Holding> holdings = new HashMap<>();
  private final List<DoubtedStream> doubted = new ArrayList<>();
  private final List<ArchiveObject> described = new ArrayList<>();
  private final List<Listed> present = new ArrayList<>();
  private Optional<AcknowledgedRanges> acknowledged = Optional.empty();
  private int reads;

  /** Reads what the receipts of the agent say; asked only if there are such objects. */
  interface Receipts {
    AcknowledgedRanges read() throws DestinationException;
  }

  private record Listed(ArchiveObject object, long objectBytes) {}

  TrustedListing(ArchiveTrust trust, Receipts receipts) {
    this.trust = trust;
    this.receipts = receipts;
  }

  /** Takes the next object. */
  void add(ArchiveObject object, long objectBytes) throws DestinationException {
    if (!present.isEmpty()
        && !present.getFirst().object().streamPrefix().equals(object.streamPrefix())) {
      endStream();
    }
    present.add(new Listed(object, objectBytes));
  }

  /** Takes the end of the listing. */
  void end() throws DestinationException {
    if (!present.isEmpty()) {
      endStream();
    }
  }

  /** Returns what is held of each stream. */
  Map<StreamId, Holding> holdings() {
    return holdings;
  }

  /** Returns the streams of which not everything is signed. */
  List<DoubtedStream> doubted() {
    return doubted;
  }

  /**
   * Returns whether the record of a stream without segments is to be believed: a receipt has
   * acknowledged it, or it is signed.
   */
  ArchiveTrust.Answer of(ArchiveObject.Stream record) throws DestinationException {
    if (acknowledged().describes(record.streamPrefix())) {
      return ArchiveTrust.Answer.TRUSTED;
    }
    return mayRead(record) ? trust.of(record) : ArchiveTrust.Answer.REFUSED;
  }

  /** Returns records and gaps of streams without segments: nobody has looked at them. */
  List<ArchiveObject> described() {
    return described;
  }

  private void endStream() throws DestinationException {
    ArchiveObject first = present.getFirst().object();
    Optional<List<ArchiveObject>> trusted = trusted();
    present.clear();
    if (trusted.isEmpty()) {
      doubted.add(new DoubtedStream(first.stream(), first.birthPath(), first.streamPrefix()));
      return;
    }
    if (trusted.get().stream().noneMatch(ArchiveObject.Segment.class::isInstance)) {
      described.addAll(trusted.get());
      return;
    }
    Holding holding =
        holdings.computeIfAbsent(
            first.stream(), _ -> new Holding(first.streamPrefix(), first.birthPath()));
    trusted.get().forEach(holding::add);
  }

  /** Returns the objects of a stream; empty if some segment is not to be believed. */
  private Optional<List<ArchiveObject>> trusted() throws DestinationException {
    Set<ByteRange> superseding = superseding();
    List<ArchiveObject> trusted = new ArrayList<>();
    for (Listed one : present) {
      if (one.object() instanceof ArchiveObject.Segment segment
          && (superseding.contains(segment.range()) || !isAcknowledged(segment))) {
        if (!mayRead(segment)) {
          return Optional.empty();
        }
        switch (trust.of(segment, one.objectBytes())) {
          case TRUSTED -> trusted.add(segment);
          case GONE -> {}
          case REFUSED -> {
            return Optional.empty();
          }
        }
      } else {
        trusted.add(one.object());
      }
    }
    return Optional.of(trusted);
  }

  /** Returns whether one more signature may be looked at; else the object is not believed. */
  private boolean mayRead(ArchiveObject object) {
    if (reads == MOST_READS) {
      trust.refuse(object.key(), new NotAuthenticException(object.key(), false, TOO_MANY));
      return false;
    }
    reads++;
    return true;
  }

  /** Returns the ranges of segments in which others lie. */
  private Set<ByteRange> superseding() {
    Set<ByteRange> superseding = new HashSet<>();
    Optional<ByteRange> furthest = Optional.empty();
    for (Listed one : present) {
      if (one.object() instanceof ArchiveObject.Segment segment) {
        ByteRange range = segment.range();
        if (furthest.isPresent() && !furthest.get().equals(range)) {
          if (furthest.get().contains(range)) {
            superseding.add(furthest.get());
          } else if (range.contains(furthest.get())) {
            superseding.add(range);
          }
        }
        if (furthest.isEmpty() || furthest.get().endBytes() < range.endBytes()) {
          furthest = Optional.of(range);
        }
      }
    }
    return superseding;
  }

  private boolean isAcknowledged(ArchiveObject.Segment segment) throws DestinationException {
    return acknowledged().contains(segment.streamPrefix(), segment.range());
  }

  private AcknowledgedRanges acknowledged() throws DestinationException {
    if (acknowledged.isEmpty()) {
      acknowledged = Optional.of(receipts.read());
    }
    return acknowledged.get();
  }
}
