package dev.tailwater.io.watch.event;

import dev.tailwater.posix.ErrnoException;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the kernel in which it tells what happens in directories. What it reads goes to an
 * {@link EventCollector}. For one thread.
 */
public interface EventSource extends AutoCloseable {
  /** No descriptor; poll(2) passes over it. */
  int NO_FD = -1;

  /** Readable when there is something to {@link #drain}; {@link #NO_FD} when there is no queue. */
  int fd();

  /**
   * From now on tells what happens in the directory behind an open descriptor, whatever its path
   * leads to by now, and makes itself the node's {@link DirectoryNode#source}. Nothing happens when
   * it does so already.
   *
   * @return another node that this source has told about until now and cannot any more, since both
   *     are one directory to the kernel; it has no source any more
   * @throws ErrnoException why not; then the node is not told about by this source
   */
  @Nullable DirectoryNode add(DirectoryNode node, int directoryFd) throws ErrnoException;

  /** Stops telling about a node; nothing happens when it does not. */
  void remove(DirectoryNode node) throws ErrnoException;

  /** Reads until nothing is left; returns the number of events. */
  int drain() throws ErrnoException;

  /** Whether the last events told of one end of a rename, and the other may be on its way. */
  boolean expectsMore();

  /** Whatever was expected does not come: it was a move to where nobody watches. */
  void expectNoMore();

  /** How many directories it tells about. */
  int directoryCount();

  @Override
  void close() throws ErrnoException;
}
