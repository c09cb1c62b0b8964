package dev.tailwater.it.conservation;

import dev.tailwater.archive.name.StreamId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** What one inode generation was made to hold, and what of it the archive must have. */
final class ModelFile {
  /** The bytes of the file between two truncations. */
  static final class Birth {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** So many bytes from the beginning must be in the archive, whatever happens next. */
    private int dueBytes;

    /** The agent holds the nameless file: all of it is due as soon as an agent has lived on. */
    private boolean wholeUnlessKilled;

    byte[] bytes() {
      return bytes.toByteArray();
    }

    int sizeBytes() {
      return bytes.size();
    }

    byte[] due() {
      return Arrays.copyOf(bytes(), dueBytes);
    }

    void append(byte[] more) {
      bytes.writeBytes(more);
    }

    /** The agent says, or must have seen to it, that the archive has so many. */
    void due(int untilBytes) {
      dueBytes = Math.max(dueBytes, untilBytes);
    }
  }

  private final int number;
  private final int bornInLife;
  private final StreamId firstStream;
  private final List<Birth> births = new ArrayList<>();
  private final NavigableSet<Path> names = new TreeSet<>();
  private boolean mayHaveUnexplainedHoles;

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

  List<Birth> births() {
    return births;
  }

  Birth current() {
    return births.getLast();
  }

  boolean isLive() {
    return !names.isEmpty();
  }

  /** The file was truncated to this content. */
  void beginBirth(byte[] content) {
    Birth next = new Birth();
    next.append(content);
    births.add(next);
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
  }

  /** The state of an agent that is dead was lost. */
  void stateLost() {
    mayHaveUnexplainedHoles |= !isLive();
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
      current().due(current().sizeBytes());
    }
  }

  @Override
  public String toString() {
    return "file " + number + " " + names;
  }
}
