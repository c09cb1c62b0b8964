package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.it.Packaged;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reader types what the pages say, from the top of a page to its end, on a machine of its own: a
 * copy of this one that goes away afterwards, with the packaged program. {@code sandbox.sh} makes
 * the machine, {@code prepare/PAGE.sh} what the page takes for granted, {@code tailwater.sh} plays
 * the second terminal. {@code not-run.txt} says which blocks are left out and why. {@code
 * -Dtailwater.page=drain.md} runs one page.
 */
class DocumentedPagesRunTest {
  private static final Path RESOURCES =
      Pages.root().resolve("it/src/test/resources/docs").toAbsolutePath().normalize();

  @TempDir private Path directory;

  @TestFactory
  Stream<DynamicTest> everyPageCanBeFollowed() throws Exception {
    List<NotRun> reasons = NotRun.all();
    List<DynamicTest> tests = new ArrayList<>();
    for (String page : Pages.all()) {
      List<Block> blocks =
          Pages.blocks(page).stream()
              .filter(block -> NotRun.of(block, reasons).isEmpty())
              .filter(block -> !commandsFor(block).isEmpty())
              .toList();
      if (!blocks.isEmpty()) {
        tests.add(DynamicTest.dynamicTest(page, () -> follow(page, blocks)));
      }
    }
    assertTrue(tests.size() > 10, "pages: " + tests.size());
    String only = System.getProperty("tailwater.page", "");
    return tests.stream().filter(test -> test.getDisplayName().contains(only));
  }

  @Test
  void everyPreparationBelongsToAPage() throws Exception {
    List<String> names = Pages.all().stream().map(DocumentedPagesRunTest::preparation).toList();
    try (Stream<Path> files = Files.list(RESOURCES.resolve("prepare"))) {
      files
          .map(file -> file.getFileName().toString())
          .forEach(name -> assertTrue(names.contains(name), name));
    }
  }

  /** {@code guide-drain.sh} for {@code docs/guide/drain.md}. */
  private static String preparation(String page) {
    return page.replaceFirst("^docs/", "").replace('/', '-').replaceFirst("\\.md$", ".sh");
  }

  private void follow(String page, List<Block> blocks) throws Exception {
    assumeTrue(Files.isWritable(Path.of("/root")), "not root: it makes a machine of its own");
    requirePrograms(page);
    StringBuilder script = new StringBuilder();
    script.append(". ").append(RESOURCES.resolve("machine.sh")).append('\n');
    Path own = RESOURCES.resolve("prepare").resolve(preparation(page));
    if (Files.exists(own)) {
      script.append(". ").append(own).append('\n');
    }
    for (Block block : blocks) {
      script.append("echo '=== ").append(block.place()).append("'\n").append(commandsFor(block));
    }
    script.append("echo '=== the end'\nfinish\n");
    Path box = Files.createTempDirectory(directory, "box");
    Path file = Files.writeString(box.resolve("page.sh"), script);
    Packaged.Run run =
        Packaged.run(
            box,
            Map.of(
                "LAUNCHER_HOME",
                Packaged.built("tailwater.distribution").toString(),
                "PACKAGES",
                packages(),
                "JDK",
                System.getProperty("java.home"),
                "TAILWATER_PLUGINS",
                plugins(),
                "RESOURCES",
                RESOURCES.toString()),
            List.of(
                "unshare",
                "--mount",
                "--pid",
                "--net",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "bash",
                RESOURCES.resolve("sandbox.sh").toString(),
                box.toString(),
                file.toString()));
    assumeTrue(run.exitCode() != 77, "this kernel or container " + run.err());
    assertEquals(0, run.exitCode(), () -> page + "\n" + run.out() + run.err());
  }

  /** A line {@code # needs: nginx versitygw} in the preparation. */
  private static void requirePrograms(String page) throws IOException {
    Path own = RESOURCES.resolve("prepare").resolve(preparation(page));
    if (!Files.exists(own)) {
      return;
    }
    for (String line : Files.readAllLines(own)) {
      if (line.startsWith("# needs: ")) {
        for (String program : line.substring("# needs: ".length()).split(" ", -1)) {
          assumeTrue(isInstalled(program), () -> program + " is not installed");
        }
      }
    }
  }

  private static boolean isInstalled(String program) {
    String path = System.getenv("PATH") + ":/usr/sbin:/sbin:" + System.getenv("HOME") + "/go/bin";
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static String packages() {
    return String.join(
        " ",
        Stream.of("tailwater.package", "tailwater.s3.package", "tailwater.lab.package")
            .map(name -> Packaged.built(name).toString())
            .toList());
  }

  private static String plugins() {
    return String.join(
        ":",
        Stream.of(
                "tailwater.s3.plugins",
                "tailwater.gcs.plugins",
                "tailwater.azure.plugins",
                "tailwater.hdfs.plugins")
            .map(name -> Packaged.built(name).toString())
            .toList());
  }

  /**
   * What follows a block: its commands, or that its file is written and, if it is ours, checked.
   */
  private static String commandsFor(Block block) {
    if (block.isCommands()) {
      return block.commands();
    }
    if (block.isYaml() && (block.isManifest() || block.isSteps())) {
      return "";
    }
    String file = block.file().orElse("");
    if (block.isYaml()) {
      String configuration = file.isEmpty() ? "/tmp/page/" + block.line() + ".yaml" : file;
      return write(configuration, file.isEmpty() ? block.wholeConfiguration() : block.text())
          + "tailwater check "
          + configuration
          + "\n";
    }
    if (file.isEmpty()) {
      return "";
    }
    return write(file, block.text()) + (block.isScript() ? "chmod 755 " + file + "\n" : "");
  }

  private static String write(String file, String text) {
    return "mkdir -p \"$(dirname %s)\"\ncat > %s <<'END-OF-THE-BLOCK'\n%sEND-OF-THE-BLOCK\n"
        .formatted(file, file, text);
  }
}
