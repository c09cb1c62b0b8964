package dev.tailwater.store.simulated;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A file system in memory with one directory, {@code /store}, which can stop at any call, lose what
 * was not synced, tear what was, run out of space and fail any call. Thread-safe.
 */
public final class SimulatedFileSystem {
  public static final PosixPath STORE = PosixPath.of("/store");

  private static final int ROOT_FD = 3;
  private static final int STORE_FD = 4;
  private static final int FIRST_FILE_FD = 5;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final Map<String, Subdirectory> subdirectories = new TreeMap<>();
  private final Map<Integer, Subdirectory> openSubdirectories = new HashMap<>();
  private final Map<Integer, SimulatedFile> open = new HashMap<>();
  private final Map<String, Long> callsByName = new HashMap<>();
  private boolean storeExists;
  private int nextFd = FIRST_FILE_FD;
  private final BitSet changes = new BitSet();
  private long callCount;
  private long stopAtCall = Long.MAX_VALUE;
  private boolean stopsAfterEffect;
  private long freeBytes = Long.MAX_VALUE;
  private Function<String, Optional<Errno>> faults = method -> Optional.empty();
  private Runnable beforeSync = () -> {};

  /** A directory in the store's; durable with its name when the store's is synced. */
  private static final class Subdirectory {
    private final SimulatedDirectory files = new SimulatedDirectory();
    private boolean durable;
  }

  public FileCalls calls() {
    InvocationHandler handler = (proxy, method, arguments) -> call(method, arguments);
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(), new Class<?>[] {FileCalls.class}, handler);
  }

  public synchronized long callCount() {
    return callCount;
  }

  public synchronized long callsOf(String method) {
    return callsByName.getOrDefault(method, 0L);
  }

  /**
   * Numbers of the calls that changed something, were it only what is durable; from 1. Whoever
   * stops in front of each of these, and behind the last call, has stopped wherever the files
   * differ.
   */
  public synchronized int[] changes() {
    return changes.stream().toArray();
  }

  /** Stops at this many calls from now, before or after that call had its effect. */
  public synchronized void stopAfterCalls(long calls, boolean afterEffect) {
    stopAtCall = callCount + calls;
    stopsAfterEffect = afterEffect;
  }

  /** Room for this many more bytes. */
  public synchronized void freeBytes(long bytes) {
    freeBytes = bytes;
  }

  /** Says for each call by its method's name whether it fails. */
  public synchronized void faults(Function<String, Optional<Errno>> plan) {
    faults = plan;
  }

  /** Runs before each fdatasync, outside the simulation's lock. */
  public synchronized void beforeSync(Runnable action) {
    beforeSync = action;
  }

  /** The process is gone; what it wrote is in the page cache. */
  public synchronized void killProcess() {
    open.forEach((fd, file) -> file.unlock(fd));
    open.clear();
    openSubdirectories.clear();
    stopAtCall = Long.MAX_VALUE;
  }

  /** The machine is gone, and back. */
  public synchronized void losePower(RandomGenerator random) {
    killProcess();
    directory.losePower(random);
    subdirectories.values().removeIf(inner -> !inner.durable && random.nextBoolean());
    subdirectories.values().forEach(inner -> inner.files.losePower(random));
  }

  /** Descriptors of files that nobody has closed. */
  public synchronized int openFiles() {
    return open.size();
  }

  public synchronized List<String> names() {
    return List.copyOf(directory.names().keySet());
  }

  /** The files of this moment, as a killed process leaves them. */
  public synchronized SimulatedFileSystem copy() {
    SimulatedFileSystem copy = new SimulatedFileSystem();
    names().forEach(name -> copy.replace(name, content(name)));
    return copy;
  }

  /** Names of directories in the store's. */
  public synchronized List<String> subdirectories() {
    return List.copyOf(subdirectories.keySet());
  }

  /** What a file in a directory in the store's holds; empty when there is none. */
  public synchronized Optional<byte[]> content(String subdirectory, String name) {
    return Optional.ofNullable(subdirectories.get(subdirectory))
        .map(inner -> inner.files.names().get(name))
        .map(SimulatedFile::content);
  }

  public synchronized byte[] content(String name) {
    return file(name).content();
  }

  /** Changes a file behind the store's back; makes it when it is not there. */
  public synchronized void replace(String name, byte[] content) {
    storeExists = true;
    SimulatedFile file = new SimulatedFile();
    file.replace(content);
    directory.link(name, file);
    directory.sync();
  }

  public synchronized void delete(String name) {
    directory.unlink(name);
    directory.sync();
  }

  private SimulatedFile file(String name) {
    SimulatedFile file = directory.names().get(name);
    if (file == null) {
      throw new AssertionError("no file " + name + " in " + names());
    }
    return file;
  }

  /** What mapping files and asking for many reads at once is tried with, and given up at. */
  private static final Set<String> MISSING =
      Set.of("statfs", "map", "cachestat", "directAlignment", "ioUringSetup", "preadv2");

  /** What leaves all files as they are, also those on the disk. */
  private static final Set<String> LOOKS =
      Set.of("close", "entries", "fadvise", "fstat", "pread", "tryLock");

  private @Nullable Object call(Method method, Object[] arguments) throws ErrnoException {
    if (MISSING.contains(method.getName())) {
      throw failure(method.getName(), Errno.ENOSYS); // not counted: no step of the store's own
    }
    if (method.getName().equals("fdatasync")) {
      Runnable action;
      synchronized (this) {
        action = beforeSync;
      }
      action.run();
    }
    synchronized (this) {
      callCount++;
      callsByName.merge(method.getName(), 1L, Long::sum);
      if (callCount > stopAtCall || (callCount == stopAtCall && !stopsAfterEffect)) {
        throw new PowerLoss(callCount);
      }
      Object result = perform(method.getName(), arguments);
      if (!isLook(method.getName(), arguments)) {
        changes.set((int) callCount);
      }
      if (callCount == stopAtCall) {
        throw new PowerLoss(callCount);
      }
      return result;
    }
  }

  private static boolean isLook(String name, Object[] arguments) {
    return LOOKS.contains(name)
        || (name.equals("open")
            && !flags(arguments[2]).contains(OpenFlag.CREATE)
            && !flags(arguments[2]).contains(OpenFlag.TRUNCATE));
  }

  private @Nullable Object perform(String name, Object[] arguments) throws ErrnoException {
    Optional<Errno> fault = faults.apply(name);
    if (fault.isPresent()) {
      if (name.equals("fsync") || name.equals("fdatasync")) {
        Optional.ofNullable(open.get((Integer) arguments[0])).ifPresent(SimulatedFile::failSync);
      }
      throw failure(name, fault.get());
    }
    switch (name) {
      case "open" -> {
        return open((Integer) arguments[0], (PosixPath) arguments[1], flags(arguments[2]));
      }
      case "close" -> close((Integer) arguments[0]);
      case "makeDirectory" -> makeDirectory((Integer) arguments[0], arguments[1].toString());
      case "link" -> {
        SimulatedFile file = names((Integer) arguments[0]).names().get(arguments[1].toString());
        if (file == null) {
          throw failure("link", Errno.ENOENT);
        }
        names((Integer) arguments[2]).link(arguments[3].toString(), file);
      }
      case "entries" -> {
        return directory.names().keySet().stream().map(SimulatedFileSystem::entry).toList();
      }
      case "rename" -> directory.rename(arguments[1].toString(), arguments[3].toString());
      case "unlink" -> unlink(arguments[1].toString());
      case "pread" -> {
        return pread(fileOf(arguments[0]), (MemorySegment) arguments[1], (Long) arguments[2]);
      }
      case "pwrite" -> {
        return pwrite(fileOf(arguments[0]), (MemorySegment) arguments[1], (Long) arguments[2]);
      }
      case "fallocate" -> allocate(fileOf(arguments[0]), (Long) arguments[2] + (Long) arguments[3]);
      case "fadvise" -> fileOf(arguments[0]);
      case "truncate" -> fileOf(arguments[0]).truncate(((Long) arguments[1]).intValue());
      case "fsync", "fdatasync" -> sync((Integer) arguments[0]);
      case "fstat" -> {
        return status(fileOf(arguments[0]));
      }
      case "tryLock" -> {
        return fileOf(arguments[0]).tryLock((Integer) arguments[0]);
      }
      default -> throw new AssertionError("the simulation has no " + name);
    }
    return null;
  }

  @SuppressWarnings("unchecked")
  private static Set<OpenFlag> flags(Object argument) {
    return (Set<OpenFlag>) argument;
  }

  private void makeDirectory(int dirFd, String name) throws ErrnoException {
    if (dirFd != STORE_FD) {
      storeExists = true;
    } else if (subdirectories.containsKey(name)) {
      throw failure("makeDirectory", Errno.EEXIST);
    } else {
      subdirectories.put(name, new Subdirectory());
    }
  }

  private SimulatedDirectory names(int dirFd) {
    Subdirectory inner = openSubdirectories.get(dirFd);
    return inner == null ? directory : inner.files;
  }

  private int open(int dirFd, PosixPath path, Set<OpenFlag> flags) throws ErrnoException {
    if (path.equals(PosixPath.of("/"))) {
      return ROOT_FD;
    }
    if (path.equals(STORE)) {
      if (!storeExists) {
        throw failure("open", Errno.ENOENT);
      }
      return STORE_FD;
    }
    if (path.parent().equals(STORE)) {
      Subdirectory inner = subdirectories.get(path.fileName().toString());
      if (inner == null) {
        throw failure("open", Errno.ENOENT);
      }
      openSubdirectories.put(nextFd, inner);
      return nextFd++;
    }
    String name = path.toString();
    SimulatedDirectory in = names(dirFd);
    SimulatedFile file = in.names().get(name);
    if (file == null) {
      if (!flags.contains(OpenFlag.CREATE)) {
        throw failure("open", Errno.ENOENT);
      }
      file = new SimulatedFile();
      in.link(name, file);
    } else if (flags.contains(OpenFlag.TRUNCATE)) {
      file.truncate(0);
    }
    open.put(nextFd, file);
    return nextFd++;
  }

  private void close(int fd) throws ErrnoException {
    if (fd >= FIRST_FILE_FD && openSubdirectories.remove(fd) == null) {
      SimulatedFile file = open.remove(fd);
      if (file == null) {
        throw failure("close", Errno.EBADF);
      }
      file.unlock(fd);
    }
  }

  private void unlink(String name) throws ErrnoException {
    if (!directory.names().containsKey(name)) {
      throw failure("unlink", Errno.ENOENT);
    }
    directory.unlink(name);
  }

  private SimulatedFile fileOf(Object fd) throws ErrnoException {
    SimulatedFile file = open.get((Integer) fd);
    if (file == null) {
      throw failure("fd", Errno.EBADF);
    }
    return file;
  }

  private static int pread(SimulatedFile file, MemorySegment target, long offset) {
    byte[] bytes = new byte[(int) target.byteSize()];
    int length = file.read(bytes, offset);
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, length);
    return length;
  }

  private int pwrite(SimulatedFile file, MemorySegment source, long offset) throws ErrnoException {
    byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE);
    long growth = Math.max(0, offset + bytes.length - file.allocatedBytes());
    long missing = Math.max(0, growth - freeBytes);
    int length = (int) (bytes.length - missing);
    if (length <= 0) {
      throw failure("pwrite", Errno.ENOSPC);
    }
    freeBytes -= growth - missing;
    file.write(Arrays.copyOf(bytes, length), offset);
    return length;
  }

  private void allocate(SimulatedFile file, long endBytes) throws ErrnoException {
    long growth = Math.max(0, endBytes - file.allocatedBytes());
    if (growth > freeBytes) {
      throw failure("fallocate", Errno.ENOSPC);
    }
    freeBytes -= growth;
    file.allocate(endBytes);
  }

  private void sync(int fd) throws ErrnoException {
    if (fd == STORE_FD) {
      directory.sync();
      subdirectories.values().forEach(inner -> inner.durable = true);
    } else if (openSubdirectories.containsKey(fd)) {
      names(fd).sync();
    } else if (fd >= FIRST_FILE_FD) {
      fileOf(fd).sync();
    }
  }

  private static FileStatus status(SimulatedFile file) {
    return new FileStatus(
        1,
        1,
        EntryType.REGULAR,
        0600,
        0,
        0,
        1,
        file.sizeBytes(),
        0,
        4096,
        0,
        0,
        OptionalLong.empty(),
        0);
  }

  private static DirectoryEntry entry(String name) {
    return new DirectoryEntry(PosixPath.of(name), 1, EntryType.REGULAR);
  }

  private static ErrnoException failure(String operation, Errno errno) {
    return new ErrnoException(operation, "simulated", errno.number(), errno.name());
  }
}
