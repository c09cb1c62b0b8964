package dev.tailwater.io.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.OpenFlag;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The same open file once more, with O_DIRECT. Not by switching the flag of the caller's
 * descriptor, which others may write through at the same time: by /proc/self/fd, which leads to the
 * file itself whatever its name is by now.
 */
final class DirectFile {
  private static final String INSTEAD = "written through the page cache, not with O_DIRECT";

  private DirectFile() {}

  /** The second descriptor, or the reason why there is none. */
  static Optional<Descriptor> open(
      Descriptor file, Set<OpenFlag> flags, int blockBytes, int ourMemoryBytes, Fallbacks fallbacks)
      throws ErrnoException {
    FileCalls calls = file.calls();
    Optional<DirectAlignment> alignment = calls.directAlignment(file.fd());
    if (alignment.isPresent()) {
      int offsetBytes = alignment.get().offsetBytes();
      int memoryBytes = alignment.get().memoryBytes();
      if (offsetBytes == 0 || blockBytes % offsetBytes != 0 || ourMemoryBytes % memoryBytes != 0) {
        fallbacks.add(
            INSTEAD,
            offsetBytes == 0
                ? "the file system has none for " + file.path()
                : "it needs offsets of " + offsetBytes + " and memory of " + memoryBytes);
        return Optional.empty();
      }
    }
    EnumSet<OpenFlag> wanted = EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.DIRECT);
    if (flags.contains(OpenFlag.DATA_SYNC)) {
      wanted.add(OpenFlag.DATA_SYNC);
    }
    try {
      PosixPath itself = PosixPath.of("/proc/self/fd/" + file.fd());
      return Optional.of(Descriptor.open(calls, FileCalls.AT_FDCWD, itself, wanted, 0));
    } catch (ErrnoException e) {
      fallbacks.add(INSTEAD, e);
      return Optional.empty();
    }
  }
}
