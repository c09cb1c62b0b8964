package dev.tailwater.restore.name;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedStream;
import java.util.Arrays;
import java.util.List;

/**
 * Whether all streams can have the places that they want, as in most archives: no two have the same
 * path, and none has that of a directory of another one. This takes a tenth of the time that giving
 * out the places takes. A path that is written in an unusual way, or an unfinished file's name,
 * counts as a conflict.
 */
final class PathsApart {
  private final List<ArchivedStream> streams;

  /** The path that is looked at; a copy for each would be garbage. */
  private byte[] path = new byte[256];

  private int length;

  /** The one that was looked at before it. */
  private byte[] before = new byte[256];

  private int beforeLength;

  /** Where its last name begins. */
  private int nameBefore;

  private PathsApart(List<ArchivedStream> streams) {
    this.streams = streams;
  }

  /**
   * Returns whether no stream can be in the way of another one.
   *
   * @param streams by agent, then by path
   */
  static boolean hold(List<ArchivedStream> streams) {
    PathsApart apart = new PathsApart(streams);
    int from = 0;
    for (int to = 1; to <= streams.size(); to++) {
      if (to == streams.size() || !streams.get(to).agent().equals(streams.get(from).agent())) {
        if (!apart.hold(from, to)) {
          return false;
        }
        from = to;
      }
    }
    return true;
  }

  /** Looks at the streams of one agent. */
  private boolean hold(int from, int to) {
    beforeLength = 0;
    nameBefore = 0;
    for (int i = from; i < to; i++) {
      take(streams.get(i).path());
      if (!isUsual()) {
        return false;
      }
      // Paths that begin with another one follow it, and those with a slash behind it among them.
      boolean beginsWithIt =
          i > from
              && length >= beforeLength
              && Arrays.equals(path, 0, beforeLength, before, 0, beforeLength);
      if (beginsWithIt && (length == beforeLength || isDirectoryBefore(i, to))) {
        return false;
      }
      byte[] free = before;
      before = path;
      beforeLength = length;
      path = free;
    }
    return true;
  }

  private void take(PosixPath next) {
    length = next.lengthBytes();
    if (length > path.length) {
      path = new byte[2 * length];
    }
    next.copyTo(path, 0);
  }

  /** Returns whether the path before is that of a directory of one of these streams. */
  private boolean isDirectoryBefore(int from, int to) {
    byte[] inside = Arrays.copyOf(before, beforeLength + 1);
    inside[beforeLength] = '/';
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (streams.get(middle).path().compareTo(inside, 0, inside.length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < to && streams.get(low).path().startsWith(PosixPath.of(before, 0, beforeLength));
  }

  /** Returns whether a path is absolute, without empty names, and not an unfinished file's. */
  private boolean isUsual() {
    int name = length;
    while (name > 0 && path[name - 1] != '/') {
      name--;
    }
    if (name == length || name == 0 || path[0] != '/') {
      return false;
    }
    boolean sameDirectory = Arrays.equals(path, 0, name, before, 0, nameBefore);
    nameBefore = name;
    for (int at = 1; !sameDirectory && at < name; at++) {
      if (path[at] == '/' && path[at - 1] == '/') {
        return false;
      }
    }
    return path[name] != '.' || !PartialName.isReserved(PosixPath.of(path, name, length));
  }
}
