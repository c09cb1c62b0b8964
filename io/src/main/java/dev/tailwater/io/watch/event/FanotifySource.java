package dev.tailwater.io.watch.event;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FanotifyEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * fanotify(7): one mark for a whole file system, however many directories it has. Events in
 * directories that nobody asked about are counted and passed over.
 */
public final class FanotifySource implements EventSource, FanotifyParser.Handler {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** So that a flood of events cannot keep the watch from ever answering. */
  private static final int MAX_READS = 256;

  private static final Set<FanotifyEvent> EVENTS =
      EnumSet.of(
          FanotifyEvent.MODIFY,
          FanotifyEvent.ATTRIBUTES,
          FanotifyEvent.CLOSE_WRITE,
          FanotifyEvent.CREATE,
          FanotifyEvent.DELETE,
          FanotifyEvent.RENAME,
          FanotifyEvent.DELETE_SELF,
          FanotifyEvent.MOVE_SELF,
          FanotifyEvent.ON_DIRECTORY);

  /** Before Linux 5.17. */
  private static final Set<FanotifyEvent> EVENTS_OF_OLD_KERNELS = EnumSet.copyOf(EVENTS);

  static {
    EVENTS_OF_OLD_KERNELS.remove(FanotifyEvent.RENAME);
    EVENTS_OF_OLD_KERNELS.add(FanotifyEvent.MOVED_FROM);
    EVENTS_OF_OLD_KERNELS.add(FanotifyEvent.MOVED_TO);
  }

  private final FileCalls calls;
  private final EventCollector collector;
  private final WatchedDirectories<HandleKey> watched = new WatchedDirectories<>(this);

  /** File systems that are marked: f_fsid by device. */
  private final Map<Long, Long> idByDevice = new HashMap<>();

  private final Map<Long, ErrnoException> refusedByDevice = new HashMap<>();
  private final Set<Long> confirmedDevices = new HashSet<>();
  private final Arena arena = Arena.ofShared();
  private MemorySegment buffer = MemorySegment.NULL;
  private int fd = NO_FD;
  private int openMoves;
  private long skipped;

  /** Nothing is opened before a file system is marked. */
  public FanotifySource(FileCalls calls, EventCollector collector) {
    this.calls = calls;
    this.collector = collector;
  }

  @Override
  public int fd() {
    return fd;
  }

  /** Whether the file system of that device is marked. */
  public boolean covers(long device) {
    return idByDevice.containsKey(device);
  }

  /**
   * Marks the file system on which the open directory lies. It is tried once for each device and
   * scan of everything: what the kernel refuses it mostly goes on refusing.
   *
   * @throws ErrnoException why not, see {@link FileCalls#fanotifyInit}, {@link
   *     FileCalls#fileHandle} and {@link FileCalls#fanotifyMarkFileSystem}
   */
  public void mark(long device, int directoryFd) throws ErrnoException {
    ErrnoException refused = refusedByDevice.get(device);
    if (refused != null) {
      throw refused;
    }
    try {
      if (fd == NO_FD) {
        fd = calls.fanotifyInit();
        buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
      }
      // Without handles (overlay, a seccomp profile) a mark would say nothing that helps.
      calls.fileHandle(directoryFd);
      addMark(directoryFd);
      idByDevice.put(device, calls.statfs(directoryFd).id());
      confirmedDevices.add(device);
    } catch (ErrnoException e) {
      refusedByDevice.put(device, e);
      throw e;
    }
  }

  private void addMark(int directoryFd) throws ErrnoException {
    try {
      calls.fanotifyMarkFileSystem(fd, directoryFd, EVENTS);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
      calls.fanotifyMarkFileSystem(fd, directoryFd, EVENTS_OF_OLD_KERNELS);
    }
  }

  /**
   * A scan of everything begins: the marks are to be made again on the way, since a file system
   * that was unmounted and mounted again has lost its mark, and nobody tells.
   */
  public void confirmAgain() {
    confirmedDevices.clear();
    refusedByDevice.clear();
  }

  @Override
  public @Nullable DirectoryNode add(DirectoryNode node, int directoryFd) throws ErrnoException {
    long device = node.key.device();
    if (confirmedDevices.add(device)) {
      confirm(node, device, directoryFd);
    }
    HandleKey key =
        new HandleKey(idByDevice.getOrDefault(device, 0L), calls.fileHandle(directoryFd));
    return watched.put(key, node);
  }

  private void confirm(DirectoryNode node, long device, int directoryFd) throws ErrnoException {
    try {
      addMark(directoryFd);
      idByDevice.put(device, calls.statfs(directoryFd).id());
    } catch (ErrnoException e) {
      idByDevice.remove(device);
      watched.remove(node);
      throw e;
    }
  }

  @Override
  public void remove(DirectoryNode node) {
    watched.remove(node);
  }

  @Override
  public int drain() throws ErrnoException {
    int count = 0;
    for (int reads = 0; fd != NO_FD && reads < MAX_READS; reads++) {
      int lengthBytes = calls.fanotifyRead(fd, buffer);
      if (lengthBytes == 0) {
        break;
      }
      count += FanotifyParser.parse(buffer, lengthBytes, this);
    }
    return count;
  }

  @Override
  public void overflow() {
    collector.overflow();
  }

  @Override
  public @Nullable DirectoryNode directory(HandleKey key) {
    DirectoryNode node = watched.node(key);
    if (node == null) {
      skipped++;
    }
    return node;
  }

  @Override
  public void event(DirectoryNode node, int mask, PosixPath name) {
    if ((mask & EventMask.RENAME) == 0) {
      openMoves += ends(mask, EventMask.MOVED_FROM) - ends(mask, EventMask.MOVED_TO);
    }
    collector.event(node, mask, name);
  }

  private static int ends(int mask, int bit) {
    return (mask & bit) != 0 ? 1 : 0;
  }

  /** Merged events make the count inexact; then it is waited a moment for nothing. */
  @Override
  public boolean expectsMore() {
    return openMoves > 0;
  }

  @Override
  public void expectNoMore() {
    openMoves = 0;
  }

  /** It need not: the kernel merges the events of a name. */
  @Override
  public boolean canOmitWrites() {
    return false;
  }

  @Override
  public int directoryCount() {
    return watched.count();
  }

  /** Events in directories that are not looked after. */
  public long skippedEvents() {
    return skipped;
  }

  @Override
  public void close() throws ErrnoException {
    arena.close();
    if (fd != NO_FD) {
      calls.close(fd);
    }
  }
}
