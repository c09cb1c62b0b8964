package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ForeignObjects;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RestorerTest extends RestoreFixture {
  @Test
  void givesBytesModeAndTimeBack() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    byte[] contents = Bytes.random(3_000_001, 1);
    TestArchive.TestStream stream = archive.stream("/var/log/app.log", 1);
    stream.segment(contents, 0, 1_000_000);
    stream.segment(contents, 1_000_000, 1_000_001);
    stream.permissions = 04755;
    stream.segment(contents, 1_000_001, contents.length);

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    RestoredStream one = only(report);
    assertEquals(RestoreResult.RESTORED, one.result());
    assertEquals(contents.length, one.bytes());
    assertEquals(Optional.of(PosixPath.of("var/log/app.log")), one.target());
    assertFile("var/log/app.log", contents);
    assertEquals(List.of("var/log/app.log"), files());
    Path file = target().resolve("var/log/app.log");
    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(0755, (int) Files.getAttribute(file, "unix:mode") & 07777);
    assertEquals(
        TestArchive.MODIFIED_NANOS, Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS));
  }

  @Test
  void opensEveryCodecAndEncryptedSegments() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    TestArchive archive = TestArchive.inMemory();
    byte[] contents = Bytes.random(400_000, 2);
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 100_000);
    archive.with(new Codec.Gzip(6), List.of());
    stream.segment(contents, 100_000, 200_000);
    archive.with(new Codec.Store(), List.of(keys.recipient()));
    stream.segment(contents, 200_000, 300_000);
    archive.with(new Codec.Gzip(1), List.of(keys.recipient()));
    stream.segment(contents, 300_000, 400_000);

    ReadOptions reading =
        TestArchive.options().withIdentities(List.of(keys.identity())).withAllowPlain(true);
    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("a", contents);
  }

  @Test
  void withoutAnIdentityNothingIsWrittenAndItSaysWhatToDo() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    TestArchive archive = TestArchive.inMemory().with(new Codec.Zstd(1), List.of(keys.recipient()));
    archive.stream("/a", 1).segmentAt(0, Bytes.text("secret"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.FAILED, report.outcome());
    RestoredStream one = only(report);
    assertEquals(RestoreResult.LOCKED, one.result());
    assertTrue(one.problem().orElseThrow().contains("--identity"), one.problem().toString());
    assertEquals(List.of(), one.missing());
    assertEquals(List.of(), one.damages());
    assertFalse(Files.exists(target()));
  }

  @Test
  void lastKnownNamesCountAndOlderStreamsOfTheSameNameGetASuffix() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    TestArchive.TestStream rotated = archive.stream("/log/a", 1);
    rotated.segmentAt(0, Bytes.text("oldest"));
    rotated.renamed("/log/a.1", 6);
    TestArchive.TestStream older = archive.stream("/log/a", 2);
    older.segmentAt(0, Bytes.text("older"));
    TestArchive.TestStream newest = archive.stream("web-1", PosixPath.of("/log/a"), 2, 1);
    newest.segmentAt(0, Bytes.text("newest"));
    TestArchive.TestStream renamedByHeader = archive.stream("/log/b", 3);
    renamedByHeader.segmentAt(0, Bytes.text("12"));
    renamedByHeader.path = PosixPath.of("/log/c");
    renamedByHeader.segmentAt(2, Bytes.text("34"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("log/a.1", Bytes.text("oldest"));
    assertFile("log/a", Bytes.text("newest"));
    assertFile("log/a.~" + older.id, Bytes.text("older"));
    assertFile("log/c", Bytes.text("1234"));
    assertEquals(4, files().size());
  }

  @Test
  void anAgentDirectoryAppearsOnlyWhereThereAreSeveral() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("web-1", PosixPath.of("/log/a"), 1, 0).segmentAt(0, Bytes.text("1"));
    archive.stream("web-2", PosixPath.of("/log/a"), 1, 0).segmentAt(0, Bytes.text("2"));

    restore(archive);
    assertEquals(List.of("web-1/log/a", "web-2/log/a"), files());

    ReadOptions reading = TestArchive.options();
    Selection selection = Selection.everything().ofAgent("web-2");
    ArchiveIndex index =
        ArchiveIndex.load(archive.destination, selection, reading, RestoreProgress.none());
    Path other = scratch.resolve("other");
    new Restorer(CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none())
        .restore(index, PosixPath.of(other));
    assertEquals(List.of("log/a"), files(other));
  }

  @Test
  void onlyWhatMatchesIsRestoredAndNothingFoundIsAFailure() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/log/a.log", 1).segmentAt(0, Bytes.text("a"));
    archive.stream("/log/sub/b.log", 2).segmentAt(0, Bytes.text("b"));
    archive.stream("/log/c.txt", 3).segmentAt(0, Bytes.text("c"));

    assertEquals(List.of("log/a.log", "log/sub/b.log"), restored(archive, "*.log", "one"));
    assertEquals(List.of("log/a.log"), restored(archive, "/log/*.log", "two"));
    assertEquals(List.of("log/sub/b.log"), restored(archive, "/**/sub/**", "three"));
    ArchiveIndex nothing =
        ArchiveIndex.load(
            archive.destination,
            Selection.everything().only(List.of("*.none")),
            TestArchive.options(),
            RestoreProgress.none());
    RestoreReport report =
        new Restorer(
                CALLS,
                archive.destination,
                RestoreOptions.of(TestArchive.options()),
                RestoreProgress.none())
            .restore(nothing, PosixPath.of(target()));
    assertEquals(Outcome.FAILED, report.outcome());
  }

  private List<String> restored(TestArchive archive, String glob, String directory)
      throws IOException {
    ReadOptions reading = TestArchive.options();
    Selection selection = Selection.everything().only(List.of(glob));
    ArchiveIndex index =
        ArchiveIndex.load(archive.destination, selection, reading, RestoreProgress.none());
    Path target = scratch.resolve(directory);
    new Restorer(CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none())
        .restore(index, PosixPath.of(target));
    return files(target);
  }

  @Test
  void zerosBecomeHolesAndTheLengthIsExact() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    byte[] contents = new byte[20_000_123];
    contents[10_000_000] = 7;
    TestArchive.TestStream stream = archive.stream("/sparse", 1);
    stream.segment(contents, 0, 9_999_999);
    stream.segment(contents, 9_999_999, contents.length);

    restore(archive);

    assertFile("sparse", contents);
    long allocated =
        CALLS
            .statx(
                dev.tailwater.posix.FileCalls.AT_FDCWD,
                PosixPath.of(target().resolve("sparse")),
                java.util.Set.of())
            .allocatedBytes();
    assertTrue(allocated <= 64 * 1024, "allocated " + allocated);
  }

  @Test
  void directoriesThatItMakesAreForTheirOwnerOnlyAndOthersStayAsTheyAre() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/var/lib/secret/a", 1).segmentAt(0, Bytes.text("a"));
    Path there = Files.createDirectories(target().resolve("var"));
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxr-xr-x"));

    restore(archive);

    assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(there)));
    for (String made : List.of("var/lib", "var/lib/secret")) {
      assertEquals(
          "rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(target().resolve(made))),
          made);
    }
  }

  @Test
  void aTargetThatItMakesIsForItsOwnerOnly() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segmentAt(0, Bytes.text("a"));

    restore(archive);

    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(target())));
  }

  @Test
  void emptyFilesComeBack() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/empty", 1)
        .record(
            PosixPath.of("/empty"),
            0,
            Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 0, 5)));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertFile("empty", new byte[0]);
    Path file = target().resolve("empty");
    assertEquals(0640, (int) Files.getAttribute(file, "unix:mode") & 07777);
  }

  @Test
  void gapsAndMissingRangesAreHolesAndListed() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    byte[] contents = Bytes.random(50_000, 3);
    TestArchive.TestStream stream = archive.stream("/a", 1);
    stream.segment(contents, 0, 10_000);
    stream.gap(10_000, 20_000, "truncated before it was read");
    stream.segment(contents, 20_000, 30_000);
    stream.segment(contents, 35_000, 40_000);
    stream.record(
        PosixPath.of("/a"),
        50_000,
        Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 50_000, 5)));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.PARTIAL, report.outcome());
    RestoredStream one = only(report);
    assertEquals(RestoreResult.INCOMPLETE, one.result());
    assertEquals("truncated before it was read", one.gaps().getFirst().reason());
    assertEquals("[[30000, 35000), [40000, 50000)]", one.missing().toString());
    byte[] expected = Arrays.copyOf(contents, 40_000);
    Arrays.fill(expected, 10_000, 20_000, (byte) 0);
    Arrays.fill(expected, 30_000, 35_000, (byte) 0);
    assertFile("a", expected);
  }

  @Test
  void foreignObjectsAreCountedAndHurtNobody() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segmentAt(0, Bytes.text("a"));
    archive.destination.putObject("some/thing/else.txt", Bytes.text("x"));

    RestoreReport report = restore(archive);

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(new ForeignObjects(1, List.of("some/thing/else.txt")), report.foreign());
  }

  @Test
  void namesThatAreNotTextComeBackByteForByte() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    PosixPath path = PosixPath.of(new byte[] {'/', 'd', '/', (byte) 0xff, '\n', (byte) 0xc3});
    TestArchive.TestStream stream = archive.stream("web-1", path, 1, 0);
    stream.segmentAt(0, Bytes.text("odd"));

    assertEquals(Outcome.DONE, restore(archive).outcome());

    PosixPath restored = PosixPath.of(target()).resolve(only(restore(archive)).target().get());
    assertEquals(path.fileName(), restored.fileName());
    assertEquals(
        3,
        CALLS
            .statx(dev.tailwater.posix.FileCalls.AT_FDCWD, restored, java.util.Set.of())
            .sizeBytes());
  }

  @Test
  void restoresFromADirectoryThroughManySegmentsAndStreams() throws Exception {
    DestinationContext context =
        new DestinationContext(CALLS, InstantSource.system(), new Random(4));
    Path place = Files.createDirectory(scratch.resolve("archive"));
    try (Destination destination = Destinations.open(place.toString(), OpenIntent.WRITE, context)) {
      TestArchive archive = new TestArchive(destination);
      for (int i = 0; i < 40; i++) {
        byte[] contents = Bytes.random(5_000 + i, i);
        TestArchive.TestStream stream = archive.stream("/d" + i % 4 + "/f" + i, i);
        for (int at = 0; at < contents.length; at += 1_000) {
          stream.segment(contents, at, Math.min(contents.length, at + 1_000));
        }
      }
      RestoreReport report = restore(archive);
      assertEquals(Outcome.DONE, report.outcome());
      for (int i = 0; i < 40; i++) {
        assertFile("d" + i % 4 + "/f" + i, Bytes.random(5_000 + i, i));
      }
      assertEquals(40, files().size());
    }
  }

  @Test
  void aDirectoryThatBecomesALinkDuringTheRunLeadsNowhere() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/d/a", 1).segmentAt(0, bytes("a"));
    archive.stream("/d/b", 2).segmentAt(0, bytes("b"));
    Path elsewhere = Files.createDirectories(scratch.resolve("elsewhere"));
    AtomicBoolean replaced = new AtomicBoolean();
    FaultyFileCalls calls =
        FaultyFileCalls.wrap(
            CALLS,
            call -> {
              if (call.method().equals("pwrite") && replaced.compareAndSet(false, true)) {
                replaceByLink(target().resolve("d"), target().resolve("moved"), elsewhere);
              }
              return Fault.PROCEED;
            });

    RestoreReport report =
        restore(calls.calls(), archive, RestoreOptions.of(TestArchive.options().withJobs(1)));

    assertTrue(replaced.get());
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(report.problem().orElseThrow().contains("power cut"), report.toString());
    assertFile("moved/a", bytes("a"));
    assertFile("moved/b", bytes("b"));
    assertEquals(List.of(), files(elsewhere));
    assertEquals(List.of(), calls.openDescriptors());
  }

  private static void replaceByLink(Path place, Path moved, Path to) {
    try {
      Files.move(place, moved);
      Files.createSymbolicLink(place, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesOfMoreDirectoriesThanStayOpenComeBack() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    int count = 300;
    for (int i = 0; i < count; i++) {
      archive.stream("/d" + i + "/f", i).segmentAt(0, bytes("file " + i));
    }
    FaultyFileCalls calls = FaultyFileCalls.wrap(CALLS, FaultPlan.none());

    RestoreReport report =
        restore(calls.calls(), archive, RestoreOptions.of(TestArchive.options()));

    assertEquals(Outcome.DONE, report.outcome(), report.toString());
    for (int i = 0; i < count; i++) {
      assertFile("d" + i + "/f", bytes("file " + i));
    }
    assertEquals(List.of(), calls.openDescriptors());
    assertEquals(count, report.count(RestoreResult.RESTORED));
  }
}
