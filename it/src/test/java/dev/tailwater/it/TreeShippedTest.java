package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.TestAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole tree comes back: find(1), tar(1) and rsync(1) see no difference. */
class TreeShippedTest {
  private static final Path READER = Path.of("src/test/python/read_archive.py");
  private static final int UNKNOWN_ID = 54_321;

  @TempDir private Path directory;

  private static final FileCalls CALLS = LinuxFileCalls.create();

  private static final byte[] ACL = TestAttributes.acl(6, 4);

  /** Gives some files and directories extended attributes and ACLs. */
  private static void giveAttributes(Path made, Random random) throws IOException {
    if (random.nextInt(3) == 0) {
      byte[] value = new byte[random.nextInt(30)];
      random.nextBytes(value);
      TestAttributes.set(CALLS, made, "user.n" + random.nextInt(5), value);
    }
    if (random.nextInt(4) == 0) {
      TestAttributes.set(CALLS, made, "system.posix_acl_access", ACL);
      if (Files.isDirectory(made)) {
        TestAttributes.set(CALLS, made, "system.posix_acl_default", ACL);
      }
    }
  }

  /** Makes a tree with everything that is told, and some files. */
  private static void grow(Path root, Random random) throws IOException {
    boolean isRoot = (int) Files.getAttribute(root, "unix:uid") == 0;
    List<Path> directories = new ArrayList<>(List.of(root));
    for (int i = 0; i < 60; i++) {
      Path parent = directories.get(random.nextInt(directories.size()));
      Path made = parent.resolve("n" + i + (random.nextInt(8) == 0 ? " ü\n" : ""));
      switch (random.nextInt(4)) {
        case 0, 1 -> directories.add(Files.createDirectory(made));
        case 2 -> {
          String text = "line of " + i + "\n";
          Files.writeString(made, text.repeat(random.nextInt(50)));
          if (random.nextInt(3) == 0) {
            Path other = directories.get(random.nextInt(directories.size()));
            Files.createLink(other.resolve("hard" + i), made);
          }
        }
        default -> {
          List<String> targets = List.of("n1", "../n2", "/etc/passwd", "nowhere/at all", "..");
          Files.createSymbolicLink(made, Path.of(targets.get(random.nextInt(targets.size()))));
        }
      }
      if (isRoot && random.nextInt(3) == 0) {
        Files.setAttribute(made, "unix:uid", UNKNOWN_ID, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(made, "unix:gid", 1, LinkOption.NOFOLLOW_LINKS);
      }
      if (!Files.isSymbolicLink(made)) {
        int special = random.nextInt(5) == 0 ? 06000 : 0;
        giveAttributes(made, random);
        Files.setAttribute(made, "unix:mode", 0600 | special | random.nextInt(0200));
      }
    }
    for (Path made : directories.reversed()) {
      int mode = 0700 | (random.nextBoolean() ? 01055 : random.nextInt(0100));
      Files.setAttribute(made, "unix:mode", mode);
      Files.setLastModifiedTime(made, FileTime.fromMillis(1_600_000_000_000L + random.nextInt()));
    }
  }

  private static Packaged.Run run(Site site, String... command) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin", command[0])), command[0] + " is not installed");
    Packaged.Run run = Packaged.run(site.base(), Map.of("LC_ALL", "C"), List.of(command));
    assertEquals(0, run.exitCode(), run.err());
    return run;
  }

  /** Says of everything below a directory what a restored tree needs; hard links by their count. */
  private static String found(Site site, Path root, String format) throws Exception {
    Packaged.Run run = run(site, "find", root.toString(), "-printf", format + "\\0");
    List<String> lines = new ArrayList<>(List.of(run.out().split("\0", -1)));
    Collections.sort(lines);
    return String.join("\n", lines);
  }

  @Test
  void everyToolSeesTheSameTree() throws Exception {
    try (Site site = new Site(directory)) {
      long seed = Long.getLong("tailwater.seed", System.nanoTime());
      grow(site.logs(), new Random(seed));
      Path attributed = Files.writeString(site.log("attributed"), "x");
      TestAttributes.set(CALLS, attributed, "user.origin", new byte[] {1, 2, 3});
      Packaged.Run ship =
          site.shipOnce("--extended-attributes", "on", "--foreign-hard-links", "ship");
      assertEquals(0, ship.exitCode(), ship.err());
      Packaged.Run restore =
          site.tailwater("restore", "archive", "restored", "--owner", "--extended-attributes");
      assertEquals(0, restore.exitCode(), restore.err() + " seed " + seed);
      Path restored = site.restored(site.logs());

      String format = "%P %y %#m %U %G %T@ %n %l %s";
      String directories = "%P %y %#m %U %G %T@ %l"; // Their sizes belong to the file system.
      assertEquals(found(site, site.logs(), "%y").length(), found(site, restored, "%y").length());
      for (String type : List.of("f", "l")) {
        assertEquals(
            only(found(site, site.logs(), format), " " + type + " "),
            only(found(site, restored, format), " " + type + " "),
            "seed " + seed);
      }
      assertEquals(
          only(found(site, site.logs(), directories), " d "),
          only(found(site, restored, directories), " d "),
          "seed " + seed);
      Packaged.Run rsync =
          run(
              site,
              "rsync",
              "-aHAXn",
              "--checksum",
              "--delete",
              "--itemize-changes",
              site.logs() + "/",
              restored + "/");
      assertEquals("", rsync.out(), "seed " + seed);
      readWithPython(site);
      verifyAgainst(site, restored);
    }
  }

  /** The program compares the same, and names what is different. */
  private static void verifyAgainst(Site site, Path restored) throws Exception {
    Packaged.Run same =
        site.tailwater(
            "verify",
            "archive",
            "--against",
            "restored",
            "--numeric-owner",
            "--extended-attributes");
    assertEquals(0, same.exitCode(), same.err());
    assertTrue(same.err().contains(" directories and links are the same"), same.err());
    int otherMode = ((int) Files.getAttribute(restored, "unix:mode") & 0777) ^ 01;
    Files.setAttribute(restored, "unix:mode", otherMode);
    Packaged.Run different = site.tailwater("verify", "archive", "--against", "restored");
    assertEquals(3, different.exitCode(), different.err());
    String mode = Integer.toOctalString(otherMode);
    String named = site.logs() + ": different, its mode is 0" + mode + ", in the archive ";
    assertTrue(different.err().contains(named), different.err());
    Packaged.Run ls = site.tailwater("ls", "archive", "--directories");
    assertEquals(0, ls.exitCode(), ls.err());
    assertTrue(ls.out().contains("user.origin"), ls.out());
    assertTrue(ls.out().contains("directory") && ls.out().contains(site.logs().toString()));
  }

  private static String only(String lines, String containing) {
    return String.join("\n", lines.lines().filter(line -> line.contains(containing)).toList());
  }

  private static void readWithPython(Site site) throws Exception {
    for (String program : List.of("zstd", "python3")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed");
    }
    run(
        site,
        "python3",
        READER.toAbsolutePath().toString(),
        site.archive().toString(),
        "read-by-python");
    Path read = site.base().resolve("read-by-python/." + site.logs().toAbsolutePath()).normalize();
    String format = "%P %y %n %l";
    assertEquals(found(site, site.logs(), format), found(site, read, format));
    byte[] origin = (byte[]) Files.getAttribute(read.resolve("attributed"), "user:origin");
    assertArrayEquals(new byte[] {1, 2, 3}, origin);
  }

  /**
   * Files with three names each lose one of them to another file, and the machine dies before the
   * agent tells of hard links again. Each name is lost by some: under which one a file is archived
   * is not known here.
   */
  @Test
  void hardLinksHaveTheirBytesWhenAnotherFileTookTheFirstNameBeforeADeath() throws Exception {
    List<String> names = List.of("a", "b", "c");
    try (Site site = new Site(directory)) {
      for (String lost : names) {
        Path first = Files.writeString(site.log("a without " + lost), "has lost " + lost);
        Files.createLink(site.log("b without " + lost), first);
        Files.createLink(site.log("c without " + lost), first);
      }
      Process agent = site.agent("--directories", "on");
      Site.await(
          "hard links are told",
          () ->
              Site.files(site.archive()).stream()
                  .anyMatch(object -> object.toString().contains("~tree")));
      for (String lost : names) {
        Path name = site.log(lost + " without " + lost);
        Path other = Files.writeString(site.base().resolve("other"), "of another file, " + lost);
        Files.move(other, name, StandardCopyOption.ATOMIC_MOVE);
        site.awaitDelivered(name);
      }
      site.kill(agent);
      site.restoreAndCompare();
    }
  }

  @Test
  void withoutBeingAskedLinksAndModesOfDirectoriesAreLeftOut() throws Exception {
    try (Site site = new Site(directory)) {
      Files.writeString(site.log("a"), "x");
      Files.createSymbolicLink(site.log("link"), Path.of("a"));
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(0, site.tailwater("restore", "archive", "restored").exitCode());
      Path restored = site.restored(site.logs());
      assertTrue(Files.exists(restored.resolve("a")));
      assertFalse(Files.isSymbolicLink(restored.resolve("link")));
    }
  }
}
