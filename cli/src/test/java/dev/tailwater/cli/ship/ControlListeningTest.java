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
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listening where the control socket cannot be made for a while. */
class ControlListeningTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration SOON = Duration.ofMillis(5);
  private static final String ANSWER = "an answer, says a test";

  private final CountDownLatch over = new CountDownLatch(1);
  private final Problems problems = new Problems(new Listener(), System::currentTimeMillis);

  private final class Listener implements ProblemListener {
    @Override
    public void began(Problem problem) {}

    @Override
    public void ended(Problem problem) {
      over.countDown();
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

  @Test
  void listensOnceTheStateDirectoryCanBeWritten() throws Exception {
    try (MountedFileSystem state = TestFileSystems.tmpfs(1 << 20)) {
      state.remountReadOnly();
      try (ControlListening _ =
          ControlListening.begin(state.root(), new Answering(), problems, SOON)) {
        Problem problem = problems.open().getFirst();
        assertEquals(ControlListening.SUBJECT, problem.subject());
        assertFalse(problem.bytesDependOnIt(), problem::toString);
        assertTrue(problem.hint().orElseThrow().contains("delivery goes on"), problem::toString);
        state.remountWritable();
        assertTrue(over.await(PATIENCE_SECONDS, TimeUnit.SECONDS), problem::toString);
        assertEquals(List.of(), problems.open());
        String status = new ControlClient(state.root()).status().orElseThrow();
        assertTrue(status.contains(ANSWER), status);
      }
      assertTrue(new ControlClient(state.root()).status().isEmpty());
    }
  }

  @Test
  void endsThoughItNeverListened() throws Exception {
    try (MountedFileSystem state = TestFileSystems.tmpfs(1 << 20)) {
      state.remountReadOnly();
      ControlListening.begin(state.root(), new Answering(), problems, Duration.ofDays(1)).close();
      state.remountWritable();
      assertTrue(new ControlClient(state.root()).status().isEmpty());
    }
  }

  @Test
  void aPathThatIsTooLongForASocketIsRefused(@TempDir Path directory) {
    Path state = directory.resolve("d".repeat(120));
    IOException refused =
        assertThrows(
            IOException.class,
            () -> ControlListening.begin(state, new Answering(), problems, SOON).close());
    assertTrue(refused.toString().contains("bytes long"), refused::toString);
    assertEquals(List.of(), problems.open());
  }
}
