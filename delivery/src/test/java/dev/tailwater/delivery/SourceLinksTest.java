package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.delivery.TestAgent.Place;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.RenameFlag;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory that holds a source belongs to somebody else, who puts links into it. */
final class SourceLinksTest {
  private static final int STRANGER = 65_534;
  private static final int ROUNDS = 300;

  @TempDir Path base;
  private Place place;
  private Path home;
  private Path logs;
  private Path secrets;

  @BeforeEach
  void makeHome() throws Exception {
    assumeTrue(TestAgent.REAL_CALLS.effectiveUserId() == 0, "only root can give files away");
    place = new Place(base);
    home = Files.createDirectory(base.resolve("home"));
    logs = Files.createDirectory(home.resolve("logs"));
    secrets = Files.createDirectory(base.resolve("secrets"));
    Files.setAttribute(home, "unix:uid", STRANGER);
    Files.setAttribute(logs, "unix:uid", STRANGER);
  }

  private TestAgent start() throws Exception {
    AgentConfig config =
        place.config().toBuilder()
            .sources(List.of(new Source(PosixPath.of(logs), List.of(), List.of())))
            .build();
    return TestAgent.start(place, config, TestAgent.REAL_CALLS);
  }

  private Path link(Path name, Path target) throws Exception {
    Path link = Files.createSymbolicLink(name, target);
    Files.setAttribute(link, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    return link;
  }

  private void assertNoSecretIsArchived() throws Exception {
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertFalse(new String(stream.prefix(), UTF_8).contains("secret"), "shipped a secret");
    }
  }

  @Test
  void aLinkThatReplacesASourceIsNotFollowedAndTheNextDirectoryIsShipped() throws Exception {
    Files.writeString(logs.resolve("x"), "one");
    Files.writeString(secrets.resolve("key"), "secret");
    try (TestAgent agent = start()) {
      agent.awaitDelivered(logs.resolve("x"));
      Files.move(logs, home.resolve("logs.old"));
      link(logs, secrets);
      TestAgent.await(
          "the refusal",
          () -> agent.problems.stream().anyMatch(p -> p.message().contains("ELOOP")));
      assertFalse(agent.drain().isComplete(), "a source is not looked at");
      assertNoSecretIsArchived();
    }
    Files.delete(logs);
    Files.createDirectory(logs);
    Files.writeString(logs.resolve("y"), "two");
    try (TestAgent agent = start()) {
      agent.awaitDelivered(logs.resolve("y"));
      assertTrue(agent.drain().isComplete());
    }
    assertNoSecretIsArchived();
  }

  /** Makes renames happen now and then between a look and an open. */
  @Test
  void whoExchangesDirectoryAndLinkAllTheTimeGetsNothingShipped() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Files.writeString(secrets.resolve("f" + i), "secret");
    }
    Path other = link(home.resolve("other"), secrets);
    AtomicBoolean done = new AtomicBoolean();
    try (Descriptor directory = open(logs);
        TestAgent agent = start()) {
      Thread attacker = Thread.ofPlatform().start(() -> exchange(other, done));
      for (int i = 0; i < ROUNDS; i++) {
        // Into the directory, by whichever name it has now.
        Files.writeString(Path.of("/proc/self/fd/" + directory.fd(), "f" + i), "mine");
        Thread.sleep(2);
      }
      done.set(true);
      attacker.join();
      if (Files.isSymbolicLink(logs)) {
        exchangeOnce(other);
      }
      for (int i = 0; i < ROUNDS; i++) {
        agent.awaitDelivered(logs.resolve("f" + i));
      }
    } finally {
      done.set(true);
    }
    assertNoSecretIsArchived();
  }

  private static Descriptor open(Path directory) throws Exception {
    return Descriptor.open(
        TestAgent.REAL_CALLS,
        FileCalls.AT_FDCWD,
        PosixPath.of(directory),
        EnumSet.of(OpenFlag.DIRECTORY),
        0);
  }

  private void exchange(Path other, AtomicBoolean done) {
    while (!done.get()) {
      exchangeOnce(other);
    }
  }

  private void exchangeOnce(Path other) {
    try {
      TestAgent.REAL_CALLS.rename(
          FileCalls.AT_FDCWD,
          PosixPath.of(logs),
          FileCalls.AT_FDCWD,
          PosixPath.of(other),
          Set.of(RenameFlag.EXCHANGE));
    } catch (ErrnoException e) {
      throw new AssertionError(e);
    }
  }
}
