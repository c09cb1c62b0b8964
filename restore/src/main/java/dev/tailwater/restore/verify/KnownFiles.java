package dev.tailwater.restore.verify;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.place.TargetTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/**
 * The files of a directory that an archive has: by their paths, by their inodes where a file that
 * was compared has several names, and by their identities where no file was found at the path of a
 * stream, since the file was renamed after the agent had last looked. For one thread.
 */
final class KnownFiles implements UnarchivedSearch.Known {
  private static final Set<OpenFlag> LOOK = EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);

  /** An inode, as long as the file exists. */
  record Inode(long device, long inode) {
    static Inode of(FileStatus status) {
      return new Inode(status.device(), status.inode());
    }
  }

  /** Compares a stream with its file, which has another path. */
  interface RenamedComparison {
    void compare(ArchivedStream stream, TargetPath path, Descriptor file) throws IOException;
  }

  private final FileCalls calls;
  private final SortedSet<String> agents;
  private final Set<Inode> linked;
  private final RenamedComparison renamed;
  private final Set<TargetPath> paths = new HashSet<>();

  /** The last streams of files that were not found, by their ids without the epoch. */
  private final Map<String, ArchivedStream> missing = new HashMap<>();

  /**
   * Creates the set, without paths yet.
   *
   * @param linked the inodes of files that were compared and have several names
   */
  KnownFiles(
      FileCalls calls, SortedSet<String> agents, Set<Inode> linked, RenamedComparison renamed) {
    this.calls = calls;
    this.agents = agents;
    this.linked = linked;
    this.renamed = renamed;
  }

  /** Notes that the file at a path was compared. */
  void add(TargetPath path) {
    paths.add(path);
  }

  /** Notes that the file of a stream was not found. */
  void addMissing(ArchivedStream stream) {
    missing.merge(
        stream.id().withoutEpoch(),
        stream,
        (one, other) -> one.id().epoch() > other.id().epoch() ? one : other);
  }

  @Override
  public boolean has(Descriptor directory, TargetPath path) throws InterruptedIOException {
    return paths.contains(path)
        || (!(linked.isEmpty() && missing.isEmpty()) && hasByFile(directory, path));
  }

  private boolean hasByFile(Descriptor directory, TargetPath path) throws InterruptedIOException {
    try (Descriptor file = TargetTree.open(calls, directory.fd(), path.name(), LOOK, 0)) {
      FileStatus status = calls.fstat(file.fd());
      if (status.type() != EntryType.REGULAR) {
        return true; // Something else has this name by now.
      }
      return linked.contains(Inode.of(status)) || hasRenamed(file, status, path);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return false; // It cannot be said which file it is; by its path, the archive has it not.
    }
  }

  private boolean hasRenamed(Descriptor file, FileStatus status, TargetPath path)
      throws IOException {
    if (missing.isEmpty()) {
      return false;
    }
    FileIdentity identity = FileIdentity.of(calls, file.fd(), status);
    for (String agent : agents) {
      ArchivedStream stream = missing.remove(StreamId.of(agent, identity, 0).withoutEpoch());
      if (stream != null) {
        renamed.compare(stream, path, file);
        if (status.links() > 1) {
          linked.add(Inode.of(status));
        }
        return true;
      }
    }
    return false;
  }
}
