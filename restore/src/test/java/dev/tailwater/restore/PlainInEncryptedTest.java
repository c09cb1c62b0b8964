package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever can write to the destination can write plain segments; no key is needed for that. */
class PlainInEncryptedTest extends RestoreFixture {
  private final KeyPair keys = KeyPair.generate(new SecureRandom());
  private final TestArchive archive = TestArchive.inMemory();
  private final ReadOptions reading =
      TestArchive.options().withIdentities(List.of(keys.identity()));

  private TestArchive encrypted() {
    return archive.with(new Codec.Zstd(1), List.of(keys.recipient()));
  }

  private TestArchive plain() {
    return archive.with(new Codec.Zstd(1), List.of());
  }

  private final PackGroup group = PackGroup.begin(1, new SecureRandom());

  /** Two encrypted packs with three bytes each of a file. */
  private TestArchive.TestStream inEncryptedPacks() throws IOException {
    TestArchive.TestStream file = archive.stream("/p/file", 1);
    TestPacks packs = new TestPacks(archive, "web-1", group, List.of(keys.recipient()));
    packs.add(file, 0, Bytes.text("one"));
    packs.deliver();
    packs.add(file, 3, Bytes.text("two"));
    packs.deliver();
    return file;
  }

  /** Delivers a pack that gives the number 0 to a stream. */
  private void forge(
      List<Recipient> recipients, int first, int last, TestArchive.TestStream described)
      throws IOException {
    try (PackSealer sealer =
        new PackSealer(
            new Codec.Zstd(1),
            recipients,
            Optional.empty(),
            new SecureRandom(),
            Optional.empty())) {
      sealer.begin(new byte[1 << 20], new PackId("web-1", group, first, last), 1 << 16);
      sealer.describe(new PackedStream(0, described.id, described.birthPath, described.path, 0600));
      SealedPack pack = sealer.finish(1);
      archive.destination.putSegment(pack.name().key(), pack.content());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPlainPackSupersedesNoEncryptedOne(boolean allowPlain) throws IOException {
    forge(List.of(), 0, PackId.MAX_SEQUENCE, inEncryptedPacks());
    restore(archive, RestoreOptions.of(reading.withAllowPlain(allowPlain)));
    assertFile("p/file", Bytes.text("onetwo"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPlainPackDoesNotSayOfWhatEncryptedOnesHaveBytes(boolean allowPlain) throws IOException {
    inEncryptedPacks();
    forge(List.of(), 1, 1, archive.stream("/p/other", 2));
    restore(archive, RestoreOptions.of(reading.withAllowPlain(allowPlain)));
    assertFile("p/file", Bytes.text("onetwo"));
    assertFile("p/other", new byte[0]);
  }

  @Test
  void aPackThatNoIdentityOpensSupersedesNone() throws IOException {
    List<Recipient> nobody = List.of(KeyPair.generate(new SecureRandom()).recipient());
    forge(nobody, 0, PackId.MAX_SEQUENCE, inEncryptedPacks());
    assertEquals(Outcome.PARTIAL, restore(archive, RestoreOptions.of(reading)).outcome());
    assertFile("p/file", Bytes.text("onetwo"));
  }

  @Test
  void aLongerPlainSegmentDoesNotSupersedeAnEncryptedOne() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    encrypted();
    stream.segmentAt(0, Bytes.text("genuine"));
    plain();
    stream.segmentAt(0, Bytes.text("forged and longer"));

    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("a", Bytes.text("genuine"));
  }

  @Test
  void whereItIsAllowedItIsTakenForWhatNoEncryptedOneHas() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("plain and "));
    encrypted();
    stream.segmentAt(10, Bytes.text("encrypted"));

    RestoreReport report = restore(archive, RestoreOptions.of(reading.withAllowPlain(true)));

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("a", Bytes.text("plain and encrypted"));
  }

  @Test
  void whoDamagesAnEncryptedSegmentDoesNotGetAPlainOneInItsPlace() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    encrypted();
    String key = stream.segmentAt(0, Bytes.text("genuine"));
    archive.damage(key, 5);
    plain();
    stream.segmentAt(0, Bytes.text("forged!"));
    stream.segmentAt(7, Bytes.text("rest"));

    RestoreReport report = restore(archive, RestoreOptions.of(reading.withAllowPlain(true)));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("a", Bytes.text("\0\0\0\0\0\0\0rest"));
  }

  @Test
  void aPlainRecordTakesPermissionsAwayAndGivesNone() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    encrypted();
    stream.permissions = 0640;
    stream.segmentAt(0, Bytes.text("secret"));
    archive.stream("/b", 2).segmentAt(0, Bytes.text("time goes by"));
    stream.permissions = 0604;
    stream.renamed("/a", 6);

    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(1, report.unvouched());
    assertEquals(0600, modeOfA());
  }

  private int modeOfA() throws IOException {
    return (int) Files.getAttribute(target().resolve("a"), "unix:mode") & 07777;
  }

  @Test
  void aSignedRecordGivesPermissions() throws IOException {
    TestArchive.TestStream stream = signed().stream("/a", 1);
    stream.permissions = 0600;
    stream.segmentAt(0, Bytes.text("secret"));
    archive.stream("/b", 2).segmentAt(0, Bytes.text("time goes by"));
    stream.permissions = 0644;
    stream.renamed("/a", 6);

    RestoreReport report = restore(archive, RestoreOptions.of(trusting()));

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(0, report.unvouched());
    assertEquals(0644, modeOfA());
  }

  @Test
  void aSignedEmptyFileGetsTheNameOfAnEncryptedOneThatWasThereBefore() throws IOException {
    TestArchive.TestStream before = signed().stream("/a", 1);
    before.arrivalNanos = OptionalLong.of(1);
    before.segmentAt(0, Bytes.text("secret"));
    TestArchive.TestStream empty = archive.stream("/a", 2);
    empty.arrivalNanos = OptionalLong.of(2);
    empty.renamed("/a", 0);

    RestoreReport report = restore(archive, RestoreOptions.of(trusting()));

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("a", new byte[0]);
  }

  /** Of a file that was given away, the owner before may not have it back. */
  @Test
  void anotherOwnerThatOnlyAPlainRecordTellsIsNotKnown() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    encrypted();
    stream.owner = Optional.of(new FileOwner(5, 5, "", ""));
    stream.segmentAt(0, Bytes.text("secret"));
    archive.stream("/b", 2).segmentAt(0, Bytes.text("time goes by"));
    stream.owner = Optional.of(new FileOwner(7, 7, "", ""));
    stream.renamed("/a", 6);

    RestoreReport report =
        restore(archive, RestoreOptions.of(reading).withOwners(OwnerChoice.BY_ID));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.unvouched());
    assertEquals(new UnsetOwners(0, 2, Optional.empty()), report.unsetOwners().orElseThrow());
  }

  private TestArchive signed() {
    return encrypted().signedBy(SignedArchive.signer(SignedArchive.signingKey("web-1")));
  }

  private ReadOptions trusting() {
    return reading.withAuthenticity(new Authenticity(SignedArchive.trust()));
  }

  /** Whoever can make an encrypted pack can make an encrypted segment as well. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aModeThatAnEncryptedPackTellsIsGivenWhateverItAdds(boolean encrypted) throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    TestPacks packs = new TestPacks(archive, "web-1", 1, List.of(keys.recipient()));
    stream.permissions = 0600;
    packs.add(stream, 0, Bytes.text("secret")).deliver();
    stream.permissions = 0644;
    TestPacks later =
        new TestPacks(archive, "web-1", 2, encrypted ? List.of(keys.recipient()) : List.of());
    later.at(packs.latestMillis() + 10);
    later.say(
        new StreamFact.Attributes(
            later.number(stream), 0644, 6, stream.modifiedNanos, packs.latestMillis() + 5));
    later.deliver();

    assertEquals(Outcome.DONE, restore(archive, RestoreOptions.of(reading)).outcome());

    Object mode = Files.getAttribute(target().resolve("a"), "unix:mode");
    assertEquals(encrypted ? 0644 : 0600, (int) mode & 07777);
  }

  @Test
  void aStreamOfPlainObjectsAloneDoesNotGetTheNameOfAnEncryptedOne() throws IOException {
    encrypted();
    archive.stream("/a", 1).segmentAt(0, Bytes.text("secret"));
    archive.stream("/a", 2).record(PosixPath.of("/a"), 0, Optional.empty());

    assertEquals(Outcome.PARTIAL, restore(archive, RestoreOptions.of(reading)).outcome());
    assertFile("a", Bytes.text("secret"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEmptyFileThatAnEncryptedPackTellsGetsTheNameThatItHasNow(boolean encrypted)
      throws IOException {
    encrypted();
    TestArchive.TestStream before = archive.stream("/a", 1);
    before.arrivalNanos = OptionalLong.of(1);
    before.segmentAt(0, Bytes.text("secret"));
    TestArchive.TestStream empty = archive.stream("/a", 2);
    empty.arrivalNanos = OptionalLong.of(2);
    TestPacks packs =
        new TestPacks(archive, "web-1", 2, encrypted ? List.of(keys.recipient()) : List.of());
    packs.say(new StreamFact.Attributes(packs.number(empty), 0600, 0, 1, packs.latestMillis()));
    packs.deliver();

    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertFile("a", Bytes.text(encrypted ? "" : "secret"));
    assertEquals(encrypted ? Outcome.DONE : Outcome.PARTIAL, report.outcome());
  }

  @Test
  void aLaterEpochOfPlainObjectsAloneDoesNotEndAnEncryptedStream() throws IOException {
    encrypted();
    archive.stream("web-1", PosixPath.of("/a"), 1, 0).segmentAt(0, Bytes.text("before"));
    archive.stream("web-1", PosixPath.of("/a"), 2, 0).segmentAt(0, Bytes.text("newest"));
    plain();
    archive.stream("web-1", PosixPath.of("/b"), 2, 1).segmentAt(0, Bytes.text("forged"));

    assertEquals(Outcome.PARTIAL, restore(archive, RestoreOptions.of(reading)).outcome());
    assertFile("a", Bytes.text("newest"));
  }

  @Test
  void anArchiveOfPlainSegmentsAloneIsRefusedToo() throws IOException {
    archive.stream("/a", 1).segmentAt(0, Bytes.text("plain"));

    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertEquals(Outcome.FAILED, report.outcome());
    assertTrue(only(report).problem().orElseThrow().contains("--allow-plain"));
    assertEquals(Damage.Kind.REFUSED, only(report).damages().getFirst().kind());
  }

  @Test
  void aPlainSegmentIsRefusedWithAnIdentity() throws IOException {
    TestArchive.TestStream stream = archive.stream("/a", 1);
    encrypted();
    stream.segmentAt(0, Bytes.text("genuine"));
    plain();
    stream.segmentAt(7, Bytes.text(" and forged"));

    RestoreReport report = restore(archive, RestoreOptions.of(reading));
    VerifyReport verified =
        new Verifier(archive.destination, reading, RestoreProgress.none())
            .verify(archive.index(reading));

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(Outcome.PARTIAL, verified.outcome());
    assertFile("a", Bytes.text("genuine"));
    assertFalse(only(report).missing().isEmpty());
  }
}
