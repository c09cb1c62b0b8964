package dev.tailwater.delivery.due;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.Comparisons;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Tails of real files. */
public final class TestTails {
  private TestTails() {}

  /** Opens a file as the watch does; the caller gives its descriptor up. */
  public static Tail open(Path file) throws Exception {
    return open(file, LinuxFileCalls.create(), Comparisons.NONE);
  }

  /** Opens a file whose tail asks for comparisons. */
  public static Tail open(Path file, FileCalls calls, Comparisons comparisons) throws Exception {
    PosixPath path = PosixPath.of(file);
    TailOpener.Opened opened = new TailOpener(calls, false, List.of()).open(path).orElseThrow();
    StreamProgress stream =
        StreamProgress.begin(
            "agent", opened.identity(), StreamId.of("agent", opened.identity(), 0), path, 0);
    WatchedFile watched =
        new WatchedFile(
            Optional.of(opened.descriptor()),
            path,
            OptionalLong.empty(),
            opened.identity(),
            ArchivedNames.OWN,
            OwnerNames.idsOnly(),
            _ -> {},
            comparisons,
            () -> 1);
    Tail tail = new Tail(watched, 0, stream, true, true);
    watched.attach(tail);
    return tail;
  }

  /** Makes a file longer, or one that is not there yet, by a hole. */
  static void grow(Path file, long byBytes) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(open.length() + byBytes);
    }
  }

  /** Makes the file of a tail longer, which nobody has looked at since. */
  static void grow(Tail tail, long byBytes) throws IOException {
    grow(Path.of(tail.name().toString()), byBytes);
  }
}
