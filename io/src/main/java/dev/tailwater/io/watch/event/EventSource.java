package dev.tailwater.io.watch.event;

import dev.tailwater.posix.ErrnoException;
import org.jspecify.annotations.Nullable;

/**
 * A queue in which the kernel reports changes in directories. Passes the events to an {@link
 * EventCollector}. For one thread.
 */
public interface EventSource extends AutoCloseable {
  /** No descriptor; poll(2) passes over it. */
  int NO_FD = -1;

  /** Returns a descriptor that is readable if there are events; {@link #NO_FD} without a queue. */
  int fd();

  /**
   * Starts to report changes in the directory behind an open descriptor, wherever its path leads by
   * now, and becomes the node's {@link DirectoryNode#source}. Does nothing if it is already.
   *
   * @return another node that loses this source, because both nodes are one directory to the kernel
   * @throws ErrnoException if this source cannot watch the directory
   */
  @Nullable DirectoryNode add(DirectoryNode node, int directoryFd) throws ErrnoException;

  /** Stops watching a node; does nothing if this source does not watch it. */
  void remove(DirectoryNode node) throws ErrnoException;

  /** Reads until nothing is left; returns the number of events. */
  int drain() throws ErrnoException;

  /** Returns whether the last events had one half of a rename whose other half may still come. */
  boolean expectsMore();

  /** Stops expecting the other half: the file was moved out of the watched directories. */
  void expectNoMore();

  /** Returns whether {@link #add} leaves out writes to a node's files while they are polled. */
  boolean canOmitWrites();

  /** Returns the number of directories that this source watches. */
  int directoryCount();

  @Override
  void close() throws ErrnoException;
}
