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
import java.util.Optional;
import java.util.Set;

/**
 * The record that an agent writes to a destination when it ends: which files are complete there,
 * and what is missing of the others. It is stored as {@code AGENT/~left-behind.json}; see {@code
 * docs/format.md}, "What was left behind".
 *
 * @param agent the agent that ended
 * @param atMillis when the agent ended, milliseconds since 1970 by its own clock
 * @param toldMillis the latest time that it has told, as far as it knows: after its end where its
 *     clock was set back
 * @param streams the streams of which something was left behind, each once; of very many, the first
 * @param leftFiles how many these streams were, named or not
 * @param leftBytes how many bytes were left behind of them, named or not
 * @param complete the live streams of which nothing was left behind; says nothing about other
 *     streams
 * @param completeSums the sums of all live streams of which nothing was left behind, where they
 *     were too many to be named
 * @param missed files of that run that were gone before the agent could open them
 * @param perhapsMissed names of that run that were gone before the agent knew what they led to
 * @param noReceiptYet whether the agent says that it had not put any receipt by then
 * @param problems what kept the agent from delivering, or even from seeing, everything: texts for
 *     people
 */
public record LastDrain(
    String agent,
    long atMillis,
    long toldMillis,
    List<Left> streams,
    long leftFiles,
    long leftBytes,
    Set<StreamId> complete,
    Optional<StreamSums> completeSums,
    Counted missed,
    Counted perhapsMissed,
    boolean noReceiptYet,
    Counted problems) {
  /** The maximum length of a valid record, in bytes. */
  public static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final int FORMAT = 1;
  private static final int MAX_TOKENS = 1_000_000;
  private static final int MAX_ENTRIES = 100_000;

  /** The end of the year 9999, which can still be printed; the minimum is as far before 1970. */
  private static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final long MIN_MILLIS = -MAX_MILLIS;

  /**
   * The bytes of one stream that were left behind.
   *
   * @param path the absolute path of its file at that time; earlier writers wrote an exact one only
   *     of valid UTF-8
   * @param ranges the missing ranges in order, none of them empty
   */
  public record Left(StreamId stream, PosixPath path, List<ByteRange> ranges) {
    public Left {
      ranges = List.copyOf(ranges);
    }
  }

  /**
   * Something of which the agent told how often it was, and some texts.
   *
   * @param count how many there were
   * @param first the first of them; paths are not exact if they are not valid UTF-8
   */
  public record Counted(long count, List<String> first) {
    /** There were none, as far as the agent knows. */
    public static final Counted NONE = new Counted(0, List.of());

    public Counted {
      first = List.copyOf(first);
    }
  }

  public LastDrain {
    streams = List.copyOf(streams);
    complete = Set.copyOf(complete);
  }

  /**
   * Parses the content of an object.
   *
   * @param agent the agent in the key of the object
   * @throws DamagedRecordException if the content is not what an agent of that name writes
   * @throws UnsupportedFormatException if the object was written by a newer version
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
    long atMillis = fields.number("atMillis", MIN_MILLIS, MAX_MILLIS);
    return new LastDrain(
        agent,
        atMillis,
        fields.has("toldMillis") ? fields.number("toldMillis", atMillis, MAX_MILLIS) : atMillis,
        streams,
        // Records from before there was a count name all.
        Math.max(streams.size(), number(fields, "leftBehindFiles")),
        Math.max(sumBytes(streams), number(fields, "leftBehindBytes")),
        fields.has("complete") ? complete(fields) : Set.of(),
        fields.has("completeSums")
            ? Optional.of(StreamSums.parse(fields, "completeSums"))
            : Optional.empty(),
        counted(fields, "missedFiles", "missed"),
        counted(fields, "perhapsMissedFiles", "perhapsMissed"),
        fields.has("receipt") && !fields.isTrue("receipt"),
        counted(fields, "problemCount", "problems"));
  }

  /** Returns whether something of the agent was complete: so it had delivered something. */
  public boolean hasComplete() {
    return !complete.isEmpty() || completeSums.isPresent();
  }

  private static long number(JsonFields fields, String name) throws DamagedRecordException {
    return fields.has(name) ? fields.number(name, 0, Long.MAX_VALUE) : 0;
  }

  private static long sumBytes(List<Left> streams) {
    long sum = 0;
    for (Left stream : streams) {
      for (ByteRange range : stream.ranges()) {
        long more = sum + range.lengthBytes();
        sum = more < 0 ? Long.MAX_VALUE : more;
      }
    }
    return sum;
  }

  private static Counted counted(JsonFields fields, String count, String first)
      throws DamagedRecordException {
    return fields.has(count)
        ? new Counted(
            fields.number(count, 0, Long.MAX_VALUE),
            fields.has(first) ? fields.texts(first, MAX_ENTRIES) : List.of())
        : Counted.NONE;
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
