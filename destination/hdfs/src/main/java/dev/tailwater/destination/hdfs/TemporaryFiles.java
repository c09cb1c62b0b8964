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
 * The directory {@code .tailwater-tmp} below the root, where files are written before they get
 * their names, and what becomes of those that never got one. Thread-safe.
 *
 * <p>A file whose process is over is removed before the next process writes its first: when {@link
 * Owner} knows that it is over, at once; otherwise when the NameNode says that nobody has renewed
 * its lease for the soft limit (60 s), and where it was closed already, after 15 minutes. Were it
 * somebody's after all, his rename would fail and he would write it again.
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

  /** A new file; before the first, what others left is removed. */
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
      discardLater(path); // Perhaps only the answer was lost.
      throw e;
    }
  }

  /** For a file that is not wanted. It is removed now or, should that fail, later. */
  void discard(DistributedFileSystem files, Path path) {
    discardLater(path);
    removeDiscarded(files);
  }

  /** For a file that may be there, when the cluster has just failed. */
  void discardLater(Path path) {
    discarded.add(path);
  }

  /** Removes what {@link #discard} could not. */
  void removeDiscarded(DistributedFileSystem files) {
    for (Path path = discarded.poll(); path != null; path = discarded.poll()) {
      try {
        files.delete(path, false);
      } catch (IOException e) {
        discarded.add(path); // The caller's own call says what is wrong.
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
      // Other threads of this object write already.
      if (entry.isDirectory() || owner.isEmpty() || name.startsWith(namePrefix)) {
        continue;
      }
      try {
        if (isLeftBehind(files, entry, owner.get())) {
          files.delete(entry.getPath(), false);
        }
      } catch (FileNotFoundException | AccessControlException | RemoteException e) {
        // Somebody else cleans too; or it is another user's, whose own agent removes it; or the
        // NameNode says something else about this file, which is no reason not to put others.
      }
    }
  }

  private boolean isLeftBehind(DistributedFileSystem files, FileStatus entry, Owner owner)
      throws IOException {
    if (owner.isOver()) {
      // Also ends what its data nodes still wait for.
      files.recoverLease(entry.getPath());
      return true;
    }
    return files.isFileClosed(entry.getPath())
        ? entry.getModificationTime() < clock.millis() - LEFT_BEHIND_MILLIS
        : isLeaseRecovered(files, entry.getPath());
  }

  /**
   * Whether the lease of a file was not renewed in time and is now recovered. To append is the call
   * that asks this: unlike {@code recoverLease} it takes nothing away from a writer that lives.
   * When it succeeds, the file is closed: by the NameNode, which had nothing to recover, or a
   * moment ago by its writer, who is about to rename it. So it is kept until it is old.
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
