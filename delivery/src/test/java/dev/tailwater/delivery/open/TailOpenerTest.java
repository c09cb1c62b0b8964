package dev.tailwater.delivery.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch that goes from one directory to the next where descriptors are short. */
class TailOpenerTest {
  private static final FileCalls REAL = LinuxFileCalls.create();
  private static final String OPEN_DIRECTORY = "openBeneath";

  private Path root;
  private PosixPath inOne;
  private PosixPath inTwo;

  @BeforeEach
  void makeFiles(@TempDir Path base) throws Exception {
    root = base.toRealPath();
    inOne = file("one");
    inTwo = file("two");
  }

  private PosixPath file(String directory) throws Exception {
    Path in = Files.createDirectory(root.resolve(directory));
    return PosixPath.of(Files.writeString(in.resolve("app.log"), directory));
  }

  private TailOpener.Batch batch(FaultyFileCalls calls) {
    return new TailOpener(calls.calls(), false, List.of(PosixPath.of(root))).batch();
  }

  @Test
  void theLastDirectoryIsClosedWhereThereIsNoDescriptorForTheNext() throws Exception {
    FaultyFileCalls calls = FaultyFileCalls.wrap(REAL, FaultPlan.none()).limitDescriptors(1);
    try (TailOpener.Batch batch = batch(calls)) {
      assertTrue(batch.lookAt(inOne).isPresent());
      assertEquals(1, calls.openDescriptors().size());
      assertTrue(batch.lookAt(inTwo).isPresent());
      assertTrue(batch.lookAt(inOne).isPresent());
    }
    assertEquals(List.of(), calls.openDescriptors());
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"EMFILE", "ENFILE"})
  void aFileInTheNextDirectoryHasItsIdentityThoughTheLastOneWasClosed(Errno shortage)
      throws Exception {
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            REAL,
            FaultPlan.once(
                call -> call.is(OPEN_DIRECTORY) && call.arguments().get(1).equals(inTwo.parent()),
                new Fault.Fail(shortage)));
    try (TailOpener.Batch batch = batch(calls)) {
      TailOpener.Opened first = batch.open(inOne).orElseThrow();
      TailOpener.Opened second = batch.open(inTwo).orElseThrow();
      first.descriptor().close();
      second.descriptor().close();
      TailOpener.Opened alone = TailOpener.following(REAL).open(inTwo).orElseThrow();
      alone.descriptor().close();
      assertEquals(alone.identity(), second.identity());
    }
    assertEquals(List.of(), calls.openDescriptors());
  }

  @Test
  void aDirectoryForWhichThereIsNoDescriptorAtAllIsToldOf() throws Exception {
    FaultyFileCalls calls = FaultyFileCalls.wrap(REAL, FaultPlan.none()).limitDescriptors(1);
    try (TailOpener.Batch batch = batch(calls)) {
      assertTrue(batch.lookAt(inOne).isPresent());
      calls.limitDescriptors(0);
      ErrnoException e = assertThrows(ErrnoException.class, () -> batch.lookAt(inTwo));
      assertEquals(Errno.EMFILE, e.errno());
      calls.limitDescriptors(1);
      assertTrue(batch.lookAt(inTwo).isPresent());
    }
    assertEquals(List.of(), calls.openDescriptors());
  }

  @Test
  void theLastDirectoryStaysOpenWhereTheNextOneIsRefusedForAnotherReason() throws Exception {
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            REAL,
            FaultPlan.once(
                call -> call.is(OPEN_DIRECTORY) && call.arguments().get(1).equals(inTwo.parent()),
                new Fault.Fail(Errno.EACCES)));
    try (TailOpener.Batch batch = batch(calls)) {
      assertTrue(batch.lookAt(inOne).isPresent());
      List<Integer> open = calls.openDescriptors();
      ErrnoException e = assertThrows(ErrnoException.class, () -> batch.lookAt(inTwo));
      assertEquals(Errno.EACCES, e.errno());
      assertEquals(open, calls.openDescriptors());
    }
  }
}
