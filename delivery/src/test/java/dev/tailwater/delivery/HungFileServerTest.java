package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.delivery.risk.Limit;
import dev.tailwater.delivery.status.StatusReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file whose server does not answer holds up who looks at it, and nobody else. */
class HungFileServerTest {
  private static final String BYTES = "two\n";

  private final HungFileServer server = new HungFileServer();
  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private TestAgent.Place place;
  private Path hung;
  private Path sound;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    hung = Files.writeString(place.log("hung.log"), "one\n");
    sound = Files.writeString(place.log("sound.log"), "one\n");
  }

  /** Runs an action on another thread, so that a test that would wait forever fails instead. */
  private static <T> T inTime(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon(true).start(task);
    return task.get(20, TimeUnit.SECONDS);
  }

  private void append(Path file) throws Exception {
    Files.writeString(file, BYTES, StandardOpenOption.APPEND);
  }

  private void hang(TestAgent agent, String threads) throws Exception {
    agent.awaitDelivered(hung);
    agent.awaitDelivered(sound);
    server.hang(hung, threads);
    append(hung);
    server.awaitHung();
  }

  @Test
  void aDrainReturnsAtItsDeadlineAndTheStatusAnswersWhileTheWatchHangs() throws Exception {
    try (TestAgent agent = TestAgent.start(place.config(), archive, server.calls())) {
      try {
        hang(agent, "watch");
        DrainReport report = inTime(() -> agent.agent().drainAndGoOn(Duration.ofMillis(500)));
        assertFalse(report.isComplete());
        assertEquals(2, inTime(() -> agent.agent().status()).files().watched());
      } finally {
        server.answer();
      }
      DrainReport next = agent.agent().drainAndGoOn(Duration.ofSeconds(20));
      assertTrue(next.isComplete(), next.toString());
    }
  }

  @Test
  void aDrainReturnsAtItsDeadlineAndSaysWhatIsLeftWhileAWorkerHangs() throws Exception {
    TestAgent agent = TestAgent.start(place.config(), archive, server.calls());
    try {
      hang(agent, "seal-");
      DrainReport report = inTime(() -> agent.agent().drain(Optional.of(Duration.ofSeconds(3))));
      assertEquals(BYTES.length(), report.leftBehindBytes());
      assertEquals(BYTES.length(), inTime(() -> agent.agent().status()).progress().atRiskBytes());
      inTime(
          () -> {
            agent.close();
            return true;
          });
    } finally {
      server.answer();
      agent.close();
    }
  }

  @Test
  void withABoundOnWhatIsAtRiskOtherFilesAreDeliveredWhileAWorkerHangs() throws Exception {
    AgentConfig config =
        place.config().toBuilder()
            .workers(2)
            .maxAtRisk(new AtRiskBound(OptionalLong.of(1 << 20), Optional.empty()))
            .build();
    try (TestAgent agent = TestAgent.start(config, archive, server.calls())) {
      try {
        hang(agent, "seal-");
        append(sound);
        agent.awaitDelivered(sound);
      } finally {
        server.answer();
      }
    }
  }

  private static boolean says(List<Problem> problems, String start, Path file) {
    return problems.stream()
        .map(Problem::message)
        .anyMatch(message -> message.startsWith(start) && message.contains(file.toString()));
  }

  @Test
  @Timeout(120)
  void whatIsAtRiskIsUnknownWhileTheWatchHangs() throws Exception {
    AgentConfig config =
        place.config().toBuilder()
            .maxAtRisk(new AtRiskBound(OptionalLong.of(1 << 20), Optional.empty()))
            .build();
    try (TestAgent agent = TestAgent.start(config, archive, server.calls())) {
      try {
        hang(agent, "watch");
        TestAgent.await(
            "the hang is reported",
            () -> says(agent.problems, "no source is looked at, since fstat", hung));
        TestAgent.await(
            "the bound is not said to be kept",
            () -> agent.agent().status().safety().bound().orElseThrow().limit().isPresent());
        StatusReport status = agent.agent().status();
        assertEquals(Limit.UNSEEN, status.safety().bound().orElseThrow().limit().orElseThrow());
        assertTrue(status.running().orElseThrow().watching().unseenMillis() > 0);
      } finally {
        server.answer();
      }
      agent.awaitDelivered(hung);
      assertTrue(says(agent.ended, "no source is looked at", hung), agent.ended.toString());
      assertEquals(0, agent.agent().status().running().orElseThrow().watching().unseenMillis());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(120)
  void otherFilesAreDeliveredWhileTheOnlyWorkerHangs(boolean packs) throws Exception {
    List<Path> others = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      others.add(Files.writeString(place.log("other-" + i + ".log"), "one\n"));
    }
    AgentConfig config =
        place.config().toBuilder()
            .workers(1)
            .packs(packs ? PackUse.ALWAYS : PackUse.NEVER)
            .maxAge(Duration.ofMillis(300))
            .build();
    try (TestAgent agent = TestAgent.start(config, archive, server.calls())) {
      try {
        agent.awaitDelivered(hung);
        for (Path other : others) {
          agent.awaitDelivered(other);
        }
        server.hang(hung, "seal-");
        for (Path other : others) {
          append(other); // Those before the other one are in the pack that hangs, if there is one.
        }
        append(hung);
        server.awaitHung();
        for (int i = 0; i < 3; i++) {
          for (Path other : others) {
            agent.awaitDelivered(other);
            append(other);
          }
        }
        assertTrue(says(agent.problems, "fstat", hung), agent.problems.toString());
      } finally {
        server.answer();
      }
      agent.awaitDelivered(hung);
      assertTrue(says(agent.ended, "fstat", hung), agent.ended.toString());
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report.toString());
    }
  }
}
