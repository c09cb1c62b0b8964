package dev.tailwater.lab.identity;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.PageSize;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Short files that are closed, and as many that are open for the methods that need no open(2). The
 * open ones are separate, since the name of an open file stays in the kernel's cache. For one
 * thread.
 */
final class IdentityFiles implements AutoCloseable {
  private static final int FILES_PER_DIRECTORY = 32;

  private final FileCalls calls;
  private final List<PosixPath> paths = new ArrayList<>();
  private final List<Descriptor> kept = new ArrayList<>();
  private final Deque<Descriptor> fresh = new ArrayDeque<>();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment page = arena.allocate(PageSize.bytes());
  private final ByteBuffer pageBuffer = page.asByteBuffer();

  private IdentityFiles(FileCalls calls) {
    this.calls = calls;
  }

  static IdentityFiles create(FileCalls calls, Path directory, int count, RandomGenerator random)
      throws IOException {
    IdentityFiles files = new IdentityFiles(calls);
    try {
      for (int i = 0; i < count; i++) {
        Path parent =
            Files.createDirectories(directory.resolve("directory-" + i / FILES_PER_DIRECTORY));
        files.paths.add(write(parent.resolve("file-" + i + ".log"), random));
        files.kept.add(files.open(write(parent.resolve("open-" + i + ".log"), random)));
      }
      return files;
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static PosixPath write(Path file, RandomGenerator random) throws IOException {
    byte[] content = new byte[PageSize.bytes()];
    random.nextBytes(content);
    Files.write(file, content);
    return PosixPath.of(file);
  }

  int count() {
    return paths.size();
  }

  FileCalls calls() {
    return calls;
  }

  /** Returns the path of a file that is not open. */
  PosixPath path(int file) {
    return paths.get(file);
  }

  /** Returns a file that is open. */
  Descriptor kept(int file) {
    return kept.get(file);
  }

  /** Opens a file with open(2) alone; {@link #closeFresh} closes it. */
  int fresh(int file) throws ErrnoException {
    Descriptor opened = open(path(file));
    fresh.add(opened);
    return opened.fd();
  }

  private Descriptor open(PosixPath path) throws ErrnoException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, path, Set.of(), 0);
  }

  /** Opens a file as the agent does, only if it is a regular one; {@link #closeFresh} closes it. */
  int freshRegular(int file) throws IOException {
    Descriptor opened = Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, path(file), Set.of());
    fresh.add(opened);
    return opened.fd();
  }

  /** Returns a buffer for the first page of a file. */
  MemorySegment page() {
    return page;
  }

  /** Returns the same memory as {@link #page}. */
  ByteBuffer pageBuffer() {
    return pageBuffer;
  }

  void closeFresh() throws ErrnoException {
    while (!fresh.isEmpty()) {
      fresh.remove().close();
    }
  }

  @Override
  public void close() throws ErrnoException {
    closeFresh();
    for (Descriptor descriptor : kept) {
      descriptor.close();
    }
    kept.clear();
    arena.close();
  }
}
