package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ListOrder;
import dev.tailwater.destination.Listing;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a destination already holds of an agent's streams, which a restart must know. It is found by
 * listing names, and where those do not suffice, in the headers of single segments.
 */
public final class Inventory {
  private static final int PAGE_ENTRIES = 1000;

  /** Enough for a plain header, and for an age header with a few dozen recipients. */
  private static final int PEEK_BYTES = 8 * 1024;

  private final Destination destination;

  public Inventory(Destination destination) {
    this.destination = destination;
  }

  /** What is held of one stream. */
  public static final class Holding {
    private final String streamPrefix;
    private final PosixPath birthPath;
    private final RangeSet ranges = new RangeSet();
    private final List<String> superseded = new ArrayList<>();
    private Optional<ArchiveObject.Segment> furthest = Optional.empty();
    private boolean empty = true;
    private boolean described;

    private Holding(String streamPrefix, PosixPath birthPath) {
      this.streamPrefix = streamPrefix;
      this.birthPath = birthPath;
    }

    private void add(ArchiveObject object) {
      empty = false;
      if (object instanceof ArchiveObject.Segment segment) {
        ranges.add(segment.range());
        noteSuperseded(segment);
        if (furthest.isEmpty() || furthest.get().range().endBytes() < segment.range().endBytes()) {
          furthest = Optional.of(segment);
        }
      } else if (object instanceof ArchiveObject.Stream) {
        described = true;
      }
    }

    /**
     * Notes whether the segment supersedes another or is superseded. Segments are listed by start,
     * and those with the same start by end, so it suffices to compare with the one before it that
     * reaches furthest.
     */
    private void noteSuperseded(ArchiveObject.Segment segment) {
      if (furthest.isEmpty() || segment.range().equals(furthest.get().range())) {
        return;
      }
      ByteRange before = furthest.get().range();
      if (before.contains(segment.range())) {
        superseded.add(segment.key());
      } else if (segment.range().contains(before)) {
        superseded.add(furthest.get().key());
      }
    }

    public String streamPrefix() {
      return streamPrefix;
    }

    /** Returns whether the destination holds nothing of the stream. */
    public boolean isEmpty() {
      return empty;
    }

    /** Returns whether the destination holds a record of the stream. */
    public boolean isDescribed() {
      return described;
    }

    /** Returns the keys of segments whose bytes are all in one longer segment. */
    public List<String> superseded() {
      return List.copyOf(superseded);
    }

    /** Returns where the stream was first seen, as far as object names tell. */
    public PosixPath birthPath() {
      return birthPath;
    }

    public List<ByteRange> ranges() {
      return ranges.ranges();
    }

    /** Returns the segment that reaches furthest. */
    public Optional<ArchiveObject.Segment> furthest() {
      return furthest;
    }
  }

  /** Returns the ranges of a stream's segments that end beyond the offset. */
  public List<ByteRange> segmentsBeyond(String streamPrefix, long offsetBytes)
      throws DestinationException {
    return stream(PosixPath.EMPTY, streamPrefix).ranges().stream()
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
    ListOrder order = new ListOrder(destination.uri(), streamPrefix, after);
    while (true) {
      Listing page = destination.list(streamPrefix, after, PAGE_ENTRIES);
      order.check(page);
      for (Entry entry : page.entries()) {
        if (ArchiveNames.parse(entry.key()).orElse(null) instanceof ArchiveObject.Segment found) {
          if (found.range().startBytes() >= range.endBytes()) {
            return segments;
          }
          if (range.contains(found.range())) {
            segments.add(found);
          }
        }
      }
      after = page.nextAfter();
      if (after.isEmpty()) {
        return segments;
      }
    }
  }

  /** Returns what a segment states about its content; empty when it is damaged or states none. */
  Optional<ContentStanza> peekContent(ArchiveObject.Segment segment) throws IOException {
    return new SegmentOpener().peekContent(segment, firstBytes(segment));
  }

  /** Returns the first bytes of an object, with which it states its content. */
  byte[] firstBytes(ArchiveObject.Segment segment) throws IOException {
    try (InputStream object = destination.read(segment.key(), 0, PEEK_BYTES)) {
      return object.readNBytes(PEEK_BYTES);
    }
  }

  /** Returns what is held of one stream. */
  public Holding stream(PosixPath birthPath, String streamPrefix) throws DestinationException {
    Holding holding = new Holding(streamPrefix, birthPath);
    each(streamPrefix, holding::add);
    return holding;
  }

  /** Returns what is held of every stream of the agent, for an agent that has lost its state. */
  public Map<StreamId, Holding> streams(String agent) throws DestinationException {
    Map<StreamId, Holding> holdings = new HashMap<>();
    each(
        ArchiveNames.agentPrefix(agent),
        object ->
            holdings
                .computeIfAbsent(
                    object.stream(), id -> new Holding(object.streamPrefix(), object.birthPath()))
                .add(object));
    return holdings;
  }

  private interface Visitor {
    void visit(ArchiveObject object);
  }

  private void each(String prefix, Visitor visitor) throws DestinationException {
    Optional<String> after = Optional.empty();
    ListOrder order = new ListOrder(destination.uri(), prefix, after);
    while (true) {
      Listing page = destination.list(prefix, after, PAGE_ENTRIES);
      order.check(page);
      page.entries().forEach(entry -> ArchiveNames.parse(entry.key()).ifPresent(visitor::visit));
      if (!page.more() || page.entries().isEmpty()) {
        return;
      }
      after = Optional.of(page.entries().getLast().key());
    }
  }
}
