package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./verify} says of skipped tests at its end. */
class SkippedTestsTest {
  private static final Path VERIFY = Path.of("it", "src", "verify");

  @TempDir private static Path classes;
  @TempDir private Path directory;
  private Path since;

  /** Once: {@code ./verify} starts it from its source, which compiles it each time. */
  @BeforeAll
  static void compile() {
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source().toString());
    assertEquals(0, failures);
  }

  private static Path source() {
    return Packaged.built("tailwater.root").resolve(VERIFY).resolve("SkippedTests.java");
  }

  @BeforeEach
  void begin() throws IOException {
    since = Files.createFile(directory.resolve("since"));
  }

  private Path report(String module, String... cases) throws IOException {
    Path reports = directory.resolve(module).resolve("target/surefire-reports");
    Files.createDirectories(reports);
    return Files.writeString(
        reports.resolve("TEST-a.b.SomeTest.xml"),
        "<testsuite><properties/>" + String.join("", cases) + "</testsuite>");
  }

  private static String passed(String name) {
    return "<testcase name='%s' classname='a.b.SomeTest' time='0'/>".formatted(name);
  }

  private static String skipped(String name, String reason) {
    return """
        <testcase name='%s' classname='a.b.SomeTest' time='0'>
        <skipped type="org.opentest4j.TestAbortedException"><![CDATA[%s
        \tat a.b.SomeTest
        ]]></skipped></testcase>"""
        .formatted(name, "org.opentest4j.TestAbortedException: Assumption failed: " + reason);
  }

  private Packaged.Run look(boolean strictly) throws Exception {
    return look(strictly, "-cp", classes.toString(), "SkippedTests");
  }

  private Packaged.Run look(boolean strictly, String... program) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(program));
    command.addAll(List.of(directory.toString(), since.toString()));
    if (strictly) {
      command.add(source().resolveSibling("legitimate-skips.txt").toString());
    }
    return Packaged.run(directory, Map.of(), command);
  }

  @Test
  void eachSkipIsListedWithItsReasonAndCountedForItsModule() throws Exception {
    report("io", passed("one"), skipped("two", "zstd is not installed"));
    report("store", passed("three"));
    Packaged.Run run = look(false);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("3 tests, 1 skipped"), run.out());
    assertTrue(
        run.out().contains("skipped in io: SomeTest.two: zstd is not installed\n"), run.out());
    assertTrue(run.out().matches("(?s).*store +1 tests, 0 skipped.*"), run.out());
  }

  @Test
  void startsFromItsSource() throws Exception {
    report("io", passed("one"));
    Packaged.Run run = look(true, source().toString());
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("1 tests, 0 skipped"), run.out());
  }

  @Test
  void modulesWithinModulesAreListedToo() throws Exception {
    report("destination", passed("one"));
    report("destination/s3", skipped("two", "zstd is not installed"));
    Packaged.Run run = look(false);
    assertTrue(run.out().contains("2 tests, 1 skipped"), run.out());
    assertTrue(run.out().contains("skipped in destination/s3: SomeTest.two"), run.out());
  }

  @Test
  void aSkipThatAPackageWouldAvoidFailsWhereAllPackagesAre() throws Exception {
    report("io", skipped("two", "this kernel has no NFS client: no nfs4 in /proc/filesystems"));
    assertEquals(0, look(true).exitCode());
    report("store", skipped("three", "zstd is not installed"));
    Packaged.Run run = look(true);
    assertEquals(1, run.exitCode(), run.out());
    assertTrue(run.out().contains("must not be skipped here: SomeTest.three"), run.out());
    assertFalse(run.out().contains("must not be skipped here: SomeTest.two"), run.out());
  }

  @Test
  void reportsOfAnEarlierRunAreNotLookedAt() throws Exception {
    Path old = report("io", skipped("two", "zstd is not installed"));
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    Packaged.Run run = look(true);
    assertEquals(0, run.exitCode(), run.out());
    assertTrue(run.out().contains("0 tests, 0 skipped"), run.out());
  }
}
