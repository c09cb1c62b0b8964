package dev.tailwater.io.read;

import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.ArrayList;
import java.util.List;

/** What was learnt about one file system: where it is, and which calls it can do. */
final class MountFacts {
  final long device;
  final FileSystemKind kind;

  /** Until the file system refuses RWF_DONTCACHE. */
  boolean dropsBehind = true;

  MountFacts(long device, FileSystemKind kind) {
    this.device = device;
    this.kind = kind;
  }

  /** Facts by device number. A reader meets one or two file systems: a list is fastest. */
  static final class Cache {
    private final List<MountFacts> known = new ArrayList<>(4);
    private long statfsCalls;

    MountFacts of(FileCalls calls, int fd, long device) throws ErrnoException {
      for (int i = 0; i < known.size(); i++) {
        if (known.get(i).device == device) {
          return known.get(i);
        }
      }
      statfsCalls++;
      MountFacts facts = new MountFacts(device, FileSystemKind.of(calls, fd));
      known.add(facts);
      return facts;
    }

    long statfsCalls() {
      return statfsCalls;
    }
  }
}
