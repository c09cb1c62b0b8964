package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.RingCalls;
import dev.tailwater.posix.binding.RingBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.value.RingFeature;
import dev.tailwater.posix.value.RingFlag;
import dev.tailwater.posix.value.RingParameters;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** The implementation of {@link RingCalls} for Linux. */
final class LinuxRingCalls implements RingCalls {
  /** Size of struct io_uring_params: 40 bytes, struct io_sqring_offsets and io_cqring_offsets. */
  private static final int PARAMETERS_BYTES = 120;

  private static final int ENTER_GETEVENTS = 1;
  private static final int REGISTER_IOWQ_MAX_WORKERS = 19;
  private static final int PROT_READ_WRITE = 0x1 | 0x2;
  private static final int MAP_SHARED_POPULATE = 0x01 | 0x8000;
  private static final long MAP_FAILED = -1;

  private final ScratchPool scratches;

  LinuxRingCalls(ScratchPool scratches) {
    this.scratches = scratches;
  }

  @Override
  public RingParameters ioUringSetup(int entries, Set<RingFlag> flags) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment parameters = scratch.struct().asSlice(0, PARAMETERS_BYTES).fill((byte) 0);
      parameters.set(JAVA_INT, 8, bits(flags));
      int fd = RingBindings.setup(scratch.errno(), entries, parameters);
      if (fd < 0) {
        throw scratch.failure("io_uring_setup", "a new ring of " + entries + " entries");
      }
      return new RingParameters(
          fd,
          parameters.get(JAVA_INT, 0),
          parameters.get(JAVA_INT, 4),
          features(parameters.get(JAVA_INT, 20)),
          new RingParameters.SubmissionOffsets(
              parameters.get(JAVA_INT, 40),
              parameters.get(JAVA_INT, 44),
              parameters.get(JAVA_INT, 48),
              parameters.get(JAVA_INT, 56),
              parameters.get(JAVA_INT, 64)),
          new RingParameters.CompletionOffsets(
              parameters.get(JAVA_INT, 80),
              parameters.get(JAVA_INT, 84),
              parameters.get(JAVA_INT, 88),
              parameters.get(JAVA_INT, 96),
              parameters.get(JAVA_INT, 100)));
    }
  }

  private static int bits(Set<RingFlag> flags) {
    int bits = 0;
    for (RingFlag flag : flags) {
      bits |=
          switch (flag) {
            case COOPERATIVE -> 1 << 8;
          };
    }
    return bits;
  }

  private static Set<RingFeature> features(int bits) {
    Set<RingFeature> features = EnumSet.noneOf(RingFeature.class);
    for (RingFeature feature : RingFeature.values()) {
      int bit =
          switch (feature) {
            case SINGLE_MAPPING -> 1;
            case NO_DROP -> 1 << 1;
            case READ_AND_WRITE -> 1 << 3;
          };
      if ((bits & bit) != 0) {
        features.add(feature);
      }
    }
    return features;
  }

  @Override
  public int ioUringEnter(int ringFd, int submissions, int minCompletions) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      int taken =
          RingBindings.enter(scratch.errno(), ringFd, submissions, minCompletions, ENTER_GETEVENTS);
      if (taken < 0) {
        throw scratch.failure("io_uring_enter", ringFd);
      }
      return taken;
    }
  }

  @Override
  public void ioUringLimitWorkers(int ringFd, int threads) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment limits = scratch.struct();
      limits.set(JAVA_INT, 0, threads);
      limits.set(JAVA_INT, 4, 0); // 0 leaves the limit unchanged
      if (RingBindings.register(scratch.errno(), ringFd, REGISTER_IOWQ_MAX_WORKERS, limits, 2)
          < 0) {
        throw scratch.failure("io_uring_register", ringFd);
      }
    }
  }

  @Override
  @SuppressWarnings("restricted") // the length is the one that was mapped
  public MemorySegment mapRing(int ringFd, long offsetBytes, long lengthBytes)
      throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      MemorySegment memory =
          RingBindings.mmap(
              scratch.errno(),
              lengthBytes,
              PROT_READ_WRITE,
              MAP_SHARED_POPULATE,
              ringFd,
              offsetBytes);
      if (memory.address() == MAP_FAILED) {
        throw scratch.failure("mmap", ringFd);
      }
      return memory.reinterpret(lengthBytes);
    }
  }

  @Override
  public void unmapRing(MemorySegment memory) throws ErrnoException {
    try (Scratch scratch = scratches.acquire()) {
      if (RingBindings.munmap(scratch.errno(), memory, memory.byteSize()) < 0) {
        throw scratch.failure("munmap", "ring memory");
      }
    }
  }
}
