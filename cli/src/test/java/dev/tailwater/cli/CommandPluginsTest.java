package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.plugin.SampleCommandPlugin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that a plug-in package adds: installed, missing and broken. */
class CommandPluginsTest {
  private static final String SERVICE = "META-INF/services/dev.tailwater.cli.plugin.CommandPlugin";

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @TempDir private Path directory;

  @AfterEach
  void restoreTheClassLoader() {
    Thread.currentThread().setContextClassLoader(before);
  }

  private Trial run(String... arguments) {
    return Trial.run(
        directory, Map.of("TAILWATER_PLUGINS", directory.resolve("plugins").toString()), arguments);
  }

  private void install(String provider) throws IOException {
    Path home = Files.createDirectories(directory.resolve("plugins/lab"));
    try (OutputStream file = Files.newOutputStream(home.resolve("sample.jar"));
        JarOutputStream entries = new JarOutputStream(file)) {
      entries.putNextEntry(new JarEntry(SERVICE));
      entries.write(provider.getBytes(StandardCharsets.UTF_8));
      entries.closeEntry();
    }
  }

  @Test
  void aMissingCommandSaysHowToInstallItWhateverItsArgumentsAre() {
    for (String arguments :
        new String[] {"lab", "lab --quick", "lab compare a b", "lab --only=x --dir /y"}) {
      Trial trial = run(arguments.split(" "));
      assertEquals(2, trial.exitCode(), trial.err());
      assertEquals("", trial.out());
      assertEquals(
          """
          tailwater: the command lab is not installed
          Hint: Unpack the package tailwater-lab of the same version in the program's directory, \
          so that its JARs lie in %s/plugins/lab; TAILWATER_PLUGINS=DIR names another directory of \
          plug-ins.
          """
              .formatted(directory),
          trial.err());
    }
  }

  @Test
  void aMissingCommandIsListedAndItsHelpSaysThatItIsMissing() {
    assertTrue(run("--help").out().contains("lab  "), run("--help").out());
    Trial help = run("lab", "--help");
    assertEquals(0, help.exitCode(), help.err());
    assertTrue(help.out().contains("the command lab is not installed."), help.out());
    assertTrue(help.out().contains("tailwater-lab"), help.out());
  }

  @Test
  void anInstalledCommandRunsWithThePluginsClassLoader() throws IOException {
    install(SampleCommandPlugin.class.getName());
    Trial trial = run("lab");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals("tailwater-lab\n", trial.out());
    assertTrue(run("lab", "--help").out().contains("A sample."));
    assertTrue(run("help", "lab").out().contains("A sample."));
  }

  @Test
  void anInstalledCommandIsNotLoadedForAnother() throws IOException {
    install("sample.Absent");
    Trial trial = run("--version");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals("", trial.err());
  }

  @Test
  void aBrokenPluginIsNamedAndNotTakenForMissing() throws IOException {
    Path home = Files.createDirectories(directory.resolve("plugins/lab"));
    requireBroken("nothing in " + home + " has the command");
    install("sample.Absent");
    requireBroken("cannot be loaded: ");
    Files.writeString(home.resolve("sample.jar"), "not a jar");
    requireBroken("nothing in " + home + " has the command");
  }

  private void requireBroken(String reason) {
    Trial trial = run("lab", "--list");
    assertEquals(1, trial.exitCode(), trial.err());
    assertTrue(trial.err().startsWith("tailwater: the plug-in for lab: " + reason), trial.err());
    assertTrue(trial.err().contains("same version"), trial.err());
    assertFalse(trial.err().contains("\tat "), "no stack trace");
  }

  @Test
  void aPluginWithACommandIsNoKindOfDestination() throws IOException {
    install(SampleCommandPlugin.class.getName());
    Trial trial = run("ls", "lab://x");
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(
        trial.err().contains("unknown scheme lab; known: az, file, gs, hdfs, s3\n"), trial.err());
  }
}
