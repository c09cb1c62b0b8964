package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.control.ControlJson;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the agent says of a file tells which file it is, and is one line, whatever its name. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NamesInMessagesTest {
  /**
   * Not UTF-8, a line end, what a terminal obeys, what reorders text, and what escapes begin with.
   */
  private static final String ODD = "\\xff\\x0a\\x1b[31m\\xe2\\x80\\xaegol\\\\n";

  private static final PosixPath ODD_NAME = odd((byte) 0xff);
  private static final PosixPath OTHER_NAME = odd((byte) 0xfe);

  private TestAgent.Place place;
  private PosixPath logs;

  private static PosixPath odd(byte first) {
    byte[] bytes = "?\n\u001b[31m\u202egol\\n".getBytes(StandardCharsets.UTF_8);
    bytes[0] = first;
    return PosixPath.of(bytes);
  }

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    logs = PosixPath.of(place.logs());
  }

  private PosixPath file(PosixPath name, String content) throws IOException {
    Path plain = Files.writeString(place.base().resolve("plain"), content);
    TestAgent.REAL_CALLS.rename(
        FileCalls.AT_FDCWD, PosixPath.of(plain), FileCalls.AT_FDCWD, logs.resolve(name), Set.of());
    return logs.resolve(name);
  }

  private String shown() {
    return place.logs() + "/" + ODD;
  }

  private static FileCalls failing(Predicate<Call> when, Errno errno) {
    return FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS, call -> when.test(call) ? new Fault.Fail(errno) : Fault.PROCEED)
        .calls();
  }

  private static boolean opens(Call call, PosixPath name) {
    return call.method().startsWith("open")
        && call.arguments().stream()
            .anyMatch(one -> one instanceof PosixPath path && path.fileName().equals(name));
  }

  private static boolean isOf(PosixPath file, Call call) {
    try {
      PosixPath link = PosixPath.of("/proc/self/fd/" + call.arguments().getFirst());
      return TestAgent.REAL_CALLS.readLink(FileCalls.AT_FDCWD, link).equals(file);
    } catch (IOException e) {
      return false;
    }
  }

  private static Problem first(TestAgent agent) throws Exception {
    TestAgent.await("it is a problem", () -> !agent.problems.isEmpty());
    return agent.problems.getFirst();
  }

  @Test
  void anUnreadableFileIsNamedByItsBytes() throws Exception {
    file(ODD_NAME, "nobody may read this\n");
    try (TestAgent agent =
        TestAgent.start(
            place, place.config(), failing(call -> opens(call, ODD_NAME), Errno.EACCES))) {
      Problem problem = first(agent);
      assertEquals(shown(), problem.subject());
      assertTrue(problem.message().startsWith("open " + shown() + ": EACCES"), problem.message());
    }
  }

  @Test
  void aFileThatBecomesReadableEndsTheProblemOfNoOtherName() throws Exception {
    file(ODD_NAME, "nobody may read this\n");
    file(OTHER_NAME, "nor this\n");
    AtomicBoolean mended = new AtomicBoolean();
    try (TestAgent agent =
        TestAgent.start(
            place,
            place.config(),
            failing(
                call -> opens(call, ODD_NAME) || (opens(call, OTHER_NAME) && !mended.get()),
                Errno.EACCES))) {
      TestAgent.await("both are problems", () -> openSubjects(agent).size() == 2);
      mended.set(true);
      TestAgent.await(
          "one is over",
          () -> agent.ended.stream().anyMatch(p -> p.subject().contains(place.logs().toString())));
      assertEquals(List.of(shown()), openSubjects(agent));
    }
  }

  private static List<String> openSubjects(TestAgent agent) {
    return agent.agent().status().problems().stream().map(Problem::subject).toList();
  }

  @Test
  void anUnreadableDirectoryIsNamedByItsBytes() throws Exception {
    TestAgent.REAL_CALLS.makeDirectory(FileCalls.AT_FDCWD, logs.resolve(ODD_NAME), 0700);
    try (TestAgent agent =
        TestAgent.start(
            place, place.config(), failing(call -> opens(call, ODD_NAME), Errno.EACCES))) {
      Problem problem = first(agent);
      assertEquals(shown(), problem.subject());
      assertTrue(problem.message().contains(" " + shown() + ": EACCES"), problem.message());
    }
  }

  @Test
  void aDirectoryThatCannotBeWatchedIsNamedByItsBytes() throws Exception {
    PosixPath root = logs.resolve(ODD_NAME);
    TestAgent.REAL_CALLS.makeDirectory(FileCalls.AT_FDCWD, root, 0700);
    AgentConfig config =
        place.config().toBuilder().sources(List.of(new Source(root, List.of(), List.of()))).build();
    FileCalls calls =
        failing(
            call -> call.is("inotifyAddWatch") || call.method().startsWith("fanotify"),
            Errno.ENOSPC);
    try (TestAgent agent = TestAgent.start(place, config, calls)) {
      TestAgent.await(
          "it is a problem",
          () ->
              agent.problems.stream()
                  .anyMatch(p -> p.message().contains("polled instead of notified")));
      List<String> said = agent.problems.stream().map(Problem::message).toList();
      assertTrue(
          said.stream().anyMatch(m -> m.startsWith("inotify_add_watch " + shown() + ": ENOSPC")),
          said.toString());
    }
  }

  @Test
  void aMissedFileIsNamedByItsBytesInStatusInTheReportAndOnRecord() throws Exception {
    PosixPath missed = file(ODD_NAME, "nobody may read this\n");
    try (TestAgent agent =
        TestAgent.start(
            place, place.config(), failing(call -> opens(call, ODD_NAME), Errno.EACCES))) {
      first(agent);
      TestAgent.REAL_CALLS.unlink(FileCalls.AT_FDCWD, missed);
      TestAgent.await(
          "it is missed", () -> agent.agent().status().files().losses().missedFiles() == 1);
      assertNamed(ControlJson.status(agent.agent().status()));
      assertNamed(ControlJson.drain(agent.drain()));
    }
    assertNamed(Files.readString(place.archive().resolve("test-agent/~left-behind.json")));
  }

  @Test
  void aFileAtRiskIsNamedByItsBytesInStatusInTheReportAndOnRecord() throws Exception {
    PosixPath atRisk = file(ODD_NAME, "nobody may read this\n");
    try (TestAgent agent =
        TestAgent.start(
            place,
            place.config(),
            failing(call -> call.method().startsWith("pread") && isOf(atRisk, call), Errno.EIO))) {
      first(agent);
      TestAgent.await("it is at risk", () -> agent.agent().status().files().atRiskFiles() == 1);
      assertNamed(ControlJson.status(agent.agent().status()));
      assertNamed(ControlJson.file(agent.agent().status(atRisk)));
      assertNamed(ControlJson.drain(agent.agent().drain(Optional.of(Duration.ofSeconds(1)))));
    }
    byte[] record = Files.readAllBytes(place.archive().resolve("test-agent/~left-behind.json"));
    assertEquals(atRisk, LastDrain.fromJson(record, "test-agent").streams().getFirst().path());
  }

  /** In JSON, backslashes are doubled once more. */
  private void assertNamed(String json) {
    assertTrue(json.contains(shown().replace("\\", "\\\\")), json);
    assertFalse(json.contains("\ufffd"), json);
  }
}
