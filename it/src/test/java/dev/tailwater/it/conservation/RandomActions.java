package dev.tailwater.it.conservation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What programs, administrators and bad luck do to files, picked by a seeded generator. */
final class RandomActions {
  private static final List<String> NAMES =
      List.of("log", "app.log", "a b.txt", "100%.log", ".hidden", "x~y", "log.2.gz", "data");
  private static final List<String> MODES = List.of("rw-r--r--", "rw-------", "rw-r-----");
  private static final int ROTATIONS = 3;
  private static final int REUSE_ATTEMPTS = 30;

  private final Random random;
  private final FileModel model;
  private final AgentActions agentActions;
  private final TreeModel tree;
  private final Directories directories;
  private final Path outside;
  private final List<String> journal;
  private int counter;

  /** So many files there are at the most, if what happens to one file is to be dense. */
  private int mostFiles = Integer.MAX_VALUE;

  RandomActions(
      Random random,
      FileModel model,
      AgentActions agentActions,
      TreeModel tree,
      Directories directories,
      Path outside,
      List<String> journal) {
    this.random = random;
    this.model = model;
    this.agentActions = agentActions;
    this.tree = tree;
    this.directories = directories;
    this.outside = outside;
    this.journal = journal;
  }

  /** From now on there are few files, and agents come and go more often. */
  void keepFewFiles(int most) {
    mostFiles = most;
  }

  private boolean hasRoomForFiles() {
    return model.names().size() < mostFiles;
  }

  interface Action {
    /** Returns what was done, for the journal; empty when it was not possible. */
    Optional<String> act() throws Exception;
  }

  /** Does one thing, and lets the agent see it or not. */
  void act() throws Exception {
    Optional<String> done = pick().act();
    while (done.isEmpty()) {
      done = hasRoomForFiles() ? create() : pick().act();
    }
    if (random.nextInt(3) == 0) {
      breathe();
    }
  }

  private Action pick() {
    List<Action> actions = new ArrayList<>(agentActions.possible());
    if (mostFiles < Integer.MAX_VALUE) {
      actions.addAll(agentActions.possible());
      actions.addAll(agentActions.possible());
    }
    actions.addAll(tree.possible());
    actions.addAll(changes());
    if (hasRoomForFiles()) {
      actions.addAll(creations());
    }
    return actions.get(random.nextInt(actions.size()));
  }

  private List<Action> changes() {
    return List.of(
        this::append,
        this::append,
        this::append,
        this::appendInPieces,
        this::appendSlowly,
        this::appendBehindHole,
        this::rename,
        this::rename,
        this::renameOver,
        this::renameDirectory,
        this::renameDirectory,
        this::truncate,
        this::rewrite,
        this::rewriteAgainAndAgain,
        this::overwrite,
        this::overwrite,
        this::overwrite,
        this::overwriteMapped,
        this::allocate,
        this::regrow,
        this::changeMode,
        this::setTime,
        this::delete,
        this::recreateUntilInodeIsReused,
        this::link,
        this::moveOut);
  }

  /** What makes more files, or names. */
  private List<Action> creations() {
    return List.of(
        this::create,
        this::create,
        this::rotate,
        this::rotate,
        this::copyAndTruncate,
        this::createAndDelete,
        this::createAndDelete,
        this::takeLinkedName,
        this::moveIn);
  }

  private void note(String what) {
    journal.add(what);
  }

  private static Optional<String> done(String what) {
    return Optional.of(what);
  }

  private Optional<Path> anyFile() {
    List<Path> names = model.names();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(names.get(random.nextInt(names.size())));
  }

  private Path directory() {
    return directories.any();
  }

  private Path freeName() {
    for (int i = 0; i < 5; i++) {
      Path name = directory().resolve(NAMES.get(random.nextInt(NAMES.size())));
      if (!model.exists(name)) {
        return name;
      }
    }
    return directory().resolve("file-" + counter++);
  }

  /** Bytes as programs write them: lines, lines without an end, any bytes; often few. */
  private byte[] content() {
    int length =
        switch (random.nextInt(8)) {
          case 0 -> 1 + random.nextInt(3);
          case 1, 2, 3 -> 20 + random.nextInt(300);
          case 4, 5 -> 1000 + random.nextInt(9000);
          case 6 -> 30_000 + random.nextInt(90_000);
          default -> random.nextInt(12) == 0 ? 1_500_000 : 4096 * (1 + random.nextInt(8));
        };
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    if (random.nextInt(3) > 0) {
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (i % 80 == 79 ? '\n' : ' ' + (bytes[i] & 63));
      }
    }
    return bytes;
  }

  private Optional<String> create() throws IOException {
    Path name = freeName();
    byte[] content = random.nextInt(4) == 0 ? new byte[0] : content();
    note("create " + name + " with " + content.length + " bytes");
    model.create(name, MODES.get(random.nextInt(MODES.size())), content);
    return done("create");
  }

  private Optional<String> append() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      byte[] content = content();
      note("append " + content.length + " bytes to " + name.get());
      model.append(name.get(), content);
    }
    return name.map(_ -> "append");
  }

  private Optional<String> appendInPieces() throws IOException, InterruptedException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      int pieces = 2 + random.nextInt(20);
      note("append " + pieces + " pieces to " + name.get());
      for (int i = 0; i < pieces; i++) {
        byte[] piece = new byte[1 + random.nextInt(200)];
        random.nextBytes(piece);
        model.append(name.get(), piece);
        if (random.nextInt(4) == 0) {
          Thread.sleep(random.nextInt(8));
        }
      }
    }
    return name.map(_ -> "append");
  }

  /** So slowly that each piece is in a pack of its own, where there are packs. */
  private Optional<String> appendSlowly() throws IOException, InterruptedException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      int pieces = 3 + random.nextInt(5);
      note("append " + pieces + " pieces slowly to " + name.get());
      for (int i = 0; i < pieces; i++) {
        byte[] piece = new byte[500 + random.nextInt(1000)];
        random.nextBytes(piece);
        model.append(name.get(), piece);
        Thread.sleep(60);
      }
      Thread.sleep(150); // Then there is time to gather them.
    }
    return name.map(_ -> "append slowly");
  }

  private Optional<String> appendBehindHole() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      int hole = 1 + random.nextInt(20_000);
      note("append behind a hole of " + hole + " bytes to " + name.get());
      model.appendBehindHole(name.get(), hole, content());
    }
    return name.map(_ -> "hole");
  }

  private Optional<String> rename() throws IOException {
    Optional<Path> from = anyFile();
    if (from.isPresent()) {
      Path to = freeName();
      note("rename " + from.get() + " to " + to);
      model.rename(from.get(), to);
    }
    return from.map(_ -> "rename");
  }

  private Optional<String> renameOver() throws IOException {
    Optional<Path> from = anyFile();
    Optional<Path> to = anyFile();
    if (from.isPresent() && to.isPresent() && !from.get().equals(to.get())) {
      note("rename " + from.get() + " over " + to.get());
      model.rename(from.get(), to.get());
      return done("rename over");
    }
    return Optional.empty();
  }

  private Optional<String> renameDirectory() throws IOException {
    Optional<Directories.Renaming> renaming = directories.anyRenaming();
    if (renaming.isPresent()) {
      note("rename the directory " + renaming.get().from() + " to " + renaming.get().to());
      model.renameDirectory(renaming.get());
      directories.renamed(renaming.get());
      tree.renamed(renaming.get());
    }
    return renaming.map(_ -> "rename a directory");
  }

  private Optional<String> rotate() throws IOException {
    Path base = directory().resolve("log");
    note("rotate " + base);
    for (int i = ROTATIONS; i >= 1; i--) {
      Path from = i == 1 ? base : base.resolveSibling("log." + (i - 1));
      if (model.names().contains(from)) {
        model.rename(from, base.resolveSibling("log." + i));
      }
    }
    model.create(base, MODES.getFirst(), content());
    return done("rotate");
  }

  private Optional<String> copyAndTruncate() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Path copy = freeName();
    note("copy " + name.get() + " to " + copy + " and truncate it");
    model.create(copy, MODES.getFirst(), model.at(name.get()).current().bytes());
    if (model.at(name.get()).current().sizeBytes() > 0) {
      model.truncate(name.get(), 0);
    }
    if (random.nextBoolean()) {
      model.append(name.get(), content());
    }
    return done("copytruncate");
  }

  private Optional<String> truncate() throws IOException {
    Optional<Path> name =
        anyFile().filter(candidate -> model.at(candidate).current().sizeBytes() > 0);
    if (name.isPresent()) {
      int to =
          random.nextBoolean() ? 0 : random.nextInt(model.at(name.get()).current().sizeBytes());
      note("truncate " + name.get() + " to " + to + " bytes");
      model.truncate(name.get(), to);
    }
    return name.map(_ -> "truncate");
  }

  /** Half of the time with as many bytes as there were, so that the size tells nothing. */
  private Optional<String> rewrite() throws IOException {
    Optional<Path> name =
        anyFile().filter(candidate -> model.at(candidate).current().sizeBytes() > 0);
    if (name.isPresent()) {
      byte[] content =
          random.nextBoolean() ? content() : new byte[model.at(name.get()).current().sizeBytes()];
      random.nextBytes(content);
      note("rewrite " + name.get() + " with " + content.length + " bytes");
      model.rewrite(name.get(), content);
    }
    return name.map(_ -> "rewrite");
  }

  /** A place in a file that has some bytes; often near its end, where the agent's marker is. */
  private Optional<Place> anyPlace() {
    return anyFile()
        .filter(name -> model.at(name).current().sizeBytes() > 0)
        .map(
            name -> {
              int size = model.at(name).current().sizeBytes();
              int offset =
                  random.nextInt(4) == 0
                      ? Math.max(0, size - 1 - random.nextInt(400))
                      : random.nextInt(size);
              int most = random.nextBoolean() ? 200 : 200_000;
              return new Place(name, offset, 1 + random.nextInt(Math.min(most, size - offset)));
            });
  }

  private record Place(Path name, int offset, int length) {
    byte[] bytes(Random random) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      return bytes;
    }

    @Override
    public String toString() {
      return length + " bytes at " + offset + " of " + name;
    }
  }

  private Optional<String> overwrite() throws IOException {
    Optional<Place> place = anyPlace();
    if (place.isPresent()) {
      note("overwrite " + place.get());
      model.overwrite(place.get().name, place.get().offset, place.get().bytes(random));
    }
    return place.map(_ -> "overwrite");
  }

  /** On tmpfs the kernel sets no time when a page is changed through a mapping once more. */
  private Optional<String> overwriteMapped() throws IOException {
    Optional<Place> place = anyPlace();
    if (place.isPresent() && !Files.getFileStore(place.get().name).type().equals("tmpfs")) {
      note("overwrite through a mapping " + place.get());
      model.overwriteMapped(place.get().name, place.get().offset, place.get().bytes(random));
      return done("map");
    }
    return Optional.empty();
  }

  private Optional<String> allocate() throws IOException, InterruptedException {
    Optional<Place> found = anyPlace();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Place place = found.get();
    boolean zeroes = !Files.getFileStore(place.name).type().equals("tmpfs");
    switch (random.nextInt(zeroes ? 3 : 2)) {
      case 0 -> {
        int length = place.length + random.nextInt(40_000);
        note("preallocate " + length + " bytes from " + place.offset + " of " + place.name);
        model.allocate(place.name, "", place.offset, length);
      }
      case 1 -> {
        note("punch a hole of " + place);
        model.allocate(place.name, "--punch-hole", place.offset, place.length);
      }
      default -> {
        note("zero " + place);
        model.allocate(place.name, "--zero-range", place.offset, place.length);
      }
    }
    return done("fallocate");
  }

  /** So that neither the size nor the bytes before the agent's position tell anything. */
  private Optional<String> regrow() throws IOException {
    Optional<Place> found = anyPlace();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Place place = found.get();
    byte[] before = model.at(place.name).current().bytes();
    byte[] more = Arrays.copyOfRange(before, place.offset, before.length);
    byte[] other = place.bytes(random);
    System.arraycopy(other, 0, more, 0, Math.max(0, Math.min(other.length, more.length - 256)));
    if (random.nextBoolean()) {
      byte[] added = content();
      int length = more.length;
      more = Arrays.copyOf(more, length + added.length);
      System.arraycopy(added, 0, more, length, added.length);
    }
    note("truncate to " + place.offset + " and write " + more.length + " bytes to " + place.name);
    model.regrow(place.name, place.offset, more);
    return done("regrow");
  }

  private Optional<String> changeMode() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      String mode = MODES.get(random.nextInt(MODES.size()));
      note("change the mode of " + name.get() + " to " + mode);
      Files.setPosixFilePermissions(name.get(), PosixFilePermissions.fromString(mode));
    }
    return name.map(_ -> "chmod");
  }

  /** As an unpacking program or a copying one does, sometimes to the time that the file has. */
  private Optional<String> setTime() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      FileTime before = Files.getLastModifiedTime(name.get());
      long secondsBack = random.nextInt(3) * (long) random.nextInt(1_000_000);
      FileTime time = FileTime.from(before.toInstant().minusSeconds(secondsBack));
      note("set the time of " + name.get() + " back by " + secondsBack + " s");
      Files.setLastModifiedTime(name.get(), time);
      model.timeSet(name.get());
    }
    return name.map(_ -> "touch");
  }

  private Optional<String> delete() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      note("delete " + name.get());
      model.delete(name.get());
    }
    return name.map(_ -> "delete");
  }

  private Optional<String> recreateUntilInodeIsReused() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Object inode = Files.getAttribute(name.get(), "unix:ino");
    int attempts = 0;
    boolean reused = false;
    while (!reused && attempts++ < REUSE_ATTEMPTS) {
      model.delete(name.get());
      model.create(name.get(), MODES.getFirst(), new byte[0]);
      reused = Files.getAttribute(name.get(), "unix:ino").equals(inode);
    }
    note("recreate " + name.get() + " " + attempts + " times, inode reused: " + reused);
    model.append(name.get(), content());
    return done("recreate");
  }

  private Optional<String> link() throws IOException {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      Path another = freeName();
      note("link " + name.get() + " as " + another);
      model.link(name.get(), another);
    }
    return name.map(_ -> "link");
  }

  /** Another file takes one of three names of a file, and nobody tells of the other two again. */
  private Optional<String> takeLinkedName() throws Exception {
    Optional<Path> name = anyFile();
    if (name.isPresent()) {
      List<Path> names = new ArrayList<>(name.stream().toList());
      while (names.size() < 3) {
        Path another = freeName();
        note("link " + name.get() + " as " + another);
        model.link(name.get(), another);
        names.add(another);
      }
      agentActions.tellTree();
      Path taken = names.get(random.nextInt(names.size()));
      Path other = freeName();
      note("create " + other + " and rename it over " + taken);
      model.create(other, MODES.getFirst(), content());
      model.rename(other, taken);
      agentActions.killOnceDelivered(taken);
    }
    return name.map(_ -> "take a linked name");
  }

  private Optional<String> moveOut() throws IOException {
    Optional<Path> name = anyFile().filter(candidate -> model.at(candidate).names().size() == 1);
    if (name.isPresent()) {
      Path to = outside.resolve("out-" + counter++);
      note("move " + name.get() + " out to " + to);
      model.moveOut(name.get(), to);
    }
    return name.map(_ -> "move out");
  }

  private Optional<String> moveIn() throws IOException {
    if (model.outsideNames().isEmpty() || random.nextBoolean()) {
      Path fresh = outside.resolve("fresh-" + counter++);
      model.createOutside(fresh, content());
    }
    List<Path> candidates = model.outsideNames();
    Path from = candidates.get(random.nextInt(candidates.size()));
    Path to = freeName();
    note("move " + from + " in to " + to);
    model.moveIn(from, to);
    return done("move in");
  }

  /** Files that live for milliseconds, one after the other. */
  private Optional<String> createAndDelete() throws IOException, InterruptedException {
    int count = 1 + random.nextInt(8);
    note("create and delete " + count + " files at once");
    for (int i = 0; i < count; i++) {
      byte[] content = new byte[1 + random.nextInt(2000)];
      random.nextBytes(content);
      Path name = directory().resolve("short-" + counter++);
      model.createAndDelete(name, content, random.nextInt(4) * random.nextInt(6));
    }
    return done("create and delete");
  }

  /** As copytruncate does with a program that goes on writing. */
  private Optional<String> rewriteAgainAndAgain() throws IOException, InterruptedException {
    Optional<Path> name =
        anyFile().filter(candidate -> model.at(candidate).current().sizeBytes() > 0);
    if (name.isPresent()) {
      int times = 2 + random.nextInt(6);
      note("rewrite " + name.get() + " " + times + " times");
      for (int i = 0; i < times; i++) {
        model.truncate(name.get(), 0);
        byte[] content = new byte[1 + random.nextInt(3000)];
        random.nextBytes(content);
        model.append(name.get(), content);
        Thread.sleep(random.nextInt(60));
      }
    }
    return name.map(_ -> "rewrite");
  }

  private void breathe() throws InterruptedException {
    int millis = random.nextInt(60);
    note("pause " + millis + " ms");
    Thread.sleep(millis);
  }
}
