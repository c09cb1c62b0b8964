package dev.tailwater.restore.list;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.posix.PosixPath;
import org.jspecify.annotations.Nullable;

/**
 * Which stream of an archive it is. Immutable. The prefix of its keys is made when it is asked for,
 * unless it was listed: an archive may have a million streams in packs, which have no keys.
 */
final class StreamName {
  private final String agent;
  private final PosixPath birthPath;
  private final boolean shortened;
  private final StreamId stream;
  private final @Nullable String listedPrefix;

  private StreamName(
      String agent,
      PosixPath birthPath,
      boolean shortened,
      StreamId stream,
      @Nullable String listedPrefix) {
    this.agent = agent;
    this.birthPath = birthPath;
    this.shortened = shortened;
    this.stream = stream;
    this.listedPrefix = listedPrefix;
  }

  /** Returns the name of the stream of an object. */
  static StreamName of(ArchiveObject object) {
    return new StreamName(
        object.agent(),
        object.birthPath(),
        object.shortened(),
        object.stream(),
        object.streamPrefix());
  }

  /**
   * Returns the name of a stream.
   *
   * @param birthPath the absolute path of a file, as it is
   */
  static StreamName of(String agent, PosixPath birthPath, StreamId stream) {
    return new StreamName(agent, birthPath, false, stream, null);
  }

  String agent() {
    return agent;
  }

  /** Returns the path at its birth; if {@link #shortened}, a part of it is a hash. */
  PosixPath birthPath() {
    return birthPath;
  }

  boolean shortened() {
    return shortened;
  }

  StreamId stream() {
    return stream;
  }

  /** Returns what the keys of all its objects start with. */
  String prefix() {
    return listedPrefix == null
        ? ArchiveNames.streamPrefix(agent, birthPath, stream)
        : listedPrefix;
  }

  /** Returns the key of its stream.json. */
  String recordKey() {
    return ArchiveNames.streamObject(prefix());
  }

  /** Returns whether both are of one stream: the prefixes of their keys are equal. */
  boolean isSame(StreamName other) {
    if (!stream.equals(other.stream)) {
      return false;
    }
    boolean bothExact = listedPrefix == null && other.listedPrefix == null;
    boolean equal = bothExact && agent.equals(other.agent) && birthPath.equals(other.birthPath);
    return equal || prefix().equals(other.prefix());
  }
}
