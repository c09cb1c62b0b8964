package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Archives of earlier releases open for ever: packs with owners and revisions, single and merged,
 * plain and encrypted, all of it signed, with their receipts, a manifest, and packs of directories
 * and links. {@code it/golden-archives} has made them, and says what a golden file contains.
 */
class GoldenArchivesTest {
  private static final Path READER = Path.of("src/test/python/read_archive.py");
  private static final Pattern TREE_LINE =
      Pattern.compile("([fdl]) (\\d+) \\d+ \\d+ [\\d.]+ (?:(\\d+) (?=.*->))?(.*)");

  private static final Pattern BEFORE = Pattern.compile("\\.~[0-9a-v-]{38} ");

  @TempDir private Path directory;
  private boolean isRoot;

  @BeforeEach
  void look() throws IOException {
    isRoot = (int) Files.getAttribute(directory, "unix:uid") == 0;
  }

  /** A golden file, by the first word of its lines. */
  private record Golden(List<String> lines) {
    static Golden read(String name) throws IOException {
      String resource = "/golden/" + name + ".golden";
      try (InputStream file = GoldenArchivesTest.class.getResourceAsStream(resource)) {
        byte[] bytes = Objects.requireNonNull(file, resource).readAllBytes();
        return new Golden(new String(bytes, StandardCharsets.UTF_8).lines().toList());
      }
    }

    List<String> all(String word) {
      String begin = word + " ";
      return lines.stream()
          .filter(line -> line.startsWith(begin))
          .map(line -> line.substring(begin.length()))
          .toList();
    }
  }

  private void unpack(Golden golden) throws IOException {
    for (String object : golden.all("object")) {
      int space = object.indexOf(' ');
      Path file = directory.resolve("archive").resolve(object.substring(0, space));
      Files.createDirectories(file.getParent());
      Files.write(file, Base64.getDecoder().decode(object.substring(space + 1)));
    }
    Files.write(directory.resolve("trusted"), golden.all("trust"));
    Files.write(directory.resolve("identity"), golden.all("identity"));
  }

  /** The options of a reader of this archive. */
  private static List<String> reading(Golden golden) {
    List<String> options = new ArrayList<>(List.of("--trust", "trusted"));
    if (!golden.all("identity").isEmpty()) {
      options.addAll(List.of("--identity", "identity"));
    }
    return options;
  }

  private String run(List<String> command) throws Exception {
    Packaged.Run run = Packaged.run(directory, Map.of("LC_ALL", "C"), command);
    assertEquals(0, run.exitCode(), command + ": " + run.out() + run.err());
    return run.out();
  }

  private void tailwater(Golden golden, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Packaged.launcher()));
    command.addAll(List.of(arguments));
    command.addAll(reading(golden));
    run(command);
  }

  /**
   * Says of everything in a restored tree what {@code it/golden-archives} says of the original; not
   * of a file that was there before another one, which has the id of its stream behind its name.
   */
  private List<String> found(String target) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/find")), "find is not installed");
    String root = target + "/srv/app";
    String directories = "d %m %U %G %T@ %P\\n";
    String others = "%y %m %U %G %T@ %n %P -> %l\\n";
    List<String> find = new ArrayList<>(List.of("find", root, "-type", "d"));
    find.addAll(List.of("-printf", directories, "-o", "-printf", others));
    return run(find).lines().filter(line -> !BEFORE.matcher(line).find()).sorted().toList();
  }

  private void assertContent(Golden golden, String target) throws Exception {
    List<String> sums = golden.all("content");
    assertFalse(sums.isEmpty());
    Files.write(directory.resolve("sums"), sums);
    String check = "cd " + target + "/srv/app && sha256sum --quiet -c " + directory.resolve("sums");
    run(List.of("/bin/sh", "-c", check));
  }

  /** Without owners and times; of modes only what the reader in Python restores. */
  private static Stream<String> plainly(List<String> tree) {
    return tree.stream()
        .map(
            line -> {
              Matcher fields = TREE_LINE.matcher(line);
              assertTrue(fields.matches(), line);
              int mode = Integer.parseInt(fields.group(2), 8) & 0777;
              return String.join(
                  " ",
                  fields.group(1),
                  Integer.toOctalString(mode),
                  String.valueOf(fields.group(3)),
                  fields.group(4));
            })
        .sorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"signed-packs", "encrypted-packs"})
  void everyGoldenArchiveIsVerifiedAndRestored(String name) throws Exception {
    Golden golden = Golden.read(name);
    unpack(golden);
    tailwater(golden, "verify", "archive");
    List<String> restore = new ArrayList<>(List.of("restore", "archive", "restored"));
    if (isRoot) {
      restore.add("--numeric-owner");
    }
    tailwater(golden, restore.toArray(String[]::new));
    assertContent(golden, "restored");
    if (isRoot) {
      assertEquals(golden.all("tree"), found("restored"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"signed-packs", "encrypted-packs"})
  void theReaderInPythonRestoresIt(String name) throws Exception {
    for (String program : List.of("zstd", "age", "python3")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not installed");
    }
    Packaged.Run module =
        Packaged.run(directory, Map.of(), List.of("/usr/bin/python3", "-c", "import cryptography"));
    assumeTrue(module.exitCode() == 0, "the Python module cryptography is not installed");
    Golden golden = Golden.read(name);
    unpack(golden);
    List<String> command = new ArrayList<>(List.of("/usr/bin/python3"));
    command.addAll(List.of(READER.toAbsolutePath().toString(), "archive", "restored"));
    command.addAll(reading(golden));
    run(command);
    assertContent(golden, "restored");
    assertEquals(plainly(golden.all("tree")).toList(), plainly(found("restored")).toList());
  }
}
