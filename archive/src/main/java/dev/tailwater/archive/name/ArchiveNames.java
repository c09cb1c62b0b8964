package dev.tailwater.archive.name;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * Construction and parsing of the keys of an archive's objects. Keys are relative to the root of
 * the destination:
 *
 * <pre>
 * agent/path/of/the/file/STREAM/START-END.zst[.age]   a segment (.gz for gzip)
 * agent/path/of/the/file/STREAM/START-END.gap         why a range is missing
 * agent/path/of/the/file/STREAM/stream.json           what the segments do not say
 * agent/~NAME                                         an object of the agent itself
 * </pre>
 *
 * Keys are ASCII, at most {@value #MAX_KEY_BYTES} bytes long and at most 230 per component, and no
 * object is a folder of another. All methods are pure. See {@code docs/format.md}, "Object names".
 */
public final class ArchiveNames {
  /** The maximum length of a key, which leaves 256 of S3's 1 024 bytes for the user's prefix. */
  public static final int MAX_KEY_BYTES = 768;

  private static final String AGE_SUFFIX = ".age";
  private static final String GAP_SUFFIX = ".gap";
  private static final String STREAM_NAME = "stream.json";
  private static final String LAST_DRAIN = "left-behind.json";
  private static final int OFFSET_DIGITS = 19;

  private ArchiveNames() {}

  /**
   * Returns {@code agent/}; throws {@link IllegalArgumentException} unless it is an {@link
   * AgentName}.
   */
  public static String agentPrefix(String agent) {
    AgentName.require(agent);
    return agent + "/";
  }

  /**
   * Returns the key of an object that belongs to the agent and not to a stream, such as the list of
   * what it last left behind. {@link #parse} does not recognize such keys, and no path of a file
   * results in one.
   *
   * @param name 1 to 64 letters, digits and {@code . _ -}
   */
  public static String agentObject(String agent, String name) {
    if (!AgentName.isValid(name)) {
      throw new IllegalArgumentException("not a name for an agent's object: '" + name + "'");
    }
    return agentPrefix(agent) + PathNames.SHORTENED + name;
  }

  /** Returns the key of the object that lists what an agent left behind when it ended. */
  public static String lastDrain(String agent) {
    return agentObject(agent, LAST_DRAIN);
  }

  /**
   * Returns the agent that an {@link #agentObject} belongs to, whatever the object's name; empty
   * for any other key.
   */
  public static Optional<String> agentOfObject(String key) {
    int mark = key.indexOf("/" + PathNames.SHORTENED);
    boolean valid =
        mark > 0
            && AgentName.isValid(key.substring(0, mark))
            && AgentName.isValid(key.substring(mark + 2));
    return valid ? Optional.of(key.substring(0, mark)) : Optional.empty();
  }

  /**
   * Returns the folder of one stream, with a slash at the end.
   *
   * @param birthPath an absolute path; doubled slashes count as one
   */
  public static String streamPrefix(String agent, PosixPath birthPath, StreamId id) {
    return agentPrefix(agent) + PathNames.encode(birthPath) + "/" + id.text() + "/";
  }

  /**
   * Returns whether the birth path of the stream with this prefix is {@code path}, which may be any
   * path.
   */
  public static boolean isBornAt(PosixPath path, String agent, StreamId id, String streamPrefix) {
    return PathNames.isFile(path) && streamPrefix(agent, path, id).equals(streamPrefix);
  }

  /** Returns the key of a segment; the range must not be empty. */
  public static String segment(
      String streamPrefix, ByteRange range, Codec codec, boolean encrypted) {
    return streamPrefix + rangeText(range) + codec.suffix() + (encrypted ? AGE_SUFFIX : "");
  }

  /** Returns which segment it is, as a signature names it: the key without its suffix. */
  public static String segmentSubject(String streamPrefix, ByteRange range) {
    return streamPrefix + rangeText(range);
  }

  /**
   * Returns the key of the object that says why a range is missing; the range must not be empty.
   */
  public static String gap(String streamPrefix, ByteRange range) {
    return streamPrefix + rangeText(range) + GAP_SUFFIX;
  }

  /** Returns the key of the object with what is known about a stream beyond its segments. */
  public static String streamObject(String streamPrefix) {
    return streamPrefix + STREAM_NAME;
  }

  /** Parses a key; returns empty if it is not the key of a segment, a gap or a stream record. */
  public static Optional<ArchiveObject> parse(String key) {
    if (key.length() > MAX_KEY_BYTES) {
      return Optional.empty();
    }
    List<String> parts = List.of(key.split("/", -1));
    int id = parts.size() - 2;
    if (id < 2 || !AgentName.isValid(parts.getFirst()) || !StreamId.isValid(parts.get(id))) {
      return Optional.empty();
    }
    Optional<PathNames.Decoded> path = PathNames.decode(parts.subList(1, id));
    if (path.isEmpty()) {
      return Optional.empty();
    }
    String name = parts.getLast();
    String prefix = key.substring(0, key.length() - name.length());
    return parseName(
        new ArchiveObject.Stream(
            key,
            parts.getFirst(),
            path.get().path(),
            path.get().shortened(),
            new StreamId(parts.get(id)),
            prefix),
        name);
  }

  private static Optional<ArchiveObject> parseName(ArchiveObject.Stream at, String name) {
    if (name.equals(STREAM_NAME)) {
      return Optional.of(at);
    }
    int rangeEnd = 2 * OFFSET_DIGITS + 1;
    Optional<ByteRange> range = parseRange(name, rangeEnd);
    if (range.isEmpty()) {
      return Optional.empty();
    }
    String suffix = name.substring(rangeEnd);
    if (suffix.equals(GAP_SUFFIX)) {
      return Optional.of(
          new ArchiveObject.Gap(
              at.key(),
              at.agent(),
              at.birthPath(),
              at.shortened(),
              at.stream(),
              at.streamPrefix(),
              range.get()));
    }
    boolean encrypted = suffix.endsWith(AGE_SUFFIX);
    String codec = encrypted ? suffix.substring(0, suffix.length() - AGE_SUFFIX.length()) : suffix;
    if (!codec.equals(Codec.ZSTD_SUFFIX) && !codec.equals(Codec.GZIP_SUFFIX)) {
      return Optional.empty();
    }
    return Optional.of(
        new ArchiveObject.Segment(
            at.key(),
            at.agent(),
            at.birthPath(),
            at.shortened(),
            at.stream(),
            at.streamPrefix(),
            range.get(),
            codec.equals(Codec.GZIP_SUFFIX),
            encrypted));
  }

  private static Optional<ByteRange> parseRange(String name, int length) {
    if (name.length() < length || name.charAt(OFFSET_DIGITS) != '-') {
      return Optional.empty();
    }
    long start = parseOffset(name, 0);
    long end = parseOffset(name, OFFSET_DIGITS + 1);
    return start < 0 || end <= start ? Optional.empty() : Optional.of(new ByteRange(start, end));
  }

  /** Parses an offset; returns -1 if a character is not a digit or the number is too large. */
  private static long parseOffset(String name, int from) {
    long value = 0;
    for (int at = from; at < from + OFFSET_DIGITS; at++) {
      int digit = name.charAt(at) - '0';
      if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static String rangeText(ByteRange range) {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("no object has the empty range " + range);
    }
    return offsetText(range.startBytes()) + "-" + offsetText(range.endBytes());
  }

  private static String offsetText(long offset) {
    String digits = Long.toString(offset);
    return "0".repeat(OFFSET_DIGITS - digits.length()) + digits;
  }
}
