package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.delivery.TestAgent.Place;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine has no more threads to give: an agent that runs goes on with those that it has. */
class ThreadShortageTest {
  private static final Fault EIO = new Fault.Fail(Errno.EIO);

  private final List<Thread> made = new CopyOnWriteArrayList<>();
  private final SwitchedDestination first = SwitchedDestination.inMemory("first");
  private final SwitchedDestination second = SwitchedDestination.inMemory("second");
  private volatile boolean isShort;
  private Place place;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new Place(base.toRealPath());
  }

  private Thread make(String name, Runnable work) {
    Thread thread = new Scarce(name, work);
    made.add(thread);
    return thread;
  }

  private final class Scarce extends Thread {
    Scarce(String name, Runnable work) {
      super(work, name);
      setDaemon(true);
    }

    @Override
    public void start() {
      if (isShort) {
        throw new OutOfMemoryError("unable to create native thread: says a test");
      }
      super.start();
    }
  }

  private TestAgent start() throws IOException {
    return TestAgent.start(
        place.config(),
        List.of(first.required(), second.bestEffort()),
        TestAgent.REAL_CALLS,
        this::make);
  }

  private static boolean tellsOfThreads(List<Problem> problems) {
    return problems.stream().anyMatch(p -> p.message().contains("unable to create native thread"));
  }

  @Test
  void aDrainGoesOnWithTheThreadsThatThereAre() throws Exception {
    Path log = Files.writeString(place.log("a.log"), "one\n");
    try (TestAgent agent = start()) {
      agent.awaitDelivered(log);
      isShort = true;
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      DrainReport survived = agent.agent().drainAndGoOn(Duration.ofMinutes(2));
      assertTrue(survived.isComplete(), survived::toString);
      Files.writeString(log, "three\n", StandardOpenOption.APPEND);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
      assertTrue(first.leftBehind().orElseThrow().contains("\"leftBehindBytes\":0"));
      assertTrue(second.leftBehind().orElseThrow().contains("\"leftBehindBytes\":0"));
    }
  }

  @Test
  void thatThereAreNoThreadsToBeFasterIsAProblemOfNoBytes() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a drain wants no more workers");
    Path log = Files.writeString(place.log("a.log"), "one\n");
    try (TestAgent agent =
        TestAgent.start(
            place.config().toBuilder().workers(1).build(),
            List.of(first.required()),
            TestAgent.REAL_CALLS,
            this::make)) {
      agent.awaitDelivered(log);
      isShort = true;
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
      assertTrue(tellsOfThreads(report.otherProblems()), report::toString);
    }
  }

  @Test
  void anAgentThatCannotBeginLeavesNoThreadBehind() throws Exception {
    isShort = true;
    assertThrows(OutOfMemoryError.class, this::start);
    assertNoThreadLives();
  }

  @Test
  void anAgentWhoseWorkersCannotBeginLeavesNoThreadBehind() throws Exception {
    assertThrows(
        OutOfMemoryError.class,
        () ->
            TestAgent.start(
                place.config().toBuilder().workers(1).build(),
                List.of(first.required(), second.required()),
                TestAgent.REAL_CALLS,
                (name, work) -> {
                  boolean another = made.stream().anyMatch(t -> t.getName().equals("seal-0"));
                  isShort = another && name.equals("seal-0");
                  return make(name, work);
                }));
    assertNoThreadLives();
  }

  @Test
  void aSecondDestinationThatCannotBeginLeavesNoThreadOfTheFirstBehind() throws Exception {
    FaultyFileCalls failing =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS, FaultPlan.when(this::isStateAfterDeliveriesBegan, EIO));
    assertThrows(
        IOException.class,
        () ->
            TestAgent.start(
                place.config(),
                List.of(first.required(), second.required()),
                failing.calls(),
                this::make));
    assertTrue(made.stream().anyMatch(thread -> thread.getName().startsWith("deliver-")));
    assertNoThreadLives();
    assertEquals(List.of(), failing.openDescriptors());
  }

  private boolean isStateAfterDeliveriesBegan(Call call) {
    return call.is("fdatasync")
        && made.stream().anyMatch(thread -> thread.getName().startsWith("deliver-"));
  }

  private void assertNoThreadLives() throws InterruptedException {
    for (Thread thread : made) {
      assertTrue(
          thread.getState() == Thread.State.NEW || thread.join(Duration.ofMinutes(1)),
          thread::toString);
    }
  }
}
