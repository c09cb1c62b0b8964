package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What administrators do to directories and symbolic links, picked by a seeded generator. The law:
 * a restore after a drain gives back every directory with its mode and owner, and every link with
 * its target, both with their times, and no others.
 */
final class TreeModel {
  private static final List<String> TARGETS =
      List.of("log", "../a", "/etc/hostname", "nowhere/at all", "..");
  private static final int[] MODES = {0700, 0755, 0711, 01777, 02750};
  private static final int MOST_EXTRA = 12;
  private static final long OTHER_ID = 54_321;

  private final Random random;
  private final Directories directories;
  private final List<String> journal;
  private final List<Path> links = new ArrayList<>();
  private final List<Path> empty = new ArrayList<>();
  private int counter;

  TreeModel(Random random, Directories directories, List<String> journal) {
    this.random = random;
    this.directories = directories;
    this.journal = journal;
  }

  /** What can be done. */
  List<RandomActions.Action> possible() {
    return List.of(this::changeDirectory, this::changeDirectory, this::changeLinks);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private Optional<String> done(String what) {
    journal.add(what);
    return Optional.of(what);
  }

  private Optional<String> changeDirectory() throws IOException {
    int kind = random.nextInt(4);
    if (kind == 0 && empty.size() < MOST_EXTRA) {
      Path made = directories.any().resolve("dir-" + counter++);
      Files.createDirectory(made);
      empty.add(made);
      return done("make the directory " + made);
    }
    if (kind == 1 && !empty.isEmpty()) {
      Path gone = empty.remove(random.nextInt(empty.size()));
      Files.delete(gone);
      return done("remove the directory " + gone);
    }
    Path changed = random.nextBoolean() || empty.isEmpty() ? directories.any() : any(empty);
    int mode = MODES[random.nextInt(MODES.length)];
    if (random.nextInt(3) == 0) {
      Files.setAttribute(changed, "unix:gid", (int) OTHER_ID);
    }
    Files.setAttribute(changed, "unix:mode", mode);
    return done("change the mode of " + changed + " to 0" + Integer.toOctalString(mode));
  }

  private Optional<String> changeLinks() throws IOException {
    if (links.size() > MOST_EXTRA || (!links.isEmpty() && random.nextInt(3) == 0)) {
      Path gone = links.remove(random.nextInt(links.size()));
      Files.delete(gone);
      return done("remove the link " + gone);
    }
    Path link = directories.any().resolve("link-" + counter++);
    Files.createSymbolicLink(link, Path.of(any(TARGETS)));
    links.add(link);
    return done("link " + link);
  }

  /** What was made below the directory is there under its other name. */
  void renamed(Directories.Renaming renaming) {
    links.replaceAll(renaming::applied);
    empty.replaceAll(renaming::applied);
  }

  /**
   * The restored tree has the directories and links that are there, and those that a file was in
   * when it lost its last name.
   */
  void check(Path restored) throws IOException {
    for (Path root : directories.roots()) {
      Path copy = restored.resolve(root.toString().substring(1));
      Map<String, String> now = described(root);
      Map<String, String> found = described(copy);
      for (String name : List.copyOf(found.keySet())) {
        if (!now.containsKey(name) && hasFiles(copy.resolve(name))) {
          found.remove(name);
        }
      }
      assertEquals(now, found, "directories and links of " + root);
    }
  }

  private static boolean hasFiles(Path path) throws IOException {
    try (Stream<Path> walk = Files.walk(path)) {
      return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && walk.anyMatch(below -> Files.isRegularFile(below, LinkOption.NOFOLLOW_LINKS));
    }
  }

  private static Map<String, String> described(Path root) throws IOException {
    Map<String, String> described = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path path : walk.toList()) {
        String name = root.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
          described.put(name, "leads to " + Files.readSymbolicLink(path) + time(path));
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          int mode = (int) Files.getAttribute(path, "unix:mode") & 07777;
          Map<String, Object> ids = Files.readAttributes(path, "unix:uid,gid");
          described.put(
              name, "0" + Integer.toOctalString(mode) + " " + new TreeMap<>(ids) + time(path));
        }
      }
    }
    return described;
  }

  private static String time(Path path) throws IOException {
    return " " + Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
  }
}
