package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A put dies or fails at each of its calls in turn. */
class DirectoryCrashTest {
  private static final String KEY = "web-1/log/0-600000.zst";
  private static final int LENGTH = 600_000;
  private static final byte[] OLD = bytes(7);

  @TempDir Path temporary;

  /** How a process dies at a call. */
  enum Death {
    BEFORE,
    AFTER,
    WITHIN;

    FaultPlan at(long number) {
      return switch (this) {
        case BEFORE -> FaultPlan.crashAt(number);
        case AFTER -> FaultPlan.crashAfter(number);
        case WITHIN -> FaultPlan.crashWithin(number, 5000);
      };
    }
  }

  /** What is done in the process that dies. */
  enum Work {
    SEGMENT {
      @Override
      void prepare(Path root) {}

      @Override
      void run(Destination archive) throws DestinationException {
        assertEquals(PutResult.CREATED, put(archive, KEY, LENGTH));
      }
    },
    OBJECT {
      @Override
      void prepare(Path root) throws IOException {
        try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
          archive.putObject(KEY, OLD);
        }
      }

      @Override
      void run(Destination archive) throws DestinationException {
        archive.putObject(KEY, bytes(LENGTH));
      }
    };

    /** What is there before, from another process. */
    abstract void prepare(Path root) throws IOException;

    abstract void run(Destination archive) throws DestinationException;
  }

  private static FaultyFileCalls calls(FaultPlan plan) {
    return FaultyFileCalls.wrap(LinuxFileCalls.create(), plan);
  }

  /** The number of calls from before the opening to the end of the work. */
  private long callsOf(Work work) throws IOException {
    Path root = temporary.resolve("counted");
    work.prepare(root);
    FaultyFileCalls calls = calls(FaultPlan.none());
    try (Destination archive = Archive.open(root, calls.calls())) {
      work.run(archive);
    }
    return calls.callCount();
  }

  @ParameterizedTest
  @EnumSource
  void leavesTheWholeSegmentOrNoneWhereverItDies(Death death) throws IOException {
    long count = callsOf(Work.SEGMENT);
    for (long number = 1; number <= count; number++) {
      Path root = temporary.resolve(death + "-" + number);
      die(root, Work.SEGMENT, death.at(number));
      try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
        boolean whole = keys(archive).equals(List.of(KEY));
        if (whole) {
          assertArrayEquals(bytes(LENGTH), read(archive, KEY), "crash at " + number);
        } else {
          assertEquals(List.of(), keys(archive), "crash at " + number);
          assertThrows(NoSuchObjectException.class, () -> read(archive, KEY));
        }
        assertEquals(
            whole ? PutResult.ALREADY_EXISTS : PutResult.CREATED, put(archive, KEY, LENGTH));
        assertArrayEquals(bytes(LENGTH), read(archive, KEY), "crash at " + number);
        assertEquals(List.of(KEY), keys(archive));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesTheOldOrTheNewObjectWhereverItDies(Death death) throws IOException {
    long count = callsOf(Work.OBJECT);
    for (long number = 1; number <= count; number++) {
      Path root = temporary.resolve(death + "-" + number);
      Work.OBJECT.prepare(root);
      die(root, Work.OBJECT, death.at(number));
      try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
        byte[] found = read(archive, KEY);
        assertArrayEquals(found.length == OLD.length ? OLD : bytes(LENGTH), found);
        archive.putObject(KEY, bytes(LENGTH));
        assertArrayEquals(bytes(LENGTH), read(archive, KEY));
      }
    }
  }

  private static void die(Path root, Work work, FaultPlan plan) throws ErrnoException {
    FaultyFileCalls calls = calls(plan);
    try {
      assertThrows(CrashError.class, () -> work.run(Archive.open(root, calls.calls())));
    } finally {
      calls.kill();
    }
  }

  @Test
  void leavesNoDescriptorAndNoUnfinishedFileWhicheverCallFails() throws IOException {
    long count = callsOf(Work.SEGMENT);
    for (long number = 1; number <= count; number++) {
      Path root = temporary.resolve("failed-" + number);
      FaultyFileCalls calls = calls(FaultPlan.failAt(number, Errno.EIO));
      boolean failed = false;
      try (Destination archive = Archive.open(root, calls.calls())) {
        Work.SEGMENT.run(archive);
      } catch (DestinationException e) {
        failed = true;
        assertEquals(Errno.EIO, e.errno().orElseThrow(), "call " + number);
        assertTrue(!e.permanent(), "EIO may go away");
      }
      assertTrue(failed, "the failure of call " + number + " was not told");
      assertEquals(List.of(), calls.openDescriptors(), "after call " + number);
      try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
        assertEquals(List.of(), Archive.unfinished(root), "after call " + number);
        put(archive, KEY, LENGTH);
        assertArrayEquals(bytes(LENGTH), read(archive, KEY));
      }
    }
  }

  @Test
  void leavesNoDescriptorWhicheverCallOfAReadOrListFails() throws IOException {
    Path root = temporary.resolve("read");
    try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
      for (String key : List.of("a/b/1", "a/b/2", "a/c/d/3", "a/e")) {
        put(archive, key, 10);
      }
    }
    FaultyFileCalls counted = calls(FaultPlan.none());
    readEverything(root, counted);
    for (long number = 1; number <= counted.callCount(); number++) {
      FaultyFileCalls calls = calls(FaultPlan.failAt(number, Errno.EIO));
      assertThrows(DestinationException.class, () -> readEverything(root, calls), "call " + number);
      assertEquals(List.of(), calls.openDescriptors(), "after call " + number);
    }
  }

  @Test
  void leavesNoDescriptorWhicheverCallOfTheBeginningOfAnUploadFails() throws IOException {
    Path root = temporary.resolve("upload");
    FaultyFileCalls counted = calls(FaultPlan.none());
    beginUpload(root, counted);
    for (long number = 1; number <= counted.callCount(); number++) {
      FaultyFileCalls calls = calls(FaultPlan.failAt(number, Errno.EIO));
      try {
        beginUpload(root, calls);
      } catch (DestinationException e) {
        assertEquals(Errno.EIO, e.errno().orElseThrow(), "call " + number);
      }
      assertEquals(List.of(), calls.openDescriptors(), "after call " + number);
    }
  }

  private static void beginUpload(Path root, FaultyFileCalls calls) throws IOException {
    try (Destination archive = Archive.open(root, calls.calls());
        SegmentUpload upload = archive.beginSegment(KEY)) {
      upload.write(ByteBuffer.allocate(10));
    }
  }

  private static void readEverything(Path root, FaultyFileCalls calls) throws IOException {
    try (Destination archive = Archive.open(root, calls.calls(), OpenIntent.READ)) {
      for (String key : keys(archive)) {
        assertArrayEquals(bytes(10), read(archive, key));
      }
    }
  }

  @Test
  void writesAnewAfterAFailedSyncInsteadOfSyncingAgain() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.failOnce("fdatasync", Errno.EIO));
    try (Destination archive = Archive.open(temporary, calls.calls())) {
      assertThrows(DestinationException.class, () -> put(archive, "a", 10));
      assertEquals(List.of(), Archive.unfinished(temporary));
      assertEquals(PutResult.CREATED, put(archive, "a", 10));
    }
    assertEquals(2, calls.log().stream().filter("pwrite"::equals).count());
  }

  @Test
  void syncsTheNameAgainWhenThatFailed() throws IOException {
    FaultyFileCalls calls =
        calls(
            FaultPlan.once(
                call -> call.is("fsync") && call.number() > 12, new Fault.Fail(Errno.EIO)));
    try (Destination archive = Archive.open(temporary, calls.calls())) {
      assertThrows(DestinationException.class, () -> put(archive, "a", 10));
      assertTrue(Files.exists(temporary.resolve("a")), "the test failed the wrong fsync");
      assertEquals(PutResult.ALREADY_EXISTS, put(archive, "a", 10));
      assertEquals("fsync", calls.log().get(calls.log().size() - 4));
    }
  }
}
