package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package works wherever it is unpacked, on whatever java the machine calls its default. */
class PackageTest {
  @TempDir private Path directory;

  @Test
  void findsItsJdkThoughTheDefaultJavaIsOld() throws Exception {
    Path oldJava = directory.resolve("bin/java");
    Files.createDirectories(oldJava.getParent());
    Files.writeString(oldJava, "#!/bin/sh\necho 'this is java 17' >&2\nexit 1\n");
    Files.setPosixFilePermissions(oldJava, PosixFilePermissions.fromString("rwxr-xr-x"));
    assumeTrue(
        Packaged.run(directory, bare(oldJava), List.of("sh", "-c", script())).exitCode() == 0,
        "no JDK 25 or newer lies below /usr/lib/jvm or another usual place");
    Packaged.Run run =
        Packaged.run(directory, bare(oldJava), List.of(Packaged.launcher(), "--version"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("tailwater "), run.out());
  }

  @Test
  void worksWhereItIsUnpackedAndThroughALink() throws Exception {
    Packaged.Run tar =
        Packaged.run(
            directory,
            Map.of(),
            List.of("tar", "xzf", Packaged.built("tailwater.package").toString()));
    assertEquals(0, tar.exitCode(), tar.err());
    String name = Packaged.built("tailwater.distribution").getFileName().toString();
    Path home = directory.resolve(name);
    assertTrue(Files.size(home.resolve("lib/tailwater.aot")) > 0, "a start-up cache is packed");
    Files.createSymbolicLink(directory.resolve("tw"), home.resolve("bin/tailwater"));
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of("TAILWATER_JAVA_OPTS", "-Xlog:aot=info:file=aot.log"),
            List.of("./tw", "check", home.resolve("conf/tailwater.yaml").toString()));
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.err());
    assertTrue(run.out().contains("no problems"), run.out());
    String log = Files.readString(directory.resolve("aot.log"));
    assertTrue(log.contains("Using AOT-linked classes: true"), "the cache is used: " + log);
  }

  @Test
  void startsSilentlyWithACacheThatBelongsToAnotherJvm() throws Exception {
    Path home = directory.resolve("tailwater");
    Packaged.Run copy =
        Packaged.run(
            directory,
            Map.of(),
            List.of("cp", "-a", Packaged.built("tailwater.distribution").toString(), "tailwater"));
    assertEquals(0, copy.exitCode(), copy.err());
    Files.writeString(home.resolve("lib/tailwater.aot"), "not a cache");
    List<String> version = List.of(home.resolve("bin/tailwater").toString(), "--version");

    Packaged.Run falseCache = Packaged.run(directory, Map.of(), version);
    assertEquals(0, falseCache.exitCode(), falseCache.err());
    assertEquals("", falseCache.err());

    Files.writeString(home.resolve("lib/tailwater.aot.jvm"), "JAVA_VERSION=\"99\"\n");
    Path quick = QuickCacheJvm.in(directory.resolve("jdk"));
    Packaged.Run otherJvm =
        Packaged.run(directory, Map.of("TAILWATER_JAVA_HOME", quick.toString()), version);
    assertEquals(0, otherJvm.exitCode(), otherJvm.err());
    assertEquals("", otherJvm.err());
    assertTrue(Files.size(home.resolve("lib/tailwater.aot")) > 1 << 20, "a new cache was made");
  }

  @Test
  void keepsWhatTheJvmSaysOutOfItsOutput() throws Exception {
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of("TAILWATER_JAVA_OPTS", "-XX:+UseLargePages"),
            List.of(Packaged.launcher(), "schema"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("{\n"), run.out());
    assumeFalse(run.err().isEmpty(), "the machine has large pages, and the JVM nothing to say");
    assertTrue(run.err().contains("UseLargePages"), run.err());
  }

  @Test
  void passesNamesThroughInAnyLocale() throws Exception {
    Path logs = Files.createDirectories(directory.resolve("größe 漢字"));
    Files.writeString(logs.resolve("ä.log"), "x\n");
    Packaged.Run ship =
        Packaged.run(
            directory,
            Map.of("LC_ALL", "C", "LANG", ""),
            List.of(
                Packaged.launcher(),
                "ship",
                "--once",
                "--state",
                "state",
                "--agent",
                "a",
                "größe 漢字",
                "archive"));
    assertEquals(0, ship.exitCode(), ship.err());
    Packaged.Run ls =
        Packaged.run(
            directory, Map.of("LC_ALL", "POSIX"), List.of(Packaged.launcher(), "ls", "archive"));
    assertTrue(ls.out().contains("größe 漢字/ä.log"), ls.out());
    Packaged.Run cat =
        Packaged.run(
            logs,
            Map.of("LC_ALL", "xx_XX.UTF-8"), // As ssh brings it to where it is not installed.
            List.of(Packaged.launcher(), "cat", "../archive", logs.resolve("ä.log").toString()));
    assertEquals("x\n", cat.out(), cat.err());
  }

  @Test
  void nothingButDataComesOut() throws Exception {
    Packaged.Run run = Packaged.tailwater(directory, "ls", "nowhere", "--json");
    assertEquals(1, run.exitCode());
    assertEquals("", run.out());
    assertFalse(run.err().contains("WARNING"), "no warnings of the JVM: " + run.err());
  }

  @Test
  void saysWhatToInstallWhereThereIsNoJdk() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root to hide the JDKs");
    String hidden =
        "for d in /usr/lib/jvm /usr/java /opt; do [ ! -d $d ] || mount -t tmpfs none $d; done;"
            + " exec \"$0\" --version";
    Packaged.Run run =
        Packaged.run(
            directory,
            Map.of(
                "JAVA_HOME",
                "",
                "TAILWATER_JAVA_HOME",
                "",
                "HOME",
                "/nonexistent",
                "PATH",
                "/usr/bin:/bin:/usr/sbin:/sbin"),
            List.of("unshare", "-m", "sh", "-c", hidden, Packaged.launcher()));
    assumeTrue(!run.err().contains("unshare"), "needs a mount namespace of its own");
    assertEquals(1, run.exitCode(), run.err());
    assertTrue(run.err().contains("no JDK 25 or newer found"), run.err());
    assertTrue(run.err().contains("openjdk-25-jdk-headless"), run.err());
  }

  private static Map<String, String> bare(Path java) {
    return Map.of(
        "PATH", java.getParent() + ":/usr/bin:/bin", "JAVA_HOME", "", "TAILWATER_JAVA_HOME", "");
  }

  private static String script() {
    return ". " + Packaged.built("tailwater.distribution") + "/lib/find-jdk.sh && find_jdk";
  }
}
