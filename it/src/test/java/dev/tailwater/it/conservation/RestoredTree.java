package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.ArchiveContents;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.RestoredStream;
import dev.tailwater.restore.place.Restorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Restores an archive, and compares the files with those that it was made from. */
final class RestoredTree {
  private final Path target;
  private final RestoreReport report;

  /** The streams whose modes may be told by an object that anybody can write, and add nothing. */
  private final Set<String> toldInPlain;

  private RestoredTree(Path target, RestoreReport report, Set<String> toldInPlain) {
    this.target = target;
    this.report = report;
    this.toldInPlain = toldInPlain;
  }

  static RestoredTree restore(Destination archive, Path target, ReadOptions reading)
      throws IOException {
    return restore(archive, target, reading, true);
  }

  /** Restores each stream once, without directories, links and further names. */
  static RestoredTree restoreFiles(Destination archive, Path target, ReadOptions reading)
      throws IOException {
    return restore(archive, target, reading, false);
  }

  private static RestoredTree restore(
      Destination archive, Path target, ReadOptions reading, boolean tree) throws IOException {
    ArchiveIndex index =
        ArchiveIndex.load(archive, Selection.everything(), reading, RestoreProgress.none());
    RestoreReport report =
        new Restorer(
                TestAgent.REAL_CALLS,
                archive,
                RestoreOptions.of(reading)
                    .withSync(false)
                    .withOwners(OwnerChoice.BY_ID)
                    .withTree(tree),
                RestoreProgress.none())
            .restore(index, PosixPath.of(target));
    return new RestoredTree(
        target, report, reading.identities().isEmpty() ? Set.of() : withRecord(archive));
  }

  private static Set<String> withRecord(Destination archive) throws IOException {
    return archive.list("", Optional.empty(), Integer.MAX_VALUE).entries().stream()
        .flatMap(entry -> ArchiveNames.parse(entry.key()).stream())
        .filter(ArchiveObject.Stream.class::isInstance)
        .map(object -> ((ArchiveObject.Stream) object).stream().text())
        .collect(Collectors.toSet());
  }

  RestoreReport report() {
    return report;
  }

  /**
   * Every stream is a file with its bytes, under its own name and, while it is live, under all that
   * it has; and there is no other file. Later bytes may have arrived where earlier ones did not:
   * then there is a hole.
   *
   * @param endsMayBeUntold whether an agent may have forgotten a file before it could tell its end;
   *     else no path is contested, and no such file is in the way of another name
   */
  void checkAgainst(ArchiveContents archive, FileModel model, boolean endsMayBeUntold)
      throws IOException {
    Map<String, byte[]> streams = new HashMap<>();
    boolean gaps = false;
    for (ArchiveContents.StreamContents stream : archive.streams()) {
      streams.put(stream.id().text(), stream.held());
      gaps |= !stream.gaps().isEmpty() || stream.covered().contiguousEnd(0) < stream.held().length;
    }
    if (!endsMayBeUntold) {
      assertEquals(List.of(), report.contested());
      assertEquals(Optional.empty(), report.tree().firstFailure());
    }
    checkOwners(archive, endsMayBeUntold);
    assertEquals(List.of(), report.tree().damages());
    assertEquals(0, report.tree().outdated());
    boolean partial = gaps || !report.contested().isEmpty() || report.tree().failed() > 0;
    assertEquals(partial ? Outcome.PARTIAL : Outcome.DONE, report.outcome(), report.toString());
    assertEquals(streams.size(), report.streams().size(), "streams restored");
    Set<String> targets = new TreeSet<>();
    for (RestoredStream restored : report.streams()) {
      String name = restored.target().orElseThrow().toString();
      targets.add(name);
      assertArrayEquals(
          streams.get(restored.stream().text()), Files.readAllBytes(target.resolve(name)), name);
    }
    model.files().stream()
        .filter(ModelFile::isLive)
        .flatMap(file -> file.names().stream())
        .forEach(name -> targets.add(name.toString().substring(1)));
    assertEquals(targets, files(), "files in the restored tree");
  }

  /** Of a stream that was lost as a whole, an agent may have told that and died. */
  private void checkOwners(ArchiveContents archive, boolean recordsMayBeUntold) {
    long untold =
        archive.streams().stream()
            .filter(stream -> stream.record().isEmpty() && stream.held().length == 0)
            .count();
    Optional<UnsetOwners> expected =
        recordsMayBeUntold && untold > 0
            ? Optional.of(new UnsetOwners(0, untold, Optional.empty()))
            : Optional.empty();
    assertEquals(expected, report.unsetOwners());
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> walk = Files.walk(target)) {
      return walk.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
          .map(path -> target.relativize(path).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /**
   * A restored file has no name but its own that it never had: no hard link leads to another file,
   * whenever an agent was killed.
   */
  void checkNames(FileModel model) throws IOException {
    Map<Object, Set<String>> names = new HashMap<>();
    for (String name : files()) {
      names.computeIfAbsent(inode(name), _ -> new TreeSet<>()).add(name);
    }
    Map<StreamId, ModelFile> files = new HashMap<>();
    model.files().forEach(file -> files.put(file.firstStream(), file));
    for (RestoredStream restored : report.streams()) {
      String name = restored.target().orElseThrow().toString();
      ModelFile file = files.get(restored.stream().withEpoch(0));
      if (file == null || !Files.exists(target.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      for (String other : names.getOrDefault(inode(name), Set.of())) {
        assertTrue(
            other.equals(name) || file.everNames().contains(Path.of("/" + other)),
            () -> other + " was never a name of " + file + ", which was restored as " + name);
      }
    }
  }

  private Object inode(String name) throws IOException {
    return Files.getAttribute(target.resolve(name), "unix:ino", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Every live file is there under its names, with its bytes, mode and time.
   *
   * @param endsMayBeUntold whether an agent may have forgotten a file before it could tell its end:
   *     an object that anybody can write displaces none
   */
  void checkAgainst(FileModel model, boolean endsMayBeUntold) throws IOException {
    for (ModelFile file : model.files()) {
      if (!file.isLive() || (endsMayBeUntold && isEmptyBesideItsName(file))) {
        continue;
      }
      Path name = restoredName(file);
      Path restored = target.resolve(name.toString().substring(1));
      for (Path other : file.names()) {
        assertTrue(
            report.tree().failed() > 0
                || Files.isSameFile(restored, target.resolve(other.toString().substring(1))),
            () -> other + " is not the same file as " + name);
      }
      assertArrayEquals(Files.readAllBytes(name), file.current().bytes(), "model of " + name);
      if (file.mayBeOutdated()) {
        continue; // It is as the archive says, which was compared.
      }
      assertArrayEquals(file.current().bytes(), Files.readAllBytes(restored), "bytes of " + name);
      for (String attribute : List.of("posix:permissions", "lastModifiedTime")) {
        Object told = Files.getAttribute(restored, attribute);
        if (file.mayHaveFormerTime() && told instanceof FileTime) {
          continue;
        }
        if (!isAsToldInPlain(restored, told, Files.getAttribute(name, attribute))) {
          assertEquals(Files.getAttribute(name, attribute), told, attribute + " of " + name);
        }
      }
    }
  }

  /**
   * What a live file held before is not at a name of it, also where the archive does not tell which
   * further names it has. That it holds nothing any more may be told by an object that anybody can
   * write, which displaces nothing.
   */
  void checkNoFormerVersionIsThere(FileModel model) throws IOException {
    Map<Path, RestoredStream> byName = new HashMap<>();
    report
        .streams()
        .forEach(stream -> byName.put(Path.of("/" + stream.target().orElseThrow()), stream));
    for (ModelFile file : model.files()) {
      for (Path name : file.names()) {
        RestoredStream there = byName.get(name);
        boolean isOfFile = there != null && there.stream().withEpoch(0).equals(file.firstStream());
        boolean isToldSurely = toldInPlain.isEmpty() || file.current().sizeBytes() > 0;
        if (isOfFile && isToldSurely && !file.mayBeOutdated()) {
          byte[] restored = Files.readAllBytes(target.resolve(name.toString().substring(1)));
          assertArrayEquals(
              file.current().bytes(), restored, () -> there + " is at " + name + " of " + file);
        }
      }
    }
  }

  /** Whether a mode lacks what was added to it, and that may be told by a plain object alone. */
  private boolean isAsToldInPlain(Path restored, Object told, Object expected) {
    return told instanceof Set<?> less
        && expected instanceof Set<?> all
        && all.containsAll(less)
        && report.streams().stream()
            .filter(stream -> toldInPlain.contains(stream.stream().text()))
            .anyMatch(
                stream ->
                    target.resolve(stream.target().orElseThrow().toString()).equals(restored));
  }

  private boolean isEmptyBesideItsName(ModelFile file) {
    RestoredStream last = lastStream(file);
    return last.bytes() == 0
        && file.current().sizeBytes() == 0
        && toldInPlain.contains(last.stream().text())
        && !file.names().contains(restoredName(last));
  }

  /** Where the file's last stream was restored: under one of its names as it is. */
  private Path restoredName(ModelFile file) {
    RestoredStream last = lastStream(file);
    Path name = restoredName(last);
    assertTrue(file.names().contains(name), () -> file + " was restored as " + name + ": " + last);
    return name;
  }

  private static Path restoredName(RestoredStream stream) {
    return Path.of("/" + stream.target().orElseThrow());
  }

  private RestoredStream lastStream(ModelFile file) {
    return report.streams().stream()
        .filter(s -> s.stream().withEpoch(0).equals(file.firstStream()))
        .max(Comparator.comparing(RestoredStream::stream))
        .orElseThrow();
  }
}
