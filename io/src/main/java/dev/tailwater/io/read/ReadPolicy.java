package dev.tailwater.io.read;

import dev.tailwater.io.mount.FileSystemKind;
import java.util.Optional;

/**
 * The choice of the method for a range. The figures come from ReadMethodBenchmark and
 * RandomPageBenchmark; see bench/runs.
 */
final class ReadPolicy {
  /**
   * Below this size, asking whether a range is resident costs more than an additional copy: at 16
   * KiB 3.4 µs critical and 2.9 pooled, at 256 KiB 19 and 27.
   */
  static final int MIN_CRITICAL_BYTES = 32 * 1024;

  /** Below this size, mapping and unmapping cost more than a copy. */
  static final int MIN_MAPPED_BYTES = 64 * 1024;

  /**
   * As {@link #MIN_MAPPED_BYTES}, for a view that every thread may use: unmapping it takes a
   * handshake with all threads of the JVM.
   */
  static final int MIN_SHARED_MAPPED_BYTES = 1 << 20;

  private ReadPolicy() {}

  /** Whether a read of that length is critical when its bytes are resident. */
  static boolean criticalIfResident(
      FileSystemKind kind, Optional<ReadMethod> requested, long lengthBytes) {
    return kind.allowsCriticalReads()
        && requested
            .map(method -> method == ReadMethod.CRITICAL)
            .orElse(lengthBytes >= MIN_CRITICAL_BYTES);
  }

  /** Whether a read into an array goes through a mapping: only when asked for. */
  static boolean mapped(FileSystemKind kind, Optional<ReadMethod> requested, long lengthBytes) {
    return kind.allowsCriticalReads()
        && lengthBytes > 0
        && requested.isPresent()
        && requested.get() == ReadMethod.MAPPED;
  }

  static ReadChoice forArray(
      FileSystemKind kind,
      Optional<ReadMethod> requested,
      long lengthBytes,
      CacheResidency residency) {
    if (!kind.allowsCriticalReads()) {
      return new ReadChoice(ReadMethod.POOLED, notLocal(kind));
    }
    if (mapped(kind, requested, lengthBytes)) {
      return new ReadChoice(ReadMethod.MAPPED, "it was asked for");
    }
    if (requested.isPresent() && requested.get() == ReadMethod.POOLED) {
      return new ReadChoice(ReadMethod.POOLED, "it was asked for");
    }
    if (!criticalIfResident(kind, requested, lengthBytes)) {
      return new ReadChoice(
          ReadMethod.POOLED,
          "%d bytes are fewer than %d: to ask whether they are resident costs more than to copy them"
              .formatted(lengthBytes, MIN_CRITICAL_BYTES));
    }
    return switch (residency.source()) {
      case UNKNOWN ->
          new ReadChoice(
              ReadMethod.POOLED,
              "the kernel does not say whether the range is resident, so the read may wait for the"
                  + " disk");
      case MINCORE ->
          new ReadChoice(
              ReadMethod.POOLED,
              "without cachestat (Linux 6.5) to ask whether the range is resident takes longer than"
                  + " to read it");
      case CACHESTAT ->
          residency.all()
              ? new ReadChoice(ReadMethod.CRITICAL, "the range is resident on a local file system")
              : new ReadChoice(
                  ReadMethod.POOLED,
                  "%d of %d pages are not resident, so the read waits for the disk"
                      .formatted(
                          residency.pages() - residency.residentPages().orElse(0),
                          residency.pages()));
    };
  }

  static ReadChoice forView(
      FileSystemKind kind, Optional<ReadMethod> requested, long lengthBytes, boolean shared) {
    if (!kind.allowsCriticalReads()) {
      return new ReadChoice(ReadMethod.POOLED, notLocal(kind));
    }
    if (lengthBytes == 0) {
      return new ReadChoice(ReadMethod.POOLED, "there is nothing to map");
    }
    if (requested.isPresent()) {
      return requested.get() == ReadMethod.CRITICAL
          ? new ReadChoice(
              ReadMethod.POOLED, "a critical read fills an array, and a view is native memory")
          : new ReadChoice(requested.get(), "it was asked for");
    }
    int leastBytes = shared ? MIN_SHARED_MAPPED_BYTES : MIN_MAPPED_BYTES;
    return lengthBytes < leastBytes
        ? new ReadChoice(
            ReadMethod.POOLED,
            "%d bytes are fewer than %d: to map and unmap them costs more than to copy them"
                .formatted(lengthBytes, leastBytes))
        : new ReadChoice(
            ReadMethod.MAPPED, "a large range of a local file system is looked at without a copy");
  }

  private static String notLocal(FileSystemKind kind) {
    return kind == FileSystemKind.REMOTE
        ? "the file system is remote or served by a program, so even a resident page may wait for"
            + " it"
        : "the file system is of an unknown kind, so a read may wait for anybody";
  }
}
