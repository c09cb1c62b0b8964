package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.restore.Bytes;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreFixture;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.TestArchive;
import dev.tailwater.restore.TestTrees;
import dev.tailwater.restore.TestTrees.Directory;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TreeRestoreTest extends RestoreFixture {
  private static final String AGENT = "web-1";

  private final TestArchive archive = TestArchive.inMemory();
  private final TestTrees trees = new TestTrees(archive, AGENT, 5);

  private RestoreReport restore() throws IOException {
    return restore(archive);
  }

  private int mode(String path) throws IOException {
    return (int) Files.getAttribute(target().resolve(path), "unix:mode") & 07777;
  }

  private long modified(String path) throws IOException {
    return Files.getLastModifiedTime(target().resolve(path), LinkOption.NOFOLLOW_LINKS)
        .to(TimeUnit.NANOSECONDS);
  }

  private boolean exists(String path) {
    return Files.exists(target().resolve(path), LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void givesBackEmptyDirectoriesModesTimesAndLinks() throws IOException {
    archive.stream("/log/a/file", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(new Directory("/log", "a", "empty").mode(0751))
        .say(new Directory("/log/a").mode(0500).link("latest", "file").link("out", "/etc/passwd"))
        .say(new Directory("/log/empty").mode(01777))
        .deliver(true, 1_000);

    RestoreReport report = restore();

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(new TreeReport(3, 2, 0, 0, 0, 0, Optional.empty(), List.of()), report.tree());
    assertEquals(0751, mode("log"));
    assertEquals(0500, mode("log/a"));
    assertEquals(01777, mode("log/empty"));
    assertEquals(Path.of("file"), Files.readSymbolicLink(target().resolve("log/a/latest")));
    assertEquals(Path.of("/etc/passwd"), Files.readSymbolicLink(target().resolve("log/a/out")));
    for (String path : List.of("log", "log/a", "log/empty", "log/a/latest", "log/a/out")) {
      assertEquals(TestTrees.MODIFIED_NANOS, modified(path), path);
    }
  }

  /** Anybody can write one, and give it a name that sorts before that of the agent's. */
  @Test
  void aPackThatNoIdentityOpensHidesNoDirectory() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    KeyPair nobody = KeyPair.generate(new SecureRandom());
    PackName genuine =
        tree(
            new TestTrees(archive, AGENT, 5, List.of(keys.recipient()))
                .say(new Directory("/log", "empty").link("latest", "file"))
                .say(new Directory("/log/empty"))
                .deliver(true, 1_000));
    String forged =
        new TestTrees(archive, AGENT, 6, List.of(nobody.recipient()))
            .say(new Directory("/x"))
            .deliver(true, 1_000);
    byte[] object;
    try (InputStream in = archive.destination.read(forged, 0, Long.MAX_VALUE)) {
      object = in.readAllBytes();
    }
    archive.destination.delete(forged);
    PackName before =
        new PackName(genuine.id(), tree(forged).frontBytes(), true, PackName.Folder.TREE);
    assertTrue(before.compareTo(genuine) < 0);
    archive.destination.putSegment(before.key(), ByteBuffer.wrap(object));

    ReadOptions reading = TestArchive.options().withIdentities(List.of(keys.identity()));
    RestoreReport report = restore(archive, RestoreOptions.of(reading));

    assertEquals(2, report.tree().directories(), report.toString());
    assertEquals(1, report.tree().links());
    assertEquals(List.of(before.key()), report.tree().damages().stream().map(Damage::key).toList());
  }

  private static PackName tree(String key) {
    return PackName.parse(key, PackName.Folder.TREE).orElseThrow();
  }

  @Test
  void aSecondRestoreFindsEverythingThere() throws IOException {
    archive.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(new Directory("/log").mode(0700).link("latest", "file").furtherName("b", "/log/file"))
        .deliver(true, 1_000);
    restore();
    RestoreReport again = restore();
    assertEquals(Outcome.DONE, again.outcome());
    assertEquals(new TreeReport(0, 1, 1, 1, 0, 0, Optional.empty(), List.of()), again.tree());
  }

  @Test
  void furtherNamesLeadToTheSameFile() throws IOException {
    archive.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(new Directory("/log", "sub").furtherName("other", "/log/file"))
        .say(new Directory("/log/sub").furtherName("third", "/log/file"))
        .deliver(true, 1_000);
    assertEquals(2, restore().tree().furtherNames());
    for (String path : List.of("log/other", "log/sub/third")) {
      assertTrue(Files.isSameFile(target().resolve("log/file"), target().resolve(path)), path);
    }
  }

  /** A file that was deleted does not take the place of what came after it. */
  @Test
  void aFileThatIsNotThereAnyMoreGivesWayToWhatIs() throws IOException {
    archive.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    for (String gone : List.of("/log/was-file", "/log/was-dir/a", "/log/dir", "/log/further")) {
      TestArchive.TestStream stream = archive.stream(gone, gone.length());
      stream.segmentAt(0, Bytes.text("gone"));
      stream.record(
          PosixPath.of(gone),
          4,
          Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 4, 5)));
    }
    trees
        .say(
            new Directory("/log", "dir")
                .link("was-file", "file")
                .link("was-dir", "/etc")
                .furtherName("further", "/log/file"))
        .say(new Directory("/log/dir").mode(0711))
        .deliver(true, 1_000);

    RestoreReport report = restore();

    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(new TreeReport(2, 2, 1, 0, 0, 0, Optional.empty(), List.of()), report.tree());
    assertEquals(Path.of("file"), Files.readSymbolicLink(target().resolve("log/was-file")));
    assertTrue(Files.isSameFile(target().resolve("log/file"), target().resolve("log/further")));
    for (RestoredStream stream : report.streams()) {
      Path restored = target().resolve(stream.target().orElseThrow().toString());
      boolean isThere = stream.path().toString().equals("/log/file");
      assertEquals(isThere ? "x" : "gone", Files.readString(restored));
      assertEquals(!isThere, restored.toString().contains(".~"), restored.toString());
    }
  }

  private void fileThatCameAt(long millis, String path) throws IOException {
    TestArchive.TestStream stream = archive.stream(path, 7);
    stream.arrivalNanos = OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(millis));
    stream.segmentAt(0, Bytes.text("x"));
    stream.record(PosixPath.of(path), 1, Optional.empty());
  }

  @Test
  void aFileThatCameLaterThanWhatIsToldOfItsPathIsWhatIsThere() throws IOException {
    for (String way : List.of("/log/link", "/log/dir", "/log/name", "/log/way/file")) {
      fileThatCameAt(2_000, way);
    }
    trees
        .say(
            new Directory("/log", "dir")
                .link("link", "elsewhere")
                .link("way", "/etc")
                .furtherName("name", "/log/way/file"))
        .say(new Directory("/log/dir", "inner").link("below", "x"))
        .say(new Directory("/log/dir/inner"))
        .deliver(true, 1_000);
    RestoreReport report = restore();
    assertEquals(Outcome.DONE, report.outcome());
    assertEquals(List.of("log/dir", "log/link", "log/name", "log/way/file"), files());
    assertEquals(new TreeReport(1, 0, 0, 0, 6, 0, Optional.empty(), List.of()), report.tree());
  }

  /** Its agent did not live to tell the end of the file. */
  @Test
  void aFileThatCameEarlierThanWhatIsToldOfItsPathGivesWay() throws IOException {
    for (String way : List.of("/log/link", "/log/dir", "/log/name", "/log/file")) {
      fileThatCameAt(1_000, way);
    }
    trees
        .say(
            new Directory("/log", "dir").link("link", "elsewhere").furtherName("name", "/log/file"))
        .say(new Directory("/log/dir"))
        .deliver(true, 2_000);
    RestoreReport report = restore();
    assertEquals(Path.of("elsewhere"), Files.readSymbolicLink(target().resolve("log/link")));
    assertTrue(Files.isDirectory(target().resolve("log/dir")));
    assertTrue(Files.isSameFile(target().resolve("log/file"), target().resolve("log/name")));
    assertEquals(0, report.tree().outdated());
    for (RestoredStream stream : report.streams()) {
      boolean isThere = stream.path().toString().equals("/log/file");
      assertEquals(!isThere, stream.target().orElseThrow().toString().contains(".~"));
    }
  }

  /** Of two names of a file, the archive may be told later which it is under. */
  @Test
  void aFileKeepsANameOfItsOwnUnderWhichItWasToldLast() throws IOException {
    fileThatCameAt(1_000, "/log/name");
    trees.say(new Directory("/log").furtherName("name", "/log/not-told-yet")).deliver(true, 2_000);
    restore();
    assertEquals("x", Files.readString(target().resolve("log/name")));
  }

  /** What is told of links may be older than what is told of files. */
  @Test
  void aFileOfWhichItIsNotToldWhenItCameKeepsItsName() throws IOException {
    archive.stream("/log/file", 1).segmentAt(0, Bytes.text("x"));
    trees.say(new Directory("/log").link("file", "elsewhere")).deliver(true, 1_000);
    RestoreReport report = restore();
    assertEquals("x", Files.readString(target().resolve("log/file")));
    assertEquals(1, report.tree().failed());
    assertEquals(Outcome.PARTIAL, report.outcome());
  }

  @Test
  void nothingIsWrittenThroughALinkThatLeadsElsewhere() throws IOException {
    Path outside = Files.createDirectory(scratch.resolve("outside"));
    int modeBefore = (int) Files.getAttribute(outside, "unix:mode");
    archive.stream("/log/trap/file", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(new Directory("/log", "way").link("way", outside.toString()))
        .say(new Directory("/log/way").mode(0777).link("planted", "x").furtherName("h", "/log/f"))
        .say(new Directory("/log/way/deep").mode(0777))
        .deliver(true, 1_000);
    // The link is there before the next restore, which must not follow it.
    for (int round = 0; round < 2; round++) {
      restore();
      try (var there = Files.list(outside)) {
        assertEquals(0, there.count());
      }
      assertEquals(modeBefore, (int) Files.getAttribute(outside, "unix:mode"));
    }
  }

  @Test
  void aDirectoryThatIsALinkByNowIsNotEntered() throws IOException {
    Path outside = Files.createDirectory(scratch.resolve("outside"));
    Files.createDirectories(target().resolve("log"));
    Files.createSymbolicLink(target().resolve("log/sub"), outside);
    trees
        .say(new Directory("/log", "sub"))
        .say(new Directory("/log/sub").mode(0777).link("planted", "x"))
        .deliver(true, 1_000);
    RestoreReport report = restore();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(report.tree().failed() > 0);
    try (var there = Files.list(outside)) {
      assertEquals(0, there.count());
    }
  }

  @Test
  void aFileInThePlaceOfADirectoryIsCountedAndStopsNothing() throws IOException {
    archive.stream("/log/thing", 1).segmentAt(0, Bytes.text("x"));
    trees
        .say(new Directory("/log", "thing", "good").link("thing", "elsewhere"))
        .say(new Directory("/log/thing").mode(0700))
        .say(new Directory("/log/good").mode(0711))
        .deliver(true, 1_000);
    RestoreReport report = restore();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertFile("log/thing", Bytes.text("x"));
    assertEquals(0711, mode("log/good"));
    assertTrue(report.tree().firstFailure().isPresent());
  }

  @Test
  void readsNothingOfAFileWhoseNameADirectoryHas() throws IOException {
    archive.stream("/log/thing", 1).segmentAt(0, Bytes.text("x"));
    Files.createDirectories(target().resolve("log/thing"));
    RestoreReport report =
        restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    RestoredStream thing = report.streams().getFirst();
    assertEquals(RestoreResult.REFUSED, thing.result());
    assertTrue(thing.problem().orElseThrow().startsWith("a directory has its name"));
  }

  @Test
  void saysWhatHelpsWhereAFileOfSomebodyElseHasTheNameOfALink() throws IOException {
    Files.createDirectories(target().resolve("log"));
    Files.writeString(target().resolve("log/latest"), "mine");
    trees.say(new Directory("/log").link("latest", "file")).deliver(true, 1_000);
    RestoreReport report =
        restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(report.tree().firstFailure().orElseThrow().contains("Hint: something else has"));
    assertFile("log/latest", Bytes.text("mine"));
  }

  @Test
  void directoriesThatWereThereKeepTheirModesUnlessToldOtherwise() throws IOException {
    Files.createDirectories(target().resolve("log"));
    Files.setAttribute(target().resolve("log"), "unix:mode", 0700);
    trees.say(new Directory("/log").mode(0777)).deliver(true, 1_000);
    assertEquals(1, restore().tree().kept());
    assertEquals(0700, mode("log"));
    restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertEquals(0777, mode("log"));
  }

  @Test
  void aLinkThatWasThereKeepsItsTimeUnlessToldOtherwise() throws IOException {
    Path link = Files.createDirectories(target().resolve("log")).resolve("latest");
    Files.createSymbolicLink(link, Path.of("file"));
    long before = modified("log/latest");
    trees
        .say(new Directory("/log").link("latest", "file").link("new", "file"))
        .deliver(true, 1_000);
    assertEquals(2, restore().tree().links());
    assertEquals(before, modified("log/latest"));
    assertEquals(TestTrees.MODIFIED_NANOS, modified("log/new"));
    restore(archive, RestoreOptions.of(TestArchive.options()).withOverwrite(true));
    assertEquals(TestTrees.MODIFIED_NANOS, modified("log/latest"));
  }

  @Test
  void aLinkThatIsReplacedStaysUntilTheOtherOneIsThere() throws IOException {
    Path link = Files.createDirectories(target().resolve("log")).resolve("latest");
    Files.createSymbolicLink(link, Path.of("mine"));
    trees.say(new Directory("/log").link("latest", "file")).deliver(true, 1_000);
    RestoreOptions overwriting = RestoreOptions.of(TestArchive.options()).withOverwrite(true);
    AtomicInteger made = new AtomicInteger();
    FileCalls full =
        FaultyFileCalls.wrap(
                CALLS,
                call ->
                    call.is("symbolicLink") && made.incrementAndGet() == 2
                        ? new Fault.Fail(Errno.ENOSPC)
                        : Fault.PROCEED)
            .calls();
    assertEquals(Outcome.PARTIAL, restore(full, archive, overwriting).outcome());
    assertEquals(Path.of("mine"), Files.readSymbolicLink(link));
    restore(archive, overwriting);
    assertEquals(Path.of("file"), Files.readSymbolicLink(link));
    assertEquals(List.of("latest"), List.of(target().resolve("log").toFile().list()));
  }

  @Test
  void specialBitsOfDirectoriesComeWithTheOwnerOnly() throws IOException {
    int user = (int) Files.getAttribute(scratch, "unix:uid");
    int group = (int) Files.getAttribute(scratch, "unix:gid");
    Directory shared = new Directory("/log").mode(03775);
    shared.owner = Optional.of(new FileOwner(user, group, "", ""));
    trees.say(shared).deliver(true, 1_000);
    restore();
    assertEquals(01775, mode("log"));
    restore(
        archive,
        RestoreOptions.of(TestArchive.options()).withOverwrite(true).withOwners(OwnerChoice.BY_ID));
    assertEquals(03775, mode("log"));
  }

  @Test
  void whatTheDirectoryAboveDoesNotNameIsNotThere() throws IOException {
    trees
        .say(new Directory("/log", "a", "b"))
        .say(new Directory("/log/a", "deep"))
        .say(new Directory("/log/a/deep"))
        .say(new Directory("/log/b"))
        .deliver(true, 1_000);
    trees.say(new Directory("/log", "b")).deliver(false, 2_000);
    assertEquals(2, restore().tree().directories());
    assertTrue(exists("log/b"));
    assertFalse(exists("log/a"));
    trees.gone("/log").deliver(false, 3_000);
    Files.delete(target().resolve("log/b"));
    assertEquals(0, restore().tree().directories());
  }

  @Test
  void theLastGroupThatStatesTheWholeTreeCountsAndAnEarlierOneForAnEarlierMoment()
      throws IOException {
    trees.say(new Directory("/log", "old")).say(new Directory("/log/old")).deliver(true, 1_000);
    TestTrees later = new TestTrees(archive, AGENT, 6);
    later.say(new Directory("/log", "new")).say(new Directory("/log/new")).deliver(true, 2_000);
    TestTrees unfinished = new TestTrees(archive, AGENT, 7);
    unfinished.say(new Directory("/log", "half")).deliver(false, 3_000);
    restore();
    assertTrue(exists("log/new"));
    assertFalse(exists("log/old"));
    assertFalse(exists("log/half"));
    Path then = scratch.resolve("then");
    ReadOptions atThen = TestArchive.options().withAtMillis(1_500);
    new Restorer(CALLS, archive.destination, RestoreOptions.of(atThen), RestoreProgress.none())
        .restore(archive.index(atThen), PosixPath.of(then));
    assertTrue(Files.exists(then.resolve("log/old")));
    assertFalse(Files.exists(then.resolve("log/new")));
  }

  @Test
  void aMissingNumberIsSaidAndNothingBehindItIsUsed() throws IOException {
    trees.say(new Directory("/log", "a")).say(new Directory("/log/a")).deliver(true, 1_000);
    trees.skip().say(new Directory("/log")).deliver(false, 2_000);
    RestoreReport report = restore();
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertEquals(1, report.tree().damages().size());
    assertTrue(exists("log/a"));
  }

  @Test
  void opensNoPackBehindAMissingOne() throws IOException {
    trees.skip().say(new Directory("/log", "a")).deliver(true, 1_000);
    assertEquals(Set.of(), opened());
  }

  /** An agent may have thousands of packs. */
  @Test
  void opensNoPackBehindOneThatNoIdentityOpens() throws IOException {
    KeyPair nobody = KeyPair.generate(new SecureRandom());
    TestTrees locked = new TestTrees(archive, AGENT, 6, List.of(nobody.recipient()));
    String first = locked.say(new Directory("/log", "a")).deliver(true, 1_000);
    locked.say(new Directory("/log", "b")).deliver(false, 2_000);
    locked.say(new Directory("/log", "c")).deliver(false, 3_000);
    assertEquals(Set.of(first), opened());
  }

  /** Returns which objects a restore reads, which names one of them. */
  private Set<String> opened() throws IOException {
    Set<String> opened = ConcurrentHashMap.newKeySet();
    Destination watched =
        new ForwardingDestination(archive.destination) {
          @Override
          public InputStream read(String key, long offsetBytes, long lengthBytes)
              throws DestinationException {
            opened.add(key);
            return real().read(key, offsetBytes, lengthBytes);
          }
        };
    ReadOptions reading = TestArchive.options();
    RestoreReport report =
        new Restorer(CALLS, watched, RestoreOptions.of(reading), RestoreProgress.none())
            .restore(archive.index(reading), PosixPath.of(target()));
    assertEquals(1, report.tree().damages().size());
    return opened;
  }

  @Test
  void withAnIdentityPlainStatementsAreRefused() throws IOException {
    KeyPair keys = KeyPair.generate(new SecureRandom());
    TestTrees sealed = new TestTrees(archive, AGENT, 6, List.of(keys.recipient()));
    sealed.say(new Directory("/log").link("good", "x")).deliver(true, 1_000);
    TestTrees forged = new TestTrees(archive, AGENT, 7);
    forged.say(new Directory("/log").link("bad", "x")).deliver(true, 2_000);
    ReadOptions reading = TestArchive.options().withIdentities(List.of(keys.identity()));
    RestoreReport report = restore(archive, RestoreOptions.of(reading));
    assertEquals(Outcome.PARTIAL, report.outcome());
    assertTrue(exists("log/good"));
    assertFalse(exists("log/bad"));
  }

  @Test
  void severalAgentsHaveDirectoriesOfTheirOwn() throws IOException {
    archive.stream("/log/a", 1).segmentAt(0, Bytes.text("x"));
    archive.stream("web-2", PosixPath.of("/log/a"), 2, 0).segmentAt(0, Bytes.text("y"));
    trees.say(new Directory("/log").mode(0711).link("l", "a")).deliver(true, 1_000);
    restore();
    assertEquals(0711, mode("web-1/log"));
    assertTrue(exists("web-1/log/l"));
    assertFalse(exists("log"));
  }

  @Test
  void onlyWhatIsSelectedIsRestoredAndNothingWithFilesOnly() throws IOException {
    trees
        .say(new Directory("/log", "a").link("x.txt", "1").link("y.log", "2"))
        .say(new Directory("/log/a"))
        .deliver(true, 1_000);
    restore(archive, RestoreOptions.of(TestArchive.options()).withTree(false));
    assertFalse(exists("log"));
    ReadOptions reading = TestArchive.options();
    ArchiveIndex index =
        ArchiveIndex.load(
            archive.destination,
            Selection.everything().only(List.of("*.log")),
            reading,
            RestoreProgress.none());
    new Restorer(CALLS, archive.destination, RestoreOptions.of(reading), RestoreProgress.none())
        .restore(index, PosixPath.of(target()));
    assertEquals(List.of("log/y.log"), files());
    assertFalse(exists("log/a"));
  }

  @Test
  void aPreviewCountsAndChangesNothing() throws IOException {
    trees.say(new Directory("/log").link("l", "x")).deliver(true, 1_000);
    RestoreOptions options = RestoreOptions.of(TestArchive.options());
    RestoreReport report =
        new Restorer(CALLS, archive.destination, options, RestoreProgress.none())
            .preview(archive.index(options.reading()), PosixPath.of(target()));
    assertEquals(1, report.tree().links());
    assertEquals(1, report.tree().directories());
    assertFalse(Files.exists(target()));
  }
}
