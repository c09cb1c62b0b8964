package dev.tailwater.archive.record;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PathNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The record that an agent puts at a destination when it ends: which files are complete there, and
 * what is missing of the others. {@code AGENT/~left-behind.json}; {@code docs/format.md}, "What was
 * left behind".
 *
 * @param atMillis when it ended, milliseconds since 1970 by its own clock
 * @param streams the streams of which something was left, each once; empty if nothing was
 * @param complete the live streams of which nothing was left; says nothing about other streams
 * @param missedFiles the number of files of that run that were gone before the agent could open
 *     them
 */
public record LastDrain(
    String agent, long atMillis, List<Left> streams, Set<StreamId> complete, long missedFiles) {
  /** A longer object is no such record. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final int FORMAT = 1;
  private static final int MAX_TOKENS = 1_000_000;
  private static final int MAX_ENTRIES = 100_000;

  /** The year 9999, and as far before: everything that can be printed. */
  private static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final long MIN_MILLIS = -MAX_MILLIS;

  /**
   * What was left of one stream.
   *
   * @param path of its file then, absolute; where that is no UTF-8, only nearly so
   * @param ranges in order, none of them empty
   */
  public record Left(StreamId stream, PosixPath path, List<ByteRange> ranges) {
    public Left {
      ranges = List.copyOf(ranges);
    }
  }

  public LastDrain {
    streams = List.copyOf(streams);
    complete = Set.copyOf(complete);
  }

  /**
   * Reads an object's content.
   *
   * @param agent whose it is, by its key
   * @throws DamagedRecordException not what an agent of that name writes
   * @throws UnsupportedFormatException written by a newer version
   */
  public static LastDrain fromJson(byte[] json, String agent)
      throws DamagedRecordException, UnsupportedFormatException {
    String key = ArchiveNames.lastDrain(agent);
    JsonFields fields = JsonFields.read(json, key, MAX_BYTES, MAX_TOKENS);
    long format = fields.number("format", 1, Long.MAX_VALUE);
    if (format > FORMAT) {
      throw new UnsupportedFormatException(
          key, "format " + format + "; this program reads " + FORMAT);
    }
    if (!fields.text("agent").equals(agent)) {
      throw fields.damaged("agent", "is not the agent of the object's name");
    }
    Map<StreamId, PosixPath> paths = new LinkedHashMap<>();
    Map<StreamId, RangeSet> ranges = new HashMap<>();
    for (JsonFields left : fields.objects("streams", MAX_ENTRIES)) {
      PosixPath path = left.path("path");
      if (!PathNames.isFile(path) || path.lengthBytes() > PathNames.MAX_FILE_BYTES) {
        throw left.damaged("path", "is not an absolute path of a file, or too long");
      }
      StreamId stream = left.stream("stream");
      paths.put(stream, path);
      addRanges(left, ranges.computeIfAbsent(stream, _ -> new RangeSet()));
    }
    List<Left> streams = new ArrayList<>();
    paths.forEach(
        (stream, path) ->
            streams.add(
                new Left(stream, path, ranges.getOrDefault(stream, new RangeSet()).ranges())));
    return new LastDrain(
        agent,
        fields.number("atMillis", MIN_MILLIS, MAX_MILLIS),
        streams,
        fields.has("complete") ? complete(fields) : Set.of(),
        fields.has("missedFiles") ? fields.number("missedFiles", 0, Long.MAX_VALUE) : 0);
  }

  private static void addRanges(JsonFields left, RangeSet ranges) throws DamagedRecordException {
    for (JsonFields range : left.objects("ranges", MAX_ENTRIES)) {
      long startBytes = range.number("startBytes", 0, Long.MAX_VALUE - 1);
      long endBytes = range.number("endBytes", startBytes + 1, Long.MAX_VALUE);
      ranges.add(new ByteRange(startBytes, endBytes));
    }
  }

  private static Set<StreamId> complete(JsonFields fields) throws DamagedRecordException {
    Set<StreamId> complete = new HashSet<>();
    for (String text : fields.texts("complete", MAX_ENTRIES)) {
      if (!StreamId.isValid(text)) {
        throw fields.damaged("complete", "holds something else than stream ids");
      }
      complete.add(new StreamId(text));
    }
    return complete;
  }
}
