package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.child.FileTree;
import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.verify.CompareReport;
import dev.tailwater.restore.verify.CompareResult;
import dev.tailwater.restore.verify.DirectoryComparer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The check of what has arrived at a destination, by the destination alone. */
final class DeliveryCheck {
  private final DestinationOpener opener;

  DeliveryCheck(DestinationOpener opener) {
    this.opener = opener;
  }

  /**
   * Returns how many bytes of the files below a directory are missing there.
   *
   * @param stateDirectory that of the agent, with the key of its content checks if it has one
   * @throws IOException it cannot be asked, or has other bytes than were written
   */
  long missingBytes(String destination, Path directory, Path stateDirectory) throws IOException {
    try (Destination open = opener.open(destination, OpenIntent.READ)) {
      ArchiveIndex index =
          ArchiveIndex.load(
              open, Selection.everything(), ReadOptions.defaults(), RestoreProgress.none());
      requireSame(open, index, directory, reading(PosixPath.of(stateDirectory)));
      Map<PosixPath, Long> there = new HashMap<>();
      for (ArchivedStream stream : index.streams()) {
        there.merge(stream.path(), stream.covered().contiguousEnd(0), Math::max);
      }
      long missingBytes = 0;
      for (Path file : FileTree.filesBelow(directory)) {
        missingBytes += Files.size(file) - there.getOrDefault(PosixPath.of(file), 0L);
      }
      return missingBytes;
    }
  }

  private ReadOptions reading(PosixPath stateDirectory) throws IOException {
    PosixPath key = stateDirectory.resolve(ContentKeyFile.NAME);
    return PathArgument.exists(opener.context().calls(), key)
        ? ReadOptions.defaults().withContentKey(ContentKeyFile.read(opener.context().calls(), key))
        : ReadOptions.defaults();
  }

  private void requireSame(
      Destination open, ArchiveIndex index, Path directory, ReadOptions reading)
      throws IOException {
    CompareReport report =
        new DirectoryComparer(opener.context().calls(), open, reading, RestoreProgress.none())
            .compare(index, PosixPath.of(directory));
    boolean differs =
        report.streams().stream().anyMatch(s -> s.result() == CompareResult.DIFFERENT);
    if (differs) {
      throw new IOException(open.uri() + " has other bytes than were written");
    }
  }
}
