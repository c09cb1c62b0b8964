package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent is killed, and what its state does not know yet is in objects that nobody known has
 * signed: it contradicts none of them.
 */
class UntrustedObjectsAfterKillTest extends UntrustedObjectsFixture {
  /**
   * Runs an agent that delivers what is there, and then twice as much, of which its state knows
   * nothing, as after a kill. Then all of that is in objects that nobody known has signed.
   */
  private void runAndKill(Held held) throws Exception {
    Path killed = place.base().resolve("killed");
    Set<Path> before = new HashSet<>();
    boolean packs = held.name().endsWith("PACKS");
    try (TestAgent agent =
        TestAgent.start(place, config(held, Signing.with(OWN)), TestAgent.REAL_CALLS)) {
      awaitWhole(agent);
      agent.awaitDelivered(quiet);
      place.copyState(killed);
      before.addAll(objects().keySet());
      for (int i = 0; i < 2 && packs; i++) {
        append();
        awaitWhole(agent);
      }
    }
    if (packs) {
      place.restoreState(killed);
      mergeUntrusted(before);
      return;
    }
    append();
    append();
    loseState();
    run(held, Signing.OFF);
    loseState();
    TestAgent.Place.copy(killed, place.state());
  }

  private void awaitWhole(TestAgent agent) throws Exception {
    long sizeBytes = Files.size(file);
    TestAgent.await(
        "the file is delivered",
        () ->
            agent.agent().status(PosixPath.of(file)).destinations().stream()
                .allMatch(at -> at.durableBytes() == sizeBytes));
  }

  /** Has a compactor whose key nobody was told make one pack of those that are new. */
  private void mergeUntrusted(Set<Path> before) throws Exception {
    List<PackInput> inputs = new ArrayList<>();
    List<AgeStanza> carried = new ArrayList<>();
    PackOpener opener = new PackOpener();
    for (Map.Entry<Path, byte[]> one : objects().entrySet()) {
      Optional<PackName> name =
          PackName.parse(place.archive().relativize(one.getKey()).toString())
              .filter(_ -> !before.contains(one.getKey()));
      if (name.isPresent()) {
        byte[] object = one.getValue();
        inputs.add(
            new PackInput(
                opener.open(name.get(), new ByteArrayInputStream(object), List.of(KEYS.identity())),
                object));
        if (name.get().encrypted()) {
          carried.addAll(opener.stanzasForAgent(name.get(), new ByteArrayInputStream(object)));
        }
        Files.delete(one.getKey());
      }
    }
    PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            carried.isEmpty() ? List.of() : List.of(KEYS.recipient()),
            Optional.empty(),
            new SecureRandom(),
            Optional.of(new ObjectSigner(OTHER, () -> 0)));
    try (sealer) {
      SealedPack merged =
          PackMerge.of(inputs, carried, 0).orElseThrow().seal(sealer, () -> {}, Optional.empty());
      byte[] object = new byte[merged.lengthBytes()];
      merged.content().get(object);
      Files.write(place.archive().resolve(merged.name().key()), object);
    }
  }

  private void rewriteFrom(int offsetBytes) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] other = new byte[bytes.length - offsetBytes];
    random.nextBytes(other);
    System.arraycopy(other, 0, bytes, offsetBytes, other.length);
    Files.write(file, bytes);
  }

  @ParameterizedTest
  @EnumSource
  void whatWasRewrittenAfterAKillContradictsNoUntrustedObject(Held held) throws Exception {
    append();
    runAndKill(held);
    rewriteFrom(PART_BYTES);
    assertEquals(3 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertLatest(file);
    assertLatest(quiet);
  }

  @ParameterizedTest
  @EnumSource(names = {"PACKS", "ENCRYPTED_PACKS"})
  void aStreamOfWhichUntrustedPacksSayWhatTheFileHoldsGoesOn(Held held) throws Exception {
    append();
    runAndKill(held);
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertArrayEquals(Files.readAllBytes(file), latest(file).prefix());
    assertEquals(1, streamsOf(file));
    assertLatest(quiet);
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsShorterThanUntrustedObjectsSayHasANewStream(Held held) throws Exception {
    append();
    runAndKill(held);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 2 * PART_BYTES));
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertLatest(file);
    assertEquals(2, streamsOf(file));
  }

  /** Or a file would be read once for each of them. */
  @Test
  void aStreamOfWhichUntrustedPacksTellUnderSeveralPathsIsReadOnceAtMost() throws Exception {
    append();
    runAndKill(Held.PACKS);
    PackId merged =
        objects().keySet().stream()
            .flatMap(one -> PackName.parse(place.archive().relativize(one).toString()).stream())
            .max(Comparator.naturalOrder())
            .orElseThrow()
            .id();
    byte[] bytes = Files.readAllBytes(file);
    try (PackSealer sealer =
        new PackSealer(new Codec.Zstd(1), List.of(), Optional.empty(), new SecureRandom())) {
      sealer.begin(new byte[1 << 20], new PackId(TestAgent.NAME, merged.group(), 999), 4096);
      PosixPath other = PosixPath.of("/another/birth.path");
      sealer.describe(new PackedStream(999, latest(file).id(), other, other, 0640));
      sealer.beginRange(999, 0, bytes.length);
      sealer.append(bytes, 0, bytes.length);
      sealer.endRange(0);
      SealedPack forged = sealer.finish(0);
      byte[] object = new byte[forged.lengthBytes()];
      forged.content().get(object);
      Files.write(place.archive().resolve(forged.name().key()), object);
    }
    assertEquals(bytes.length, run(Held.PACKS, Signing.with(OWN), SAID), "of a new stream");
    assertLatest(file);
  }

  /** The last replaced bytes are in a pack of the agent's own, the ones before in a merged one. */
  @ParameterizedTest
  @EnumSource(names = {"PACKS", "ENCRYPTED_PACKS"})
  void bytesThatAreSetBackContradictNoUntrustedRevision(Held held) throws Exception {
    append();
    append();
    append();
    byte[] first = Files.readAllBytes(file);
    Path killed = place.base().resolve("killed");
    Set<Path> before = new HashSet<>();
    Set<Path> merged = new HashSet<>();
    try (TestAgent agent =
        TestAgent.start(place, config(held, Signing.with(OWN)), TestAgent.REAL_CALLS)) {
      awaitWhole(agent);
      agent.awaitDelivered(quiet);
      place.copyState(killed);
      before.addAll(objects().keySet());
      replaceAt(0);
      replaceAt(PART_BYTES);
      merged.addAll(objects().keySet());
      merged.removeAll(before);
      replaceAt(2 * PART_BYTES);
    }
    place.restoreState(killed);
    Set<Path> others = new HashSet<>(objects().keySet());
    others.removeAll(merged);
    mergeUntrusted(others);
    writeInPlace(first, 0);
    run(held, Signing.with(OWN), SAID);
    assertArrayEquals(first, latest(file).prefix());
  }

  private void writeInPlace(byte[] bytes, int offsetBytes) throws IOException {
    try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
      written.write(ByteBuffer.wrap(bytes), offsetBytes);
    }
  }

  /** Replaces some bytes, and waits until they are in the archive. */
  private void replaceAt(int offsetBytes) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    byte[] other = new byte[1000];
    random.nextBytes(other);
    System.arraycopy(other, 0, bytes, offsetBytes, other.length);
    writeInPlace(other, offsetBytes);
    TestAgent.await(
        "the replaced bytes are delivered", () -> Arrays.equals(bytes, latest(file).prefix()));
  }

  @ParameterizedTest
  @EnumSource
  void ofAFileThatIsNotDeliveredYetNothingContradictsUntrustedObjects(Held held) throws Exception {
    Files.createFile(file);
    runAndKill(held);
    rewriteFrom(0);
    assertEquals(2 * PART_BYTES, run(held, Signing.with(OWN), SAID));
    assertLatest(file);
  }
}
