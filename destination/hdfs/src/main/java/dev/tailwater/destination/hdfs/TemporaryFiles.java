package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.ObjectKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The directory {@code .tailwater-tmp} below the root, in which files are written before they get
 * their names, and the removal of files that never got one. Thread-safe.
 *
 * <p>Before a process writes its first file, it removes those of processes that have ended. If
 * {@link Owner} knows that the process has ended, it removes the file at once. Otherwise it removes
 * an open file once nobody has renewed its lease for the soft limit (60 s), as the NameNode reports
 * it, and a closed file after 15 minutes. If the writer still exists after all, its rename fails
 * and it writes the file again.
 */
final class TemporaryFiles {
  private static final long LEFT_BEHIND_MILLIS = TimeUnit.MINUTES.toMillis(15);

  private final Path directory;
  private final String namePrefix;
  private final InstantSource clock;
  private final Optional<Short> replication;
  private final AtomicLong count = new AtomicLong();
  private final AtomicBoolean cleaned = new AtomicBoolean();

  /** Files of this object that are to be removed when the cluster answers again. */
  private final Deque<Path> discarded = new ConcurrentLinkedDeque<>();

  TemporaryFiles(HdfsPlace place, Owner self, RandomGenerator random, InstantSource clock) {
    String root = place.root().equals("/") ? "" : place.root();
    this.directory = new Path(root + "/" + ObjectKeys.RESERVED);
    this.namePrefix = self.namePrefix() + String.format(Locale.ROOT, "%016x-", random.nextLong());
    this.clock = clock;
    this.replication = place.replication();
  }

  /** Creates a new file; before the first one, removes what other processes left behind. */
  TemporaryFile create(DistributedFileSystem files) throws IOException {
    if (cleaned.compareAndSet(false, true)) {
      try {
        removeLeftovers(files);
      } catch (IOException | RuntimeException e) {
        cleaned.set(false);
        throw e;
      }
    }
    removeDiscarded(files);
    Path path = new Path(directory, namePrefix + count.incrementAndGet());
    try {
      return TemporaryFile.create(files, path, replication);
    } catch (IOException | RuntimeException e) {
      discardLater(path); // The file may exist, if only the answer was lost.
      throw e;
    }
  }

  /** Removes a file that is not needed: now or, if that fails, later. */
  void discard(DistributedFileSystem files, Path path) {
    discardLater(path);
    removeDiscarded(files);
  }

  /**
   * Records a file for removal later. For a file that may exist, when the cluster has just failed.
   */
  void discardLater(Path path) {
    discarded.add(path);
  }

  /** Removes the files that {@link #discard} and {@link #discardLater} recorded. */
  void removeDiscarded(DistributedFileSystem files) {
    for (Path path = discarded.poll(); path != null; path = discarded.poll()) {
      try {
        files.delete(path, false);
      } catch (IOException e) {
        discarded.add(path); // The caller's own call reports the problem.
        return;
      }
    }
  }

  private void removeLeftovers(DistributedFileSystem files) throws IOException {
    FileStatus[] entries;
    try {
      entries = files.listStatus(directory);
    } catch (FileNotFoundException e) {
      return;
    }
    for (FileStatus entry : entries) {
      String name = entry.getPath().getName();
      Optional<Owner> owner = Owner.of(name);
      // Other threads of this object may be writing these files.
      if (entry.isDirectory() || owner.isEmpty() || name.startsWith(namePrefix)) {
        continue;
      }
      try {
        if (isLeftBehind(files, entry, owner.get())) {
          files.delete(entry.getPath(), false);
        }
      } catch (FileNotFoundException | AccessControlException | RemoteException e) {
        // Another process cleans too; or the file is another user's, whose own agent removes it; or
        // the NameNode has another problem with this file, which must not prevent puts of others.
      }
    }
  }

  private boolean isLeftBehind(DistributedFileSystem files, FileStatus entry, Owner owner)
      throws IOException {
    if (owner.isOver()) {
      // Also ends the wait of its data nodes for more bytes.
      files.recoverLease(entry.getPath());
      return true;
    }
    return files.isFileClosed(entry.getPath())
        ? entry.getModificationTime() < clock.millis() - LEFT_BEHIND_MILLIS
        : isLeaseRecovered(files, entry.getPath());
  }

  /**
   * Returns whether the lease of a file was not renewed in time and is now being recovered. Asks by
   * an append: unlike {@code recoverLease}, it takes nothing away from a live writer. If the append
   * succeeds, the file was closed: by the NameNode, which had nothing to recover, or a moment ago
   * by its writer, which is about to rename it. So the file is kept until it is old.
   */
  private static boolean isLeaseRecovered(DistributedFileSystem files, Path path)
      throws IOException {
    try {
      files.append(path).close();
      return false;
    } catch (RemoteException e) {
      String name = e.getClassName().substring(e.getClassName().lastIndexOf('.') + 1);
      return switch (name) {
        case "AlreadyBeingCreatedException" -> false;
        case "RecoveryInProgressException" -> true;
        default -> throw e;
      };
    }
  }
}
