package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which of several streams gets a path, and what is said about it. */
class ClaimedPathsTest extends RestoreFixture {
  private static final PosixPath CONF = PosixPath.of("/etc/app.conf");
  private final TestArchive archive = TestArchive.inMemory();

  private static Optional<StreamRecord.End> deleted(long sizeBytes) {
    return Optional.of(
        new StreamRecord.End(StreamRecord.EndReason.DELETED, sizeBytes, 1_700_000_100_000L));
  }

  @Test
  void aStreamThatClaimsTheFileOfAnotherDoesNotGetItsName() throws IOException {
    TestArchive.TestStream genuine = archive.stream("/etc/app.conf", 1);
    genuine.segmentAt(0, Bytes.text("genuine"));
    TestArchive.TestStream liar = archive.stream("/home/mallory/x", 2);
    liar.path = CONF;
    liar.segmentAt(0, Bytes.text("forged"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("etc/app.conf", Bytes.text("genuine"));
    assertFile("etc/app.conf.~" + liar.id, Bytes.text("forged"));
  }

  @Test
  void aRenameOverAFileThatIsKnownToBeGoneGivesTheNameToTheNewFile() throws IOException {
    TestArchive.TestStream old = archive.stream("/etc/app.conf", 1);
    old.segmentAt(0, Bytes.text("old"));
    old.record(CONF, 3, deleted(3));
    TestArchive.TestStream saved = archive.stream("/etc/.app.conf.swp", 2);
    saved.segmentAt(0, Bytes.text("saved"));
    saved.renamed("/etc/app.conf", 5);

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("etc/app.conf", Bytes.text("saved"));
    assertFile("etc/app.conf.~" + old.id, Bytes.text("old"));
  }

  @Test
  void aFileThatCameBackAfterItsEndHasThePathOfItsLastSegment() throws IOException {
    TestArchive.TestStream moved = archive.stream("/log", 1);
    moved.segmentAt(0, Bytes.text("first"));
    moved.record(moved.path, 5, deleted(5));
    moved.path = PosixPath.of("/log.1");
    moved.segmentAt(5, Bytes.text(" second"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log.1", Bytes.text("first second"));
  }

  @Test
  void rotatedFilesGetTheirNamesAndTheNewOneThePlainOne() throws IOException {
    archive.stream("/log", 1).segmentAt(0, Bytes.text("1"));
    archive.stream("/log", 1).renamed("/log.2", 1);
    archive.stream("/log", 2).segmentAt(0, Bytes.text("2"));
    archive.stream("/log", 2).renamed("/log.1", 1);
    archive.stream("/log", 3).segmentAt(0, Bytes.text("3"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("3"));
    assertFile("log.1", Bytes.text("2"));
    assertFile("log.2", Bytes.text("1"));
  }

  @Test
  void ofFilesThatWereCreatedAgainTheNewestGetsTheName() throws IOException {
    TestArchive.TestStream old = archive.stream("/log", 1);
    old.segmentAt(0, Bytes.text("1"));
    archive.stream("/log", 2).segmentAt(0, Bytes.text("2"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text("2"));
    assertFile("log.~" + old.id, Bytes.text("1"));
  }

  @Test
  void anEmptyFileThatWasTruncatedAtThePathGetsItsNameThoughAnotherWasDeliveredThereBefore()
      throws IOException {
    TestArchive.TestStream before = archive.stream("/log", 1);
    before.segmentAt(0, Bytes.text("of a file that is gone"));
    TestArchive.TestStream truncated = archive.stream("web-1", PosixPath.of("/log"), 2, 1);
    truncated.renamedAt("/log", Long.MAX_VALUE / 1_000_000);

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text(""));
    assertFile("log.~" + before.id, Bytes.text("of a file that is gone"));
  }

  @Test
  void anEmptyFileGetsTheNameOfOneThatBeganAnewWhereItHadMovedTo() throws IOException {
    TestArchive.TestStream before = archive.stream("web-1", PosixPath.of("/log"), 1, 0);
    before.segmentAt(0, Bytes.text("moved"));
    // The agent lost its state, so nobody said that it moved.
    archive.stream("web-1", PosixPath.of("/log.1"), 1, 7).segmentAt(0, Bytes.text("moved"));
    TestArchive.TestStream empty = archive.stream("web-1", PosixPath.of("/log"), 2, 0);
    empty.record(empty.path, 0, Optional.empty());

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("log", Bytes.text(""));
    assertFile("log.1", Bytes.text("moved"));
    assertFile("log.~" + before.id, Bytes.text("moved"));
  }

  @Test
  void aRecordedRenameOverAFileOfWhichNothingCameSinceGivesTheNameToTheNewFileAndIsTold()
      throws IOException {
    TestArchive.TestStream old = archive.stream("/etc/app.conf", 1);
    old.segmentAt(0, Bytes.text("old"));
    TestArchive.TestStream saved = archive.stream("/etc/.app.conf.swp", 2);
    saved.segmentAt(0, Bytes.text("saved"));
    saved.renamedAt("/etc/app.conf", Long.MAX_VALUE / 1_000_000);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(old.id, report.contested().getFirst().claimant());
    assertFile("etc/app.conf", Bytes.text("saved"));
    assertFile("etc/app.conf.~" + old.id, Bytes.text("old"));
  }

  @Test
  void aRecordedRenameOverAFileThatWasDeliveredSinceDoesNot() throws IOException {
    TestArchive.TestStream genuine = archive.stream("/etc/app.conf", 1);
    TestArchive.TestStream liar = archive.stream("/home/mallory/x", 2);
    liar.segmentAt(0, Bytes.text("forged"));
    liar.renamedAt("/etc/app.conf", 1);
    genuine.segmentAt(0, Bytes.text("genuine"));

    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
    assertFile("etc/app.conf", Bytes.text("genuine"));
  }

  @Test
  void verifyDoesNotCallAnArchiveCompleteInWhichAPathIsContested() throws IOException {
    archive.stream("/etc/app.conf", 1).segmentAt(0, Bytes.text("genuine"));
    TestArchive.TestStream liar = archive.stream("/home/mallory/x", 2);
    liar.segmentAt(0, Bytes.text("forged"));
    liar.renamed("/etc/app.conf", 6);

    Verifier verifier =
        new Verifier(archive.destination, TestArchive.options(), RestoreProgress.none());
    ArchiveIndex index = archive.index(TestArchive.options());
    for (VerifyReport report : List.of(verifier.verify(index), verifier.verifyNames(index))) {
      assertEquals(Outcome.PARTIAL, report.outcome());
      assertEquals(PosixPath.of("/etc/app.conf"), report.contested().getFirst().path());
    }
  }

  @Test
  void aClaimedDirectoryDoesNotTakeTheNameOfAFile() throws IOException {
    archive.stream("/etc/app.conf", 1).segmentAt(0, Bytes.text("genuine"));
    TestArchive.TestStream liar = archive.stream("/home/mallory/x", 2);
    liar.path = PosixPath.of("/etc/app.conf/y");
    liar.segmentAt(0, Bytes.text("forged"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("etc/app.conf", Bytes.text("genuine"));
    assertFile("etc/app.conf.~" + liar.id + "/y", Bytes.text("forged"));
  }

  @Test
  void noAgentEndsTheStreamsOfAnother() throws IOException {
    TestArchive.TestStream genuine = archive.stream("web-1", CONF, 1, 0);
    genuine.segmentAt(0, Bytes.text("genuine"));
    TestArchive.TestStream second = archive.stream("web-1", PosixPath.of("/tmp/x"), 2, 0);
    second.path = CONF;
    second.segmentAt(0, Bytes.text("forged"));
    archive.forged("web-2", PosixPath.of("/y"), genuine.id.withEpoch(9)).segmentAt(0, new byte[1]);

    assertEquals(Outcome.PARTIAL, restore(archive).outcome());
    assertFile("web-1/etc/app.conf", Bytes.text("genuine"));
  }

  private TestArchive.TestStream saved(String birthPath, long birth, long arrivalNanos) {
    TestArchive.TestStream stream = archive.stream(birthPath, birth);
    stream.path = CONF;
    stream.arrivalNanos = OptionalLong.of(arrivalNanos);
    return stream;
  }

  @Test
  void theFileThatCameLastToAPathGetsItsNameThoughNoEndIsTold() throws IOException {
    TestArchive.TestStream first = saved("/etc/app.conf", 1, 10);
    TestArchive.TestStream second = saved("/etc/.app.conf.swp", 2, 20);
    TestArchive.TestStream third = saved("/etc/.app.conf.swp", 3, 30);
    third.segmentAt(0, Bytes.text("3"));
    second.segmentAt(0, Bytes.text("2"));
    first.segmentAt(0, Bytes.text("1"));
    first.segmentAt(1, Bytes.text("written through an old descriptor"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(List.of(), report.contested());
    assertFile("etc/app.conf", Bytes.text("3"));
    assertFile("etc/app.conf.~" + second.id, Bytes.text("2"));
    assertFile("etc/app.conf.~" + first.id, Bytes.text("1written through an old descriptor"));
  }

  @Test
  void ofFilesThatHaveLeftAPathTheLastOneGetsItsNameThoughOnlyItsEndIsTold() throws IOException {
    TestArchive.TestStream first = saved("/etc/app.conf", 1, 10);
    TestArchive.TestStream second = saved("/etc/.app.conf.swp", 2, 20);
    first.segmentAt(0, Bytes.text("1"));
    second.segmentAt(0, Bytes.text("2"));
    second.record(CONF, 1, deleted(1));

    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertFile("etc/app.conf", Bytes.text("2"));
    assertFile("etc/app.conf.~" + first.id, Bytes.text("1"));
  }

  @Test
  void packsAndRecordsTellWhenAFileCameToItsPath() throws IOException {
    TestArchive.TestStream first = saved("/etc/.one", 1, 10);
    TestArchive.TestStream second = saved("/etc/.two", 2, 20);
    TestArchive.TestStream third = saved("/etc/.three", 3, 30);
    TestPacks packs = new TestPacks(archive, "web-1", 1, List.of());
    packs.add(second, 0, Bytes.text("2")).deliver();
    packs.add(third, 0, Bytes.text("3")).deliver();
    packs.merge(0, 2, List.of(), true);
    first.segmentAt(0, Bytes.text("1"));
    first.renamed("/etc/app.conf", 1);

    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertFile("etc/app.conf", Bytes.text("3"));
    assertFile("etc/app.conf.~" + second.id, Bytes.text("2"));
    assertFile("etc/app.conf.~" + first.id, Bytes.text("1"));
  }

  @Test
  void aFileOfWhichNobodyTellsWhenItCameIsContestedAsBefore() throws IOException {
    TestArchive.TestStream old = archive.stream("/etc/app.conf", 1);
    old.segmentAt(0, Bytes.text("old"));
    TestArchive.TestStream saved = saved("/etc/.app.conf.swp", 2, Long.MAX_VALUE);
    saved.segmentAt(0, Bytes.text("saved"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(old.id, report.contested().getFirst().claimant());
    assertFile("etc/app.conf", Bytes.text("saved"));
  }

  @Test
  void theArrivalsOfOneAgentSayNothingOfThoseOfAnother() throws IOException {
    TestArchive.TestStream one = saved("/etc/.one", 1, 10);
    one.segmentAt(0, Bytes.text("1"));
    TestArchive.TestStream other =
        archive.stream("web-2", PosixPath.of("/etc/.app.conf.swp"), 2, 0);
    other.path = CONF;
    other.arrivalNanos = OptionalLong.of(20);
    other.segmentAt(0, Bytes.text("2"));

    assertEquals(Outcome.DONE, restore(archive).outcome());
    assertFile("web-1/etc/app.conf", Bytes.text("1"));
    assertFile("web-2/etc/app.conf", Bytes.text("2"));
  }
}
