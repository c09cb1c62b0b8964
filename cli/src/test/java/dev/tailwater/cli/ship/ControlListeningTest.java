package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.control.ControlClient;
import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listening where the control socket cannot be made for a while. */
class ControlListeningTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration SOON = Duration.ofMillis(5);
  private static final String OBSTACLE = ".bind/in the way";
  private static final String ANSWER = "an answer, says a test";

  private final CountDownLatch over = new CountDownLatch(1);
  private final CountDownLatch listens = new CountDownLatch(1);
  private final Problems problems = new Problems(new Listener(), System::currentTimeMillis);

  private final class Listener implements ProblemListener {
    @Override
    public void began(Problem problem) {}

    @Override
    public void ended(Problem problem) {
      over.countDown();
      if (problem.subject().equals(ControlListening.SUBJECT)) {
        listens.countDown();
      }
    }
  }

  private static final class Answering implements ControlHandler {
    @Override
    public StatusReport status() {
      throw new IllegalStateException(ANSWER);
    }

    @Override
    public FileDelivery status(PosixPath path) throws IOException {
      throw new IOException(ANSWER);
    }

    @Override
    public DrainReport drain() {
      throw new IllegalStateException(ANSWER);
    }
  }

  private ControlListening begin(Path state, ControlListening.StatePlace place, Duration pause)
      throws IOException {
    return ControlListening.begin(
        state, place, new Answering(), problems, pause, ThreadMaker.platform());
  }

  private void requireListens(Path state) throws Exception {
    assertTrue(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS), problems.open()::toString);
    assertEquals(List.of(), problems.open());
    String status = new ControlClient(state).status().orElseThrow();
    assertTrue(status.contains(ANSWER), status);
  }

  @Test
  void listensOnceTheStateDirectoryCanBeWritten() throws Exception {
    try (MountedFileSystem state = TestFileSystems.tmpfs(1 << 20)) {
      state.remountReadOnly();
      try (ControlListening _ = begin(state.root(), () -> true, SOON)) {
        Problem problem = problems.open().getFirst();
        assertEquals(ControlListening.SUBJECT, problem.subject());
        assertFalse(problem.bytesDependOnIt(), problem::toString);
        assertTrue(problem.hint().orElseThrow().contains("delivery goes on"), problem::toString);
        state.remountWritable();
        requireListens(state.root());
      }
      assertTrue(new ControlClient(state.root()).status().isEmpty());
    }
  }

  @Test
  void endsThoughItNeverListened() throws Exception {
    try (MountedFileSystem state = TestFileSystems.tmpfs(1 << 20)) {
      state.remountReadOnly();
      begin(state.root(), () -> true, Duration.ofDays(1)).close();
      state.remountWritable();
      assertTrue(new ControlClient(state.root()).status().isEmpty());
    }
  }

  @Test
  void aPathThatIsTooLongForASocketIsRefused(@TempDir Path directory) {
    Path state = directory.resolve("d".repeat(120));
    IOException refused =
        assertThrows(IOException.class, () -> begin(state, () -> true, SOON).close());
    assertTrue(refused.toString().contains("bytes long"), refused::toString);
    assertEquals(List.of(), problems.open());
  }

  @Test
  void makesNoSocketInADirectoryThatHasReplacedItsOwn(@TempDir Path base) throws Exception {
    Path state = base.resolve("state");
    Path away = base.resolve("away");
    Path other = Files.createDirectory(base.resolve("other"));
    Semaphore looks = new Semaphore(0);
    Semaphore gate = new Semaphore(1); // Nothing is looked at while the directories change.
    try (TransactionLogStore store = TransactionLogStore.open(state)) {
      Files.createDirectories(state.resolve(OBSTACLE));
      ControlListening.StatePlace place =
          () -> {
            looks.release();
            pass(gate);
            return store.isInPlace();
          };
      try (ControlListening _ = begin(state, place, SOON)) {
        assertFalse(problems.open().isEmpty());
        assertTrue(looks.tryAcquire(2, PATIENCE_SECONDS, TimeUnit.SECONDS));
        Files.move(state, away);
        Files.move(other, state);
        gate.release();
        assertTrue(looks.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS), "it tries again");
        assertTrue(isEmpty(state), "there is something of this agent");
        Files.delete(state);
        Files.delete(away.resolve(OBSTACLE));
        Files.move(away, state);
        gate.release();
        requireListens(state);
      }
    }
  }

  private static void pass(Semaphore gate) throws IOException {
    try {
      gate.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the test is over", e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Also at the first look, which does not end the start of an agent. */
  @Test
  void goesOnWhateverKeepsItFromLooking(@TempDir Path state) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    ControlListening.StatePlace place =
        () ->
            switch (looks.incrementAndGet()) {
              case 1 -> throw new IOException("stale file handle, says a test");
              case 2 -> throw new StackOverflowError("says a test");
              case 3 -> throw new IllegalStateException("says a test");
              default -> true;
            };
    try (ControlListening _ = begin(state, place, SOON)) {
      requireListens(state);
      assertEquals(4, looks.get());
    }
  }

  @Test
  void listensOnceThereIsAThreadToTryAgain(@TempDir Path state) throws Exception {
    AtomicInteger starts = new AtomicInteger();
    ThreadMaker few =
        (name, work) ->
            new Thread(work, name) {
              @Override
              public void start() {
                if (starts.incrementAndGet() <= 3) {
                  throw new OutOfMemoryError("unable to create native thread: says a test");
                }
                super.start();
              }
            };
    AtomicInteger looks = new AtomicInteger();
    ControlListening.StatePlace place = () -> looks.incrementAndGet() > 1;
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (ControlListening listening =
        ControlListening.begin(state, place, new Answering(), problems, SOON, few)) {
      FutureTask<Boolean> waiting =
          new FutureTask<>(
              () -> {
                listening.await(end);
                return true;
              });
      Thread.ofPlatform().start(waiting);
      assertTrue(listens.await(PATIENCE_SECONDS, TimeUnit.SECONDS), problems.open()::toString);
      requireListens(state);
      assertEquals(4, starts.get());
      assertFalse(waiting.isDone());
      end.completeExceptionally(new IOException("says a test"));
      assertTrue(waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  void beginsWhereThereIsNoThreadToTryAgain(@TempDir Path state) throws Exception {
    ThreadMaker none =
        (name, work) ->
            new Thread(work, name) {
              @Override
              public void start() {
                throw new OutOfMemoryError("unable to create native thread: says a test");
              }
            };
    try (ControlListening _ =
        ControlListening.begin(state, () -> false, new Answering(), problems, SOON, none)) {
      List<String> subjects = problems.open().stream().map(Problem::subject).toList();
      assertEquals(2, subjects.size(), subjects::toString);
      assertTrue(subjects.contains(ControlListening.SUBJECT), subjects::toString);
      assertTrue(problems.open().stream().noneMatch(Problem::bytesDependOnIt));
    }
  }
}
