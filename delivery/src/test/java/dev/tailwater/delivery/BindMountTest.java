package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.delivery.TestAgent.Place;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's own directories, below a source only through a bind mount. */
class BindMountTest {
  private Place place;
  private Path view;

  @BeforeEach
  void make(@TempDir Path directory) throws IOException {
    place = new Place(directory.resolve("data"));
    Files.createDirectories(place.state());
    view = Files.createDirectory(directory.resolve("view"));
    Files.writeString(place.log("a"), "of the source");
  }

  private AgentConfig config(Path source) {
    return AgentConfig.builder(
            TestAgent.NAME,
            List.of(new Source(PosixPath.of(source), List.of(), List.of())),
            PosixPath.of(place.state()))
        .ownPlaces(List.of(PosixPath.of(place.state()), PosixPath.of(place.archive())))
        .directories(true)
        .maxAge(Duration.ofMillis(30))
        .reconcile(Duration.ofMillis(200))
        .build();
  }

  private TestAgent start(Path source) throws IOException {
    return TestAgent.start(
        config(source),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        TestAgent.REAL_CALLS);
  }

  private void requireOnly(TestAgent agent, Path... files) throws Exception {
    for (Path file : files) {
      agent.awaitDelivered(file);
    }
    Thread.sleep(600); // Some scans: nothing that was delivered is found as something to deliver.
    assertEquals(files.length, agent.agent().status().files().watched());
  }

  @Test
  void neitherStateNorArchiveIsShippedThroughABindMount() throws Exception {
    try (BindMount _ = BindMount.of(place.base(), view);
        TestAgent agent = start(view)) {
      requireOnly(agent, view.resolve("logs/a"));
      Files.writeString(place.log("b"), "later");
      requireOnly(agent, view.resolve("logs/a"), view.resolve("logs/b"));
      assertEquals(2, place.contents().streams().size());
    }
  }

  @Test
  void destinationThatIsMadeLaterIsLeftOutFromItsFirstFile() throws Exception {
    Path later = place.base().resolve("later");
    AgentConfig config =
        config(view).toBuilder()
            .ownPlaces(
                List.of(
                    PosixPath.of(place.state()),
                    PosixPath.of(place.archive()),
                    PosixPath.of(later)))
            .build();
    try (BindMount _ = BindMount.of(place.base(), view);
        TestAgent agent =
            TestAgent.start(
                config,
                place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
                TestAgent.REAL_CALLS)) {
      requireOnly(agent, view.resolve("logs/a"));
      Files.createDirectory(later);
      Files.writeString(later.resolve("segment"), "delivered");
      requireOnly(agent, view.resolve("logs/a"));
    }
  }

  @Test
  void mountThatAppearsLaterIsLeftOutAndWhatItHidIsBackAfterIt() throws Exception {
    Path below = Files.createDirectory(view.resolve("below"));
    Files.writeString(below.resolve("hidden"), "hidden");
    Files.writeString(view.resolve("a"), "a");
    try (TestAgent agent = start(view)) {
      requireOnly(agent, view.resolve("a"), below.resolve("hidden"));
      try (BindMount _ = BindMount.of(place.archive(), below)) {
        Thread.sleep(600);
        Files.writeString(view.resolve("b"), "b");
        agent.awaitDelivered(view.resolve("b"));
        try (var inArchive = Files.walk(place.archive())) {
          for (Path file : inArchive.filter(Files::isRegularFile).toList()) {
            Path shown = below.resolve(place.archive().relativize(file));
            assertFalse(agent.agent().status(PosixPath.of(shown)).stream().isPresent());
          }
        }
      }
      Files.writeString(below.resolve("after"), "after");
      agent.awaitDelivered(below.resolve("after"));
    }
  }

  @Test
  void sourceThatIsOrLiesInTheArchiveIsLikeNone() throws Exception {
    Files.createDirectories(place.archive().resolve("of/others"));
    Files.writeString(place.archive().resolve("of/others/x"), "x");
    for (String source : List.of("", "of/others", "of/others/x")) {
      try (BindMount _ = BindMount.of(place.archive(), view);
          TestAgent agent = start(view.resolve(source))) {
        Thread.sleep(300);
        assertEquals(0, agent.agent().status().files().watched());
      }
    }
  }

  @Test
  void previewListsWhatIsShipped() throws Exception {
    List<PosixPath> found = new ArrayList<>();
    try (BindMount _ = BindMount.of(place.base(), view)) {
      Files.writeString(place.state().resolve("key"), "private");
      Files.writeString(place.archive().resolve("segment"), "delivered");
      var _ =
          new Preview(TestAgent.REAL_CALLS, config(view), List.of(DeliveredBefore.nothing()))
              .run(
                  new Preview.Listener() {
                    @Override
                    public void file(Preview.PreviewedFile file) {
                      found.add(file.path());
                    }

                    @Override
                    public void unreadable(PosixPath path, String why) {
                      throw new AssertionError(path + ": " + why);
                    }
                  });
    }
    assertEquals(List.of(PosixPath.of(view.resolve("logs/a"))), found);
  }
}
