package dev.tailwater.it.conservation;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.Marker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** What one inode generation was made to hold, and what of it the archive must have. */
final class ModelFile {
  /** The bytes of the file between two truncations, and what they were before each rewrite. */
  static final class Birth {
    /** What the file was made to hold; the last one is what it holds. */
    private final List<byte[]> versions = new ArrayList<>(List.of(new byte[0]));

    /** So many bytes from the beginning must be in the archive, whatever happens next. */
    private int dueBytes;

    /** They must be as they were in this version, or in a later one. */
    private int dueVersion;

    /** The agent holds the nameless file: all of it is due as soon as an agent has lived on. */
    private boolean wholeUnlessKilled;

    byte[] bytes() {
      return versions.getLast().clone();
    }

    int sizeBytes() {
      return versions.getLast().length;
    }

    /** The largest size that it had. */
    int largestBytes() {
      return versions.stream().mapToInt(version -> version.length).max().orElse(0);
    }

    /** The number of the version that the file holds. */
    int version() {
      return versions.size() - 1;
    }

    int dueBytes() {
      return dueBytes;
    }

    int dueVersion() {
      return dueVersion;
    }

    void append(byte[] more) {
      byte[] before = versions.removeLast();
      byte[] now = Arrays.copyOf(before, before.length + more.length);
      System.arraycopy(more, 0, now, before.length, more.length);
      versions.add(now);
    }

    /** Bytes were replaced, and perhaps some added. */
    void rewrite(byte[] now) {
      versions.add(now.clone());
    }

    /** The agent says, or must have seen to it, that the archive has so many as they are now. */
    void due(int untilBytes) {
      if (untilBytes >= dueBytes) {
        dueBytes = untilBytes;
        dueVersion = version();
      }
    }

    /** So many bytes are durable, in whatever version they were read. */
    void durable(int untilBytes) {
      dueBytes = Math.max(dueBytes, untilBytes);
    }

    /**
     * Whether nobody need see that the file was truncated after this birth: at some position, no
     * less than what is durable, it has the same bytes before it.
     */
    private boolean passesInto(Birth next) {
      return versions.stream()
          .anyMatch(one -> next.versions.stream().anyMatch(other -> isSameBefore(one, other)));
    }

    private boolean isSameBefore(byte[] one, byte[] other) {
      int same = 0;
      for (int at = 0; at < Math.min(one.length, other.length); at++) {
        same = one[at] == other[at] ? same + 1 : 0;
        if (at + 1 >= dueBytes && same >= Math.min(at + 1, Marker.MAX_BYTES)) {
          return true;
        }
      }
      return false;
    }
  }

  private final int number;
  private final int bornInLife;
  private final StreamId firstStream;
  private final List<Birth> births = new ArrayList<>();
  private final NavigableSet<Path> names = new TreeSet<>();
  private final Set<Path> everNames = new HashSet<>();
  private boolean mayHaveUnexplainedHoles;
  private boolean hasComeBack;

  /** Whether it was rewritten since an agent said that all of it is delivered. */
  private boolean isRewritten;

  /** Whether some of its bytes were replaced and delivered, or may have been. */
  private boolean hasReplacements;

  private boolean mayBeOutdated;

  /** Whether its time was set, and nothing else, since an agent has told everything. */
  private boolean isTimeSet;

  private boolean mayHaveFormerTime;

  /**
   * @param life how many agents there had been
   */
  ModelFile(int number, int life, StreamId firstStream) {
    this.number = number;
    this.bornInLife = life;
    this.firstStream = firstStream;
    births.add(new Birth());
  }

  /** The stream that begins with the inode; truncations begin the others. */
  StreamId firstStream() {
    return firstStream;
  }

  int bornInLife() {
    return bornInLife;
  }

  /** The watched names. */
  NavigableSet<Path> names() {
    return names;
  }

  /** The watched names that it has, or had. */
  Set<Path> everNames() {
    return everNames;
  }

  List<Birth> births() {
    return births;
  }

  Birth current() {
    return births.getLast();
  }

  /**
   * Returns the first birth in which a stream may end that has these bytes and began in the given
   * one; empty if there is none.
   */
  OptionalInt lastBirth(byte[] held, int birth, int fromVersion) {
    return IntStream.range(birth, births.size())
        .filter(last -> mayBegin(held, birth, fromVersion, last))
        .findFirst();
  }

  /**
   * Whether bytes may have been read from the beginning of the file, while it went from a version
   * of one birth to later ones, and on to the last birth. They are of several births only where
   * nobody need have seen the truncations between them (docs/decisions/0032).
   */
  boolean mayBegin(byte[] held, int birth, int fromVersion, int lastBirth) {
    List<byte[]> contents = new ArrayList<>();
    for (int i = birth; i <= lastBirth; i++) {
      Birth one = births.get(i);
      if (i > birth && !births.get(i - 1).passesInto(one)) {
        return false;
      }
      contents.addAll(one.versions.subList(i == birth ? fromVersion : 0, one.versions.size()));
    }
    return areOfAny(held, contents);
  }

  private static boolean areOfAny(byte[] held, List<byte[]> contents) {
    for (int i = 0; i < held.length; i++) {
      int at = i;
      if (contents.stream().noneMatch(one -> at < one.length && one[at] == held[at])) {
        return false;
      }
    }
    return true;
  }

  boolean isLive() {
    return !names.isEmpty();
  }

  /** The file was truncated to this content. */
  void beginBirth(byte[] content) {
    isTimeSet = false;
    mayHaveFormerTime = false;
    Birth next = new Birth();
    next.append(content);
    births.add(next);
  }

  /** Bytes of it were replaced. */
  void rewritten(byte[] now) {
    if (!Arrays.equals(now, current().bytes())) {
      isTimeSet = false;
      mayHaveFormerTime = false;
      current().rewrite(now);
      isRewritten = true;
    }
  }

  void append(byte[] more) {
    isTimeSet = false;
    mayHaveFormerTime = false;
    current().append(more);
  }

  /** Its time was set, and nothing else. */
  void timeSet() {
    isTimeSet = true;
    mayHaveFormerTime = false;
  }

  /** The agent says that the archive has all of it as it is now. */
  void delivered() {
    current().due(current().sizeBytes());
    hasReplacements |= isRewritten;
    isRewritten = false;
  }

  /** The last watched name is gone. */
  void lost(boolean heldByAgent) {
    current().wholeUnlessKilled = heldByAgent;
  }

  /** A watched name leads here, maybe again. */
  void found() {
    current().wholeUnlessKilled = false;
  }

  void agentKilled() {
    births.forEach(birth -> birth.wholeUnlessKilled = false);
    hasReplacements |= isRewritten; // Perhaps some of them.
  }

  /** The state of an agent that is dead was lost. */
  void stateLost(Protection protection) {
    mayHaveFormerTime |= isTimeSet && protection != Protection.PLAIN;
    mayHaveUnexplainedHoles |= !isLive();
    mayBeOutdated |= isRewritten && hasReplacements;
  }

  /**
   * Whether the archive may have the time that it had before one that was set alone: the next agent
   * knew nothing, and cannot read the times in an encrypted archive.
   */
  boolean mayHaveFormerTime() {
    return mayHaveFormerTime;
  }

  /**
   * Whether the archive may have what was there before a rewrite: the next agent knew nothing, and
   * the archive states no checksum of a range of which some bytes were replaced before.
   */
  boolean mayBeOutdated() {
    return mayBeOutdated;
  }

  /** It is moved to a place that agents watch. */
  void movedIn() {
    hasComeBack |= !everNames.isEmpty();
  }

  /**
   * Whether it was moved away and has come back: a start that did not find it may have told of
   * bytes that are gone, and has delivered them since (docs/decisions/0216).
   */
  boolean hasComeBack() {
    return hasComeBack;
  }

  /**
   * Whether nobody could know of bytes that were under way when an agent was killed, while later
   * ones had arrived: the file and the state were gone before the next agent came.
   */
  boolean mayHaveUnexplainedHoles() {
    return mayHaveUnexplainedHoles;
  }

  /** An agent has read everything that it had or found, to the end. */
  void drained() {
    for (Birth birth : births) {
      if (birth.wholeUnlessKilled) {
        birth.due(birth.sizeBytes());
      }
    }
    if (isLive()) {
      isTimeSet = false;
      delivered();
    }
  }

  @Override
  public String toString() {
    return "file " + number + " " + names;
  }
}
