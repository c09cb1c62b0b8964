package dev.tailwater.io.watch.event;

import dev.tailwater.io.watch.NameBudget;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;

/** A known file: where it is in the tree, what it was called last, and its last snapshot. */
public final class FileEntry {
  public final InodeKey key;

  /** Whether the name is a symbolic link; changes of such a file must be polled. */
  public final boolean throughLink;

  public DirectoryNode parent;
  public PosixPath name;

  /** The path that was reported last. */
  public PosixPath path;

  /** The last pass that met it in a directory; 0 for none. */
  public long seenInPass;

  /**
   * Polled, and written shortly before the last snapshot: what was written right after it may have
   * the same time stamp, so the file is reported once more.
   */
  public boolean doubtful;

  /** What it takes of the {@link NameBudget}. */
  public long costBytes;

  private long sizeBytes;
  private long modificationTimeNanos;
  private long changeTimeNanos;

  public FileEntry(DirectoryNode parent, PosixPath name, FileStatus status, boolean throughLink) {
    this.parent = parent;
    this.name = name;
    this.path = parent.path.resolve(name);
    this.key = InodeKey.of(status);
    this.throughLink = throughLink;
    remember(status);
  }

  /** Where it is now, which may not have been reported yet. */
  public PosixPath currentPath() {
    return parent.path.resolve(name);
  }

  /** Whether it was written or touched since the last snapshot. */
  public boolean differs(FileStatus status) {
    return contentDiffers(status) || changeTimeNanos != status.changeTimeNanos();
  }

  /** As {@link #differs}, but blind to the change time, which a rename moves too. */
  public boolean contentDiffers(FileStatus status) {
    return sizeBytes != status.sizeBytes()
        || modificationTimeNanos != status.modificationTimeNanos();
  }

  public void remember(FileStatus status) {
    sizeBytes = status.sizeBytes();
    modificationTimeNanos = status.modificationTimeNanos();
    changeTimeNanos = status.changeTimeNanos();
  }
}
