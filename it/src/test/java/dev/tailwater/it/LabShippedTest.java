package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab as the package that it is, unpacked over the program. */
class LabShippedTest {
  private static final long MOST_BYTES_OF_JARS = 11_000_000;

  @TempDir private Path directory;
  private Path home = Path.of("");

  @BeforeEach
  void copyTheProgram() throws Exception {
    home = Packaged.copyInto(directory);
  }

  private Packaged.Run run(String... command) throws Exception {
    return Packaged.run(directory, Map.of(), List.of(command));
  }

  private Packaged.Run lab(String... arguments) throws Exception {
    return run(
        Stream.concat(
                Stream.of(home.resolve("bin/tailwater").toString(), "lab"), Stream.of(arguments))
            .toArray(String[]::new));
  }

  private void install() throws Exception {
    Packaged.Run tar =
        run("tar", "xzf", Packaged.built("tailwater.lab.package").toString(), "-C", home + "");
    assertEquals(0, tar.exitCode(), tar.err());
  }

  @Test
  void theProgramIsSmallAndHasNeitherTheLabNorATestKit() throws IOException {
    List<Path> jars = jars(home.resolve("lib"));
    long bytes = 0;
    for (Path jar : jars) {
      String name = jar.getFileName().toString();
      assertFalse(name.matches(".*(testkit|lab|jmh|jfuse|jfreechart|batik).*"), name);
      bytes += Files.size(jar);
    }
    assertTrue(bytes <= MOST_BYTES_OF_JARS, bytes + " bytes of JARs");
  }

  @Test
  void thePlugInHoldsNoCopyOfTheProgram() throws Exception {
    install();
    List<String> own = names(jars(home.resolve("lib")));
    List<String> added = names(jars(home.resolve("lib/plugins/lab")));
    assertTrue(added.contains("tailwater-lab"), added.toString());
    assertFalse(added.removeAll(own), () -> added + " beside " + own);
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }

  /** Of the libraries, without their versions. */
  private static List<String> names(List<Path> jars) {
    return jars.stream()
        .map(jar -> jar.getFileName().toString().replaceFirst("-\\d.*", ""))
        .collect(Collectors.toList());
  }

  @Test
  void saysHowToInstallItAndMeasuresWhenItIsInstalled() throws Exception {
    Packaged.Run without = lab("--list");
    assertEquals(2, without.exitCode(), without.err());
    assertTrue(without.err().contains("the command lab is not installed"), without.err());
    assertTrue(without.err().contains(home.resolve("lib/plugins/lab").toString()), without.err());
    install();
    assertEquals(0, lab("--list").exitCode());
    // JVMs that JMH forks, a child process of the lab's own, and (or it is skipped) a FUSE server.
    Packaged.Run measured =
        lab("--quick", "--only", "write-size-sync,buffer-allocation", "--json", "lab.json");
    // 3 if something was left out, since the machine is slow or has no FUSE.
    assertTrue(List.of(0, 3).contains(measured.exitCode()), measured.exitCode() + measured.err());
    assertFalse(measured.out().contains("FAILED"), measured.out());
    assertTrue(Files.size(directory.resolve("lab.json")) > 0);
    Packaged.Run report = lab("report", "lab.json", "--report", "again.html");
    assertEquals(0, report.exitCode(), report.err());
    assertTrue(Files.readString(directory.resolve("again.html")).contains("buffer-allocation"));
  }

  @Test
  void refusesAPlugInOfAnotherVersion() throws Exception {
    install();
    Path jar =
        jars(home.resolve("lib/plugins/lab")).stream()
            .filter(file -> file.getFileName().toString().startsWith("tailwater-lab"))
            .findFirst()
            .orElseThrow();
    try (FileSystem entries = FileSystems.newFileSystem(jar)) {
      Path manifest = entries.getPath("META-INF/MANIFEST.MF");
      String text = Files.readString(manifest);
      Files.writeString(
          manifest,
          text.replaceFirst("Implementation-Version: .*", "Implementation-Version: 99.0"));
    }
    Packaged.Run run = lab("--list");
    assertEquals(1, run.exitCode(), run.err());
    assertTrue(
        run.err().contains("the plug-in for lab: version 99.0, but the program has version"),
        run.err());
    assertTrue(run.err().contains("Hint: Remove that directory"), run.err());
  }
}
