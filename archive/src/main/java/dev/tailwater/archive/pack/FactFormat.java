package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PathNames;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The encoding of facts: number of the stream, kind, length of the value, value. A reader skips
 * kinds that it does not know, unless their lowest bit is set: those change the meaning of the
 * stream.
 */
final class FactFormat {
  private static final int RENAMED = 2;
  private static final int ATTRIBUTES = 4;
  private static final int ENDED = 6;
  private static final int CONTINUED = 8;
  private static final int MISSING = 10;
  private static final int CHANGED_IN_PLACE = 12;
  private static final int DROPPED = 20;

  /** Longer than any value of this version: a path, or a reason, and some numbers. */
  private static final int MAX_VALUE_BYTES = 64 * 1024;

  private static final int MIN_FACT_BYTES = 3;
  private static final int MAX_KIND = Integer.MAX_VALUE;

  /** The reasons of ends, in the order of their numbers from 1. */
  private static final List<EndReason> REASONS =
      List.of(EndReason.DELETED, EndReason.TRUNCATED, EndReason.MOVED_AWAY, EndReason.VANISHED);

  private FactFormat() {}

  static void write(List<StreamFact> facts, VarintWriter out) {
    out.unsigned(facts.size());
    for (StreamFact fact : facts) {
      VarintWriter value = new VarintWriter();
      int kind = write(fact, value);
      out.unsigned(fact.number());
      out.unsigned(kind);
      out.text(value.toByteArray());
    }
  }

  /** Writes the value and returns its kind. */
  private static int write(StreamFact fact, VarintWriter out) {
    return switch (fact) {
      case StreamFact.Renamed renamed -> {
        out.text(renamed.path());
        out.signed(renamed.sinceMillis());
        yield RENAMED;
      }
      case StreamFact.Attributes attributes -> {
        out.unsigned(attributes.permissions());
        out.unsigned(attributes.sizeBytes());
        out.signed(attributes.modificationTimeNanos());
        out.signed(attributes.seenAtMillis());
        yield ATTRIBUTES;
      }
      case StreamFact.Ended ended -> {
        out.unsigned(REASONS.indexOf(ended.reason()) + 1L);
        out.unsigned(ended.sizeBytes());
        out.signed(ended.atMillis());
        yield ENDED;
      }
      case StreamFact.Continued _ -> CONTINUED;
      case StreamFact.Missing missing -> {
        out.unsigned(missing.range().startBytes());
        out.unsigned(missing.range().lengthBytes());
        out.signed(missing.atMillis());
        out.text(missing.reason().getBytes(UTF_8));
        yield MISSING;
      }
      case StreamFact.Dropped dropped -> {
        out.unsigned(dropped.range().startBytes());
        out.unsigned(dropped.range().lengthBytes());
        out.signed(dropped.fromMillis());
        out.signed(dropped.untilMillis());
        yield DROPPED;
      }
      case StreamFact.ChangedInPlace changed -> {
        out.unsigned(changed.changed() ? 1 : 0);
        yield CHANGED_IN_PLACE;
      }
    };
  }

  static List<StreamFact> read(VarintReader in) throws MalformedException {
    int count = in.count(MIN_FACT_BYTES, PackDirectory.MAX_ENTRIES, "facts");
    List<StreamFact> facts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = (int) in.atMost(Integer.MAX_VALUE, "the number of a stream");
      int kind = (int) in.atMost(MAX_KIND, "the kind of a fact");
      VarintReader value = new VarintReader(in.text(MAX_VALUE_BYTES, "a fact"));
      read(number, kind, value).ifPresent(facts::add);
    }
    return facts;
  }

  /** Reads a fact; what later versions add behind its value is ignored. */
  private static Optional<StreamFact> read(int number, int kind, VarintReader in)
      throws MalformedException {
    return switch (kind) {
      case RENAMED ->
          Optional.of(
              new StreamFact.Renamed(
                  number, PosixPath.of(in.text(PathNames.MAX_FILE_BYTES, "a path")), in.signed()));
      case ATTRIBUTES ->
          Optional.of(
              new StreamFact.Attributes(
                  number, (int) in.atMost(07777, "a mode"), size(in), in.signed(), in.signed()));
      case ENDED -> Optional.of(new StreamFact.Ended(number, reason(in), size(in), in.signed()));
      case CONTINUED -> Optional.of(new StreamFact.Continued(number));
      case MISSING -> Optional.of(missing(number, in));
      case CHANGED_IN_PLACE ->
          Optional.of(new StreamFact.ChangedInPlace(number, in.atMost(1, "a truth value") == 1));
      case DROPPED -> Optional.of(dropped(number, in));
      default -> {
        if ((kind & 1) != 0) {
          throw new MalformedException("has a fact of the unknown kind " + kind);
        }
        yield Optional.empty();
      }
    };
  }

  private static long size(VarintReader in) throws MalformedException {
    return in.atMost(Long.MAX_VALUE, "a size");
  }

  private static EndReason reason(VarintReader in) throws MalformedException {
    int number = (int) in.atMost(REASONS.size(), "the reason of an end");
    if (number == 0) {
      throw new MalformedException("has an end without a reason");
    }
    return REASONS.get(number - 1);
  }

  private static StreamFact missing(int number, VarintReader in) throws MalformedException {
    ByteRange range = range(in);
    long atMillis = in.signed();
    String reason = new String(in.text(StreamFact.Missing.MAX_REASON_BYTES, "a reason"), UTF_8);
    return new StreamFact.Missing(number, range, reason, atMillis);
  }

  private static StreamFact dropped(int number, VarintReader in) throws MalformedException {
    ByteRange range = range(in);
    long fromMillis = in.signed();
    long untilMillis = in.signed();
    if (range.isEmpty() || fromMillis >= untilMillis) {
      throw new MalformedException("says of no bytes, or of no time, that they are not kept");
    }
    return new StreamFact.Dropped(number, range, fromMillis, untilMillis);
  }

  private static ByteRange range(VarintReader in) throws MalformedException {
    long start = size(in);
    long length = in.atMost(Long.MAX_VALUE - start, "the length of a range");
    return new ByteRange(start, start + length);
  }
}
