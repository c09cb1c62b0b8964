package dev.tailwater.delivery.tree;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.delivery.tail.OwnerNames;
import dev.tailwater.io.attribute.AttributeReader;
import dev.tailwater.io.attribute.ExtendedAttributes;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads what there is to say of one open directory. Names are looked up through the descriptor, and
 * no link is followed. For one thread.
 */
final class DirectoryReader {
  private static final Set<StatFlag> NO_FOLLOW = EnumSet.of(StatFlag.NO_FOLLOW);

  /** As many links with the longest targets as fit a pack. */
  private static final long MAX_BYTES = 4 << 20;

  private static final int BYTES_EACH_NAME = 96;

  private final FileCalls calls;
  private final OwnerNames owners;
  private final Predicate<PosixPath> wantsDirectory;
  private final Predicate<PosixPath> wantsLink;
  private final Optional<AttributeReader> attributes;
  private long leftOut;

  /**
   * Creates a reader.
   *
   * @param wantsDirectory accepts directories by their absolute path
   * @param wantsLink accepts symbolic links by their absolute path
   * @param attributes reads the extended attributes of directories; empty if they are not archived
   */
  DirectoryReader(
      FileCalls calls,
      OwnerNames owners,
      Predicate<PosixPath> wantsDirectory,
      Predicate<PosixPath> wantsLink,
      Optional<AttributeReader> attributes) {
    this.calls = calls;
    this.owners = owners;
    this.wantsDirectory = wantsDirectory;
    this.wantsLink = wantsLink;
    this.attributes = attributes;
  }

  /** Returns how many names were left out since this was asked last, since there were too many. */
  long takeLeftOut() {
    long count = leftOut;
    leftOut = 0;
    return count;
  }

  /** The names of a directory that matter, and the memory that they take. */
  private final class Names {
    private final List<PosixPath> directories = new ArrayList<>();
    private final List<PosixPath> links = new ArrayList<>();
    private long bytes;

    void add(int fd, PosixPath path, DirectoryEntry entry) {
      EntryType type = entry.type() == EntryType.UNKNOWN ? typeOf(fd, entry) : entry.type();
      if (type == EntryType.DIRECTORY && wantsDirectory.test(path.resolve(entry.name()))) {
        addTo(directories, entry.name());
      } else if (type == EntryType.SYMBOLIC_LINK && wantsLink.test(path.resolve(entry.name()))) {
        addTo(links, entry.name());
      }
    }

    private void addTo(List<PosixPath> names, PosixPath name) {
      bytes += BYTES_EACH_NAME + name.lengthBytes();
      if (bytes > MAX_BYTES) {
        leftOut++;
      } else {
        names.add(name);
      }
    }
  }

  private EntryType typeOf(int fd, DirectoryEntry entry) {
    try {
      return calls.statx(fd, entry.name(), NO_FOLLOW).type();
    } catch (ErrnoException e) {
      return EntryType.UNKNOWN; // It is gone; then its directory has changed and is read again.
    }
  }

  /**
   * Reads a directory.
   *
   * @param further the further names of files in it
   */
  DirectoryStatement.Contents read(
      int fd, PosixPath path, FileStatus status, List<DirectoryStatement.FurtherName> further)
      throws ErrnoException {
    Names names = new Names();
    calls.entries(fd, entry -> names.add(fd, path, entry));
    names.directories.sort(Comparator.naturalOrder());
    names.links.sort(Comparator.naturalOrder());
    List<DirectoryStatement.Link> links = new ArrayList<>();
    for (PosixPath name : names.links) {
      Optional<DirectoryStatement.Link> link = link(fd, name);
      if (link.isPresent()) {
        names.bytes += link.get().target().lengthBytes();
        if (names.bytes > MAX_BYTES) {
          leftOut++;
        } else {
          links.add(link.get());
        }
      }
    }
    ExtendedAttributes extended =
        attributes.isPresent() ? attributes.get().read(fd) : ExtendedAttributes.NONE;
    return new DirectoryStatement.Contents(
        attributes(status), names.directories, links, further, extended);
  }

  private DirectoryStatement.Attributes attributes(FileStatus status) {
    return new DirectoryStatement.Attributes(
        status.permissions(), Optional.of(owners.of(status)), status.modificationTimeNanos());
  }

  /** Reads a link; empty when it is gone, or none any more. */
  private Optional<DirectoryStatement.Link> link(int fd, PosixPath name) throws ErrnoException {
    try {
      FileStatus status = calls.statx(fd, name, NO_FOLLOW);
      PosixPath target = calls.readLink(fd, name);
      boolean fits =
          !target.isEmpty() && target.lengthBytes() <= DirectoryStatement.MAX_TARGET_BYTES;
      if (!fits) {
        leftOut++;
        return Optional.empty();
      }
      return Optional.of(new DirectoryStatement.Link(name, target, attributes(status)));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT || e.errno() == Errno.EINVAL) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
