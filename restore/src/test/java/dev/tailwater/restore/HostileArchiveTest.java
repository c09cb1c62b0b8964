package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoreResult;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Archives and targets made by an enemy. */
class HostileArchiveTest extends RestoreFixture {
  private Path outside() throws IOException {
    Path outside = scratch.resolve("outside");
    Files.createDirectories(outside);
    return outside;
  }

  @Test
  void pathsThatLeadOutsideAreRefusedAndTheRestIsRestored() throws IOException {
    Path outside = outside();
    for (String path :
        List.of(
            "/../outside/x",
            "/a/../../outside/x",
            "../outside/x",
            "..",
            "/",
            "/a/",
            "/" + "n".repeat(256),
            "/d".repeat(2050))) {
      TestArchive archive = TestArchive.inMemory();
      TestArchive.TestStream evil = archive.stream("/evil", 1);
      evil.path = PosixPath.of(path.length() > 4096 ? path.substring(0, 4096) : path);
      evil.segmentAt(0, Bytes.text("owned"));
      evil.record(PosixPath.of(path), 5, Optional.empty());
      archive.stream("/good", 2).segmentAt(0, Bytes.text("good"));

      RestoreReport report = restore(archive);

      assertEquals(Outcome.PARTIAL, report.outcome(), path);
      assertFile("good", Bytes.text("good"));
      assertEquals(List.of("good"), files(), path);
      assertEquals(List.of(), files(outside), path);
      RestoredStream refused =
          report.streams().stream()
              .filter(stream -> stream.result() == RestoreResult.FAILED)
              .findFirst()
              .orElseThrow();
      assertTrue(refused.problem().orElseThrow().contains("its path"), path);
    }
  }

  @Test
  void absolutePathsStayBelowTheTarget() throws IOException {
    Path outside = outside();
    TestArchive archive = TestArchive.inMemory();
    archive.stream(outside.resolve("x").toString(), 1).segmentAt(0, Bytes.text("x"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertEquals(List.of(), files(outside));
    assertFile(outside.resolve("x").toString().substring(1), Bytes.text("x"));
  }

  @Test
  void symbolicLinksInTheTargetAreNeverFollowed() throws IOException {
    Path outside = outside();
    Files.write(outside.resolve("victim"), Bytes.text("victim"));
    Files.createDirectories(target());
    Files.createSymbolicLink(target().resolve("dir"), outside);
    Files.createSymbolicLink(target().resolve("file"), outside.resolve("victim"));
    Files.createSymbolicLink(target().resolve("dangling"), outside.resolve("new"));
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/dir/x", 1).segmentAt(0, Bytes.text("x"));
    archive.stream("/file", 2).segmentAt(0, Bytes.text("x"));
    archive.stream("/dangling", 3).segmentAt(0, Bytes.text("x"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(List.of("victim"), files(outside));
    assertArrayEquals(Bytes.text("victim"), Files.readAllBytes(outside.resolve("victim")));

    report = restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));

    // Overwriting replaces the links themselves; a directory is never replaced.
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(List.of("victim"), files(outside));
    assertArrayEquals(Bytes.text("victim"), Files.readAllBytes(outside.resolve("victim")));
    assertFile("file", Bytes.text("x"));
    assertFile("dangling", Bytes.text("x"));
    assertFalse(Files.isSymbolicLink(target().resolve("file")));
  }

  @Test
  void aDirectoryThatBecomesALinkDuringTheRunLeadsNowhere() throws IOException {
    Path outside = outside();
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/d/a", 1).segmentAt(0, Bytes.text("a"));
    archive.stream("/d/b", 2).segmentAt(0, Bytes.text("b"));
    RestoreOptions options = RestoreOptions.of(TestArchive.options().withJobs(1));
    FaultyFileCalls counting = FaultyFileCalls.wrap(CALLS, FaultPlan.none());
    restore(counting.calls(), archive, options);
    long calls = counting.callCount();
    for (long at = 1; at <= calls; at++) {
      long moment = at;
      Path aside = scratch.resolve("aside" + at);
      AtomicBoolean swapped = new AtomicBoolean();
      Path fresh = target().resolveSibling("target" + at);
      FaultyFileCalls racing =
          FaultyFileCalls.wrap(
              CALLS,
              FaultPlan.when(
                  call -> {
                    if (call.number() >= moment
                        && !swapped.get()
                        && Files.isDirectory(fresh.resolve("d"))) {
                      swapped.set(true);
                      swap(fresh.resolve("d"), aside, outside);
                    }
                    return false;
                  },
                  new dev.tailwater.posix.testkit.Fault.Delay(0)));
      new Restorer(racing.calls(), archive.destination, options, RestoreProgress.none())
          .restore(archive.index(options.reading()), PosixPath.of(fresh));
      assertEquals(List.of(), files(outside), "swapped before call " + at);
    }
  }

  private static void swap(Path directory, Path aside, Path outside) {
    try {
      Files.move(directory, aside);
      Files.createSymbolicLink(directory, outside);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aPlantedPartialFileIsNotWrittenThrough() throws IOException {
    Path outside = outside();
    Path victim = Files.write(outside.resolve("victim"), Bytes.text("victim"));
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream linked = archive.stream("/linked", 1);
    linked.segmentAt(0, Bytes.text("1"));
    TestArchive.TestStream hard = archive.stream("/hard", 2);
    hard.segmentAt(0, Bytes.text("2"));
    Files.createDirectories(target());
    Files.createSymbolicLink(
        target().resolve(PartialName.nameOf(linked.prefix).toString()), victim);
    Files.createLink(target().resolve(PartialName.nameOf(hard.prefix).toString()), victim);

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertArrayEquals(Bytes.text("victim"), Files.readAllBytes(victim));
    assertFile("linked", Bytes.text("1"));
    assertFile("hard", Bytes.text("2"));
  }

  @Test
  void writesNothingToAPartialFileOfAnotherUser() throws IOException {
    assumeTrue(CALLS.effectiveUserId() == 0, "only root may give files away");
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/secret", 1);
    stream.segmentAt(0, Bytes.text("secret"));
    Files.createDirectories(target());
    Path planted = Files.createFile(target().resolve(PartialName.nameOf(stream.prefix).toString()));
    Files.setAttribute(planted, "unix:uid", 12_345);

    try (FileChannel heldByItsOwner = FileChannel.open(planted, StandardOpenOption.WRITE)) {
      assertEquals(Outcome.DONE, restore(archive).outcome());
      assertEquals(0, heldByItsOwner.size());
    }
    assertFile("secret", Bytes.text("secret"));
    assertEquals(0, Files.getAttribute(target().resolve("secret"), "unix:uid"));
    assertEquals(List.of("secret"), files());
  }

  @Test
  void anAbsurdOffsetIsAClearErrorOrASparseFileAndFillsNothing() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/huge", 1).segmentAt(9_000_000_000_000_000_000L, Bytes.text("far"));
    archive.stream("/good", 2).segmentAt(0, Bytes.text("good"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("good", Bytes.text("good"));
    RestoredStream huge =
        report.streams().stream()
            .filter(stream -> stream.path().equals(PosixPath.of("/huge")))
            .findFirst()
            .orElseThrow();
    // Most file systems refuse the offset; those that do not make a hole.
    if (huge.result() == RestoreResult.FAILED) {
      assertTrue(huge.problem().orElseThrow().contains("EFBIG"), huge.toString());
    } else {
      assertEquals("[[0, 9000000000000000000)]", huge.missing().toString());
    }
    long used = 0;
    for (String file : files()) {
      used +=
          CALLS
              .statx(
                  dev.tailwater.posix.FileCalls.AT_FDCWD,
                  PosixPath.of(target().resolve(file)),
                  java.util.Set.of())
              .allocatedBytes();
    }
    assertTrue(used < 1024 * 1024, "allocated " + used);
  }

  @Test
  void anOffsetThatNoFileReachesIsAClearError() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/huge", 1).segmentAt(Long.MAX_VALUE - 3, Bytes.text("far"));

    RestoreReport report = restore(archive);

    RestoredStream huge = report.streams().getFirst();
    assertEquals(RestoreResult.FAILED, huge.result());
    assertTrue(huge.problem().orElseThrow().contains("where no file has any"), huge.toString());
  }

  @Test
  void aSegmentThatClaimsBytesWhichNoFileReachesDoesNotKeepTheOthersAway() throws IOException {
    for (long startBytes : List.of(0L, 4L, 1L << 40, Long.MAX_VALUE - 1)) {
      TestArchive archive = TestArchive.inMemory();
      TestArchive.TestStream stream = archive.stream("/a" + startBytes, 1);
      stream.segmentAt(0, Bytes.text("good"));
      String forged =
          ArchiveNames.segment(
              stream.prefix, new ByteRange(startBytes, Long.MAX_VALUE), new Codec.Zstd(1), false);
      archive.destination.putSegment(forged, ByteBuffer.wrap(Bytes.text("x")));

      RestoreReport report = restore(archive);

      assertEquals(Outcome.PARTIAL, report.outcome());
      assertFile("a" + startBytes, Bytes.text("good"));
      assertEquals(List.of(forged), only(report).damages().stream().map(Damage::key).toList());
    }
  }

  /** With a search that begins anew for each, the last of these takes minutes. */
  @Test
  void manyStreamsOfOneIdAndOnePathAreNumbered() throws IOException {
    int count = 12_000;
    TestArchive archive = TestArchive.inMemory();
    for (int number = 0; number < count; number++) {
      archive.stream("/forged/" + number, 1).record(PosixPath.of("/a"), 0, Optional.empty());
    }
    TargetNames names = TargetNames.of(archive.index(TestArchive.options()));
    Set<String> places = new HashSet<>();
    names.all().values().forEach(place -> places.add(place.relative().toString()));
    assertEquals(count, places.size());
    String id = archive.stream("/a", 1).id.text();
    assertTrue(places.containsAll(List.of("a", "a.~" + id, "a.~" + id + "." + (count - 1))));
  }

  @Test
  void aRecordThatClaimsAnAbsurdSizeDoesNotMakeTheFileLonger() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("abc"));
    stream.record(
        PosixPath.of("/a"),
        3,
        Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, Long.MAX_VALUE, 1)));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals("[[3, 9223372036854775807)]", only(report).missing().toString());
    assertFile("a", Bytes.text("abc"));
  }

  @Test
  void segmentsThatContradictEachOtherAreTakenInTheSameWayEveryTime() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("aaaaaa"));
    stream.segmentAt(3, Bytes.text("bbbbbb"));
    stream.segmentAt(4, Bytes.text("cc"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(RestoreResult.DOUBTFUL, only(report).result());
    assertFile("a", Bytes.text("aaaaaabbb"));
  }

  @Test
  void garbageInRecordsAndGapsIsNotedAndCostsNoBytes() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segmentAt(0, Bytes.text("abc"));
    String record = ArchiveNames.streamObject(stream.prefix);
    archive.destination.putObject(record, Bytes.text("{\"stream\": [[[["));
    stream.gap(3, 5, "why");
    String gap = ArchiveNames.gap(stream.prefix, new dev.tailwater.archive.ByteRange(3, 5));
    archive.destination.putObject(gap, Bytes.random(1000, 1));
    TestArchive.TestStream big = archive.stream("/b", 2);
    big.segmentAt(0, Bytes.text("xyz"));
    archive.destination.putObject(
        ArchiveNames.streamObject(big.prefix), new byte[100 * 1024 * 1024]);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("a", Bytes.text("abc"));
    assertFile("b", Bytes.text("xyz"));
    RestoredStream one = report.streams().getFirst();
    assertEquals(List.of(record, gap), one.damages().stream().map(Damage::key).toList());
    assertEquals("not readable", one.gaps().getFirst().reason());
    assertTrue(report.streams().getLast().damages().getFirst().why().contains("longer than"));
  }

  @Test
  void aRecordOfAnotherStreamIsNotBelieved() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream one = archive.stream("/a", 1);
    one.segmentAt(0, Bytes.text("a"));
    TestArchive.TestStream two = archive.stream("/b", 2);
    two.segmentAt(0, Bytes.text("b"));
    two.renamed("/a", 1);
    try (var in =
        archive.destination.read(ArchiveNames.streamObject(two.prefix), 0, Long.MAX_VALUE)) {
      archive.destination.putObject(ArchiveNames.streamObject(one.prefix), in.readAllBytes());
    }
    archive.destination.delete(ArchiveNames.streamObject(two.prefix));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("a", Bytes.text("a"));
    assertFile("b", Bytes.text("b"));
  }

  @Test
  void aSegmentUnderAnotherNameIsDamaged() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream one = archive.stream("/a", 1);
    SealedSegment sealed = archive.stream("/b", 2).seal(0, Bytes.text("b"));
    String wrong = one.prefix + sealed.key().substring(sealed.key().lastIndexOf('/') + 1);
    archive.destination.putSegment(wrong, sealed.content());

    RestoreReport report = restore(archive);

    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(List.of(), files());
  }

  @Test
  void filesAndDirectoriesOfOneNameAndReservedNamesDoNotCollide() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream file = archive.stream("/a/b", 1);
    file.segmentAt(0, Bytes.text("file"));
    archive.stream("/a/b/c", 2).segmentAt(0, Bytes.text("child"));
    String partial = PartialName.nameOf(file.prefix).toString();
    TestArchive.TestStream trap = archive.stream("/a/" + partial, 3);
    trap.segmentAt(0, Bytes.text("trap"));
    TestArchive.TestStream taken = archive.stream("/a/x.~" + file.id, 4);
    taken.segmentAt(0, Bytes.text("taken"));
    TestArchive.TestStream longName = archive.stream("/" + "n".repeat(255), 5);
    longName.segmentAt(0, Bytes.text("long 1"));
    TestArchive.TestStream longAgain = archive.stream("/" + "n".repeat(255), 6);
    longAgain.segmentAt(0, Bytes.text("long 2"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    assertFile("a/b.~" + file.id, Bytes.text("file"));
    assertFile("a/b/c", Bytes.text("child"));
    assertFile("a/" + partial + ".~" + trap.id, Bytes.text("trap"));
    assertFile("a/x.~" + file.id, Bytes.text("taken"));
    assertFile("n".repeat(255), Bytes.text("long 2"));
    assertFile("n".repeat(255 - 40) + ".~" + longName.id, Bytes.text("long 1"));
  }
}
