package dev.tailwater.io.read;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Set;

/**
 * The program of {@link SafepointTest}: reads a file in one way, in a thread of its own, and
 * collects garbage when it is told to. Arguments: file, way. Says {@code ready}, then {@code
 * collected} and {@code read N bytes} in the order in which they happen.
 */
final class HeldRead {
  private static final int LENGTH_BYTES = 128 * 1024;

  private HeldRead() {}

  private interface Way {
    long read(FileCalls calls, Path path) throws IOException;
  }

  public static void main(String[] arguments) throws Exception {
    Path path = Path.of(arguments[0]);
    Way way = way(arguments[1]);
    FileCalls calls = LinuxFileCalls.create();
    way.read(calls, path); // loads and links everything
    System.out.println("ready");
    System.in.read();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    System.out.println("read " + way.read(calls, path) + " bytes");
                  } catch (IOException e) {
                    System.out.println(e);
                  }
                });
    System.in.read();
    long before = collections();
    System.gc();
    System.out.println(collections() > before ? "collected" : "System.gc() is disabled");
    reader.join();
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  private static Way way(String name) {
    return switch (name) {
      case "front" -> HeldRead::front;
      case "tail" -> HeldRead::tail;
      case "view" -> HeldRead::view;
      case "raw" -> HeldRead::raw;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static long front(FileCalls calls, Path path) throws IOException {
    ReadOptions options = ReadOptions.defaults().withMethod(ReadMethod.CRITICAL);
    try (ReadableFile file = ReadableFile.open(calls, PosixPath.of(path), options)) {
      return file.read(0, new byte[LENGTH_BYTES], 0, LENGTH_BYTES);
    }
  }

  private static long tail(FileCalls calls, Path path) throws IOException {
    try (Descriptor file = open(calls, path);
        TailReader reader = new TailReader(calls)) {
      return reader.read(file.fd(), 0, new byte[LENGTH_BYTES], 0, LENGTH_BYTES);
    }
  }

  private static long view(FileCalls calls, Path path) throws IOException {
    ReadOptions options = ReadOptions.defaults().withMethod(ReadMethod.MAPPED);
    try (ReadableFile file = ReadableFile.open(calls, PosixPath.of(path), options);
        FileView view = file.view(new FileRange(0, LENGTH_BYTES))) {
      return view.use(bytes -> bytes.byteSize());
    }
  }

  /** What must not be done. */
  private static long raw(FileCalls calls, Path path) throws IOException {
    try (Descriptor file = open(calls, path)) {
      return calls.preadCritical(file.fd(), new byte[LENGTH_BYTES], 0, LENGTH_BYTES, 0);
    }
  }

  private static Descriptor open(FileCalls calls, Path path) throws IOException {
    return Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of());
  }
}
