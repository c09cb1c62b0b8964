package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong beside the way of the bytes is said, and keeps no drain from being complete. */
class HarmlessTroubleTest {
  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final AtomicBoolean trouble = new AtomicBoolean();
  private TestAgent.Place place;
  private Path log;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
    Files.writeString(log, "one\n");
  }

  private TestAgent start(FaultPlan faults) throws Exception {
    return TestAgent.start(
        place.config(), archive, FaultyFileCalls.wrap(TestAgent.REAL_CALLS, faults).calls());
  }

  private Fault noMoreWatches(Call call) {
    boolean watches = call.is("inotifyAddWatch") || call.method().startsWith("fanotify");
    return watches ? new Fault.Fail(Errno.ENOSPC) : Fault.PROCEED;
  }

  /** As under the seccomp profile of a container. */
  private Fault noInotify(Call call) {
    boolean watches = call.is("inotifyInit") || call.method().startsWith("fanotify");
    return watches ? new Fault.Fail(Errno.EPERM) : Fault.PROCEED;
  }

  private Fault noSync(Call call) {
    return call.is("fdatasync") && trouble.get() ? new Fault.Fail(Errno.EIO) : Fault.PROCEED;
  }

  @Test
  void whatIsFoundByPollingIsDelivered() throws Exception {
    try (TestAgent agent = start(this::noMoreWatches)) {
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      assertTrue(
          report.otherProblems().stream().anyMatch(p -> p.message().contains("polled")),
          report.toString());
    }
  }

  @Test
  void whereInotifyIsNotPermittedNobodyIsToldToRaiseLimits() throws Exception {
    try (TestAgent agent = start(this::noInotify)) {
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
      List<String> hints = report.otherProblems().stream().flatMap(p -> p.hint().stream()).toList();
      assertEquals(2, hints.size(), report.toString());
      for (String hint : hints) {
        assertTrue(hint.contains("permit inotify_init1"), hint);
        assertFalse(hint.contains("max_user"), hint);
      }
    }
  }

  @Test
  void bytesAreDeliveredThoughTheStateCannotBeSaved() throws Exception {
    DrainReport report;
    TestAgent agent = start(this::noSync);
    try {
      agent.awaitDelivered(log);
      trouble.set(true);
      Path other = Files.writeString(place.log("other.log"), "two\n");
      agent.awaitDelivered(other);
      report = agent.drain();
    } finally {
      try {
        agent.close();
      } catch (IOException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("EIO"), e.toString());
      }
    }
    assertTrue(report.isComplete(), report.toString());
    assertTrue(
        report.otherProblems().stream().anyMatch(p -> p.message().contains("EIO")),
        report.toString());
  }

  @Test
  void anAgentThatDiedBeforeItsFirstLookLeavesNothingToBeReadAsSafety() throws Exception {
    try (TestAgent agent = start(call -> Fault.PROCEED)) {
      assertTrue(agent.drain().isComplete());
    }
    OfflineStatus known =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    assertEquals(1, known.report().files().watched());
    try (TestAgent agent = start(this::dyingWatch)) {
      TestAgent.await("the watch fails", () -> !agent.problems.isEmpty());
    }
    OfflineStatus status =
        OfflineStatus.read(TestAgent.REAL_CALLS, PosixPath.of(place.state())).orElseThrow();
    IOException why = assertThrows(IOException.class, status::report);
    assertTrue(
        String.valueOf(why.getMessage()).contains("had looked at every file"), why.toString());
  }

  private Fault dyingWatch(Call call) {
    if (call.is("fstat") && Thread.currentThread().getName().equals("watch")) {
      throw new OutOfMemoryError("no memory, says a test");
    }
    return Fault.PROCEED;
  }
}
