package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.delivery.pack.ManifestStore;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short packs become long ones while the agent runs, and a crash leaves nothing twice. */
class PackMergeTest {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final Signing SIGNED = Signing.with(SigningKey.generate(new SecureRandom()));

  @TempDir Path base;
  private TestAgent.Place place;
  private Signing signing = Signing.OFF;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Random random = new Random(1);

  @BeforeEach
  void makePlace() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private AgentConfig config(boolean encrypted, long mergeToBytes) {
    return place.config().toBuilder()
        .packs(PackUse.ALWAYS)
        .signing(signing)
        .recipients(encrypted ? List.of(KEYS.recipient()) : List.of())
        .maxAge(Duration.ofMillis(2))
        .mergeToBytes(OptionalLong.of(mergeToBytes))
        .build();
  }

  /** Appends a text and waits until it is durable, so that it is in a pack of its own. */
  private void append(TestAgent agent) throws Exception {
    byte[] bytes = new byte[200];
    random.nextBytes(bytes);
    written.writeBytes(bytes);
    Path log = place.log("app.log");
    Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    agent.awaitDelivered(log);
  }

  private static long superseded(TestAgent agent) {
    return agent.agent.status().destinations().getFirst().merged().supersededSegments();
  }

  private ArchiveContents contents(boolean encrypted) throws IOException {
    List<Identity> identities = encrypted ? List.of(KEYS.identity()) : List.of();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return ArchiveContents.load(archive, identities);
    }
  }

  private void assertWhole(boolean encrypted) throws IOException {
    ArchiveContents contents = contents(encrypted);
    assertEquals(1, contents.streams().size());
    assertArrayEquals(written.toByteArray(), contents.streams().getFirst().prefix());
    assertFalse(contents.streams().getFirst().holdsBytesTwice(), "superseded packs are left");
  }

  private List<PackName> packs() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
          .flatMap(entry -> PackName.parse(entry.key()).stream())
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsThatTogetherAreLongBecomeOne(boolean encrypted) throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(encrypted, 3000), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 60; i++) {
        append(agent);
      }
      TestAgent.await("most are merged", () -> superseded(agent) >= 40);
      assertEquals(List.of(), agent.problems);
    }
    assertWhole(encrypted);
    assertTrue(packs().size() <= 25, () -> "packs that are left: " + packsOrNone());
  }

  @Test
  void whatStaysIsInAManifestAtTheEnd() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(false, 3000), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 60; i++) {
        append(agent);
      }
      TestAgent.await("most are merged", () -> superseded(agent) >= 40);
      assertEquals(List.of(), agent.problems);
    }
    Set<PackName> listed = new HashSet<>();
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      ManifestStore store = new ManifestStore(archive, config(false, 0).agent());
      for (ListedManifest manifest : store.list()) {
        store.read(manifest).forEach(front -> listed.add(front.name()));
      }
    }
    Set<PackName> merged =
        packs().stream().filter(name -> name.id().isMerged()).collect(Collectors.toSet());
    assertFalse(merged.isEmpty());
    assertEquals(merged, listed);
  }

  private String packsOrNone() {
    try {
      return packs().toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void ofPacksThatAreTooShortForThatSixtyFourBecomeOne() throws Exception {
    try (TestAgent agent = TestAgent.start(place, config(false, 1 << 20), TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 70; i++) {
        append(agent);
      }
      TestAgent.await("sixty-four are merged", () -> superseded(agent) == 64);
    }
    assertWhole(false);
    assertTrue(packs().getFirst().id().last() == 63, () -> "first: " + packsOrNone());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void packsThatACrashLeftBesideTheMergedOneAreRemovedByTheNextStart(boolean losesState)
      throws Exception {
    signing = losesState ? SIGNED : Signing.WITH_KEY_IN_STATE;
    crashAtFirstRemoval();
    assertTrue(contents(true).streams().getFirst().holdsBytesTwice());
    if (losesState) {
      try (Stream<Path> files = Files.walk(place.state())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          if (Files.isRegularFile(file) && !file.endsWith(ContentKeyFile.NAME.toString())) {
            Files.delete(file);
          }
        }
      }
    }
    try (TestAgent agent = TestAgent.start(place, config(true, 1000), TestAgent.REAL_CALLS)) {
      TestAgent.await("they are removed", () -> superseded(agent) >= 2);
      assertTrue(agent.drain().isComplete());
    }
    assertWhole(true);
  }

  private void crashAtFirstRemoval() throws Exception {
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          Destination archive = place.openArchive(process.calls(), OpenIntent.WRITE);
          Destination dying =
              new DyingDestination(
                  FaultyDestination.wrap(
                      archive, DestinationFaultPlan.once("delete", DestinationFault.CRASH_BEFORE)),
                  process.faulty());
          try (TestAgent agent = TestAgent.start(config(true, 1000), dying, process.calls())) {
            Path log = place.log("app.log");
            for (int i = 0; i < 20 && !process.isDead(); i++) {
              byte[] bytes = new byte[200];
              random.nextBytes(bytes);
              written.writeBytes(bytes);
              Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
              process.awaitUnlessDead(() -> agent.agent.status(PosixPath.of(log)).isDelivered());
            }
            process.awaitUnlessDead(process::isDead);
          }
        });
  }

  @Test
  void whereNothingMayBeRemovedMergingEndsAndIsSaidOnce() throws Exception {
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    Destination keeping = MisbehavingDestination.wrap(archive, Misbehavior.DENIES_DELETE);
    try (TestAgent agent = TestAgent.start(config(false, 1000), keeping, TestAgent.REAL_CALLS)) {
      for (int i = 0; i < 40; i++) {
        append(agent);
      }
      TestAgent.await("it is said", () -> !agent.problems.isEmpty());
      assertEquals(1, agent.problems.size(), () -> agent.problems.toString());
      String message = agent.problems.getFirst().message();
      assertTrue(message.contains("cannot be removed"), message);
    }
    assertEquals(1, packs().stream().filter(name -> name.id().isMerged()).count());
    assertArrayEquals(written.toByteArray(), contents(false).streams().getFirst().prefix());
  }
}
