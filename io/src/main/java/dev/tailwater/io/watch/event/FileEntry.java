package dev.tailwater.io.watch.event;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;

/** A known file: its place in the tree, its last reported path, and its last snapshot. */
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
   * Whether a write may have gone unseen: the file is polled and was written shortly before the
   * last snapshot, and a later write may have the same time stamp. The file is reported once more.
   */
  public boolean mayHaveUnseenWrite;

  /** Its share of the memory for names. */
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

  /** Returns its current path, which may not have been reported yet. */
  public PosixPath currentPath() {
    return parent.path.resolve(name);
  }

  /** Returns whether it was written or touched since the last snapshot. */
  public boolean differs(FileStatus status) {
    return contentDiffers(status) || changeTimeNanos != status.changeTimeNanos();
  }

  /** As {@link #differs}, but ignores the change time, which a rename sets too. */
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
