package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.FileAttributes;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The files that are as an earlier run has left them. All that is known of them is in the table of
 * files, so a start has them where those are that left memory, and makes nothing for them. Used by
 * the watch thread only.
 */
final class UnchangedFiles {
  private final ArchivedNames names;
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final Arrivals arrivals;
  private final OpenFiles openFiles;
  private final QuietNames quietNames;

  UnchangedFiles(ObserverContext context, OpenFiles openFiles, QuietNames quietNames) {
    this.names = context.settings().names();
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.arrivals = context.arrivals();
    this.openFiles = openFiles;
    this.quietNames = quietNames;
  }

  /**
   * Takes over the descriptor of a file that was opened at a path, if nothing is to be done with
   * the file. There was room for the descriptor, or the file would not have been opened.
   */
  boolean take(PosixPath path, TailOpener.Opened opened) throws IOException {
    FoundFile file = FoundFile.of(opened);
    if (!mayTake(path, file)) {
      return false;
    }
    found(path, file);
    openFiles.openedQuiet(path);
    int fd = opened.descriptor().release();
    int attributes = FileAttributes.hash(opened.status());
    QuietDescriptors quiet = openFiles.quietAt(path);
    QuietDescriptors.Held held =
        new QuietDescriptors.Held(quietNames.hash(path), fd, attributes, arrivals.nextNanos());
    if (!quiet.add(held)) {
      quietNames.close(quiet, fd); // The agent ends.
    }
    return true;
  }

  /**
   * Takes in a file that was found at a path, if nothing is to be done with the file. There is no
   * room to keep it open; a descriptor stays the caller's.
   */
  boolean takeClosed(PosixPath path, FoundFile file) throws IOException {
    if (!mayTake(path, file)) {
      return false;
    }
    NameTable.Named named = new NameTable.Named(file.identity(), arrivals.nextNanos());
    if (!quietNames.addClosed(path, named)) {
      return false;
    }
    found(path, file);
    return true;
  }

  private boolean mayTake(PosixPath path, FoundFile file) throws IOException {
    return !registry.isFollowed()
        && file.status().links() == 1
        && registry.find(file.identity()).isEmpty()
        && registry.find(path).isEmpty()
        && openFiles.quietAt(path).find(quietNames.hash(path)).isEmpty()
        && isUnchanged(path, file);
  }

  private void found(PosixPath path, FoundFile file) {
    keepers.forEach(keeper -> keeper.start().found(file.identity()));
    registry.addQuiet(path);
  }

  private boolean isUnchanged(PosixPath path, FoundFile file) throws IOException {
    PosixPath archived = names.archived(path);
    if (!names.here(archived).equals(path)) {
      return false;
    }
    for (TailKeeper keeper : keepers) {
      Optional<StreamProgress> stream = keeper.start().present(file.identity());
      if (stream.isEmpty() || !isUnchanged(stream.get(), archived, file)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the file is as its stream says, and nobody has to say or compare anything. */
  private static boolean isUnchanged(StreamProgress stream, PosixPath archived, FoundFile file) {
    FileStatus status = file.status();
    StreamProgress.Attributes seen = stream.attributes();
    long durableBytes = stream.durableBytes();
    return status.sizeBytes() == durableBytes
        && stream.earlierSizeBytes() <= durableBytes
        && seen.path().equals(archived)
        && FileAttributes.hash(durableBytes, seen)
            .equals(OptionalInt.of(FileAttributes.hash(status)))
        && stream.mayLeave()
        && isCompared(stream, durableBytes)
        && (file.isVouchedFor(stream::isVouchedForBy)
            || file.endsAsRead(durableBytes, stream.marker()));
  }

  private static boolean isCompared(StreamProgress stream, long durableBytes) {
    return !stream.isUncompared()
        && !stream.isSuspected()
        && !stream.isChangedInPlace()
        && !stream.blocks().isRevising()
        && !stream.blocks().hasUnknown(durableBytes);
  }
}
