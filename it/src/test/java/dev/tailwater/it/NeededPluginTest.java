package dev.tailwater.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher puts the only plug-in that a command needs on the class path. Except in the last
 * tests, the runtime is a script that says with what it was called, and the plug-ins are empty.
 */
class NeededPluginTest {
  /** Makes a JVM say in its working directory where its classes come from. */
  static final Map<String, String> LOGGING =
      Map.of("TAILWATER_JAVA_OPTS", "-Xlog:aot=info:file=aot.log -Xlog:class+load:file=load.log");

  @TempDir private Path directory;
  private Path home;

  @BeforeEach
  void unpack() throws Exception {
    home = Packaged.copyInto(directory);
  }

  private void fakePlugins() throws IOException {
    Path java = home.resolve("runtime/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho \"$*\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("runtime/release"), "JAVA_VERSION=\"25.0.3\"\n");
    for (String name : List.of("s3", "gs", "lab")) {
      Files.createDirectories(plugin(name));
      Files.createFile(plugin(name).resolve(name + "-part.jar"));
      Files.createFile(plugin(name).resolve("tailwater.jsa"));
    }
  }

  private Path plugin(String name) {
    return home.resolve("lib/plugins").resolve(name);
  }

  private Packaged.Run run(Map<String, String> environment, String... command) throws Exception {
    Packaged.Run run = Packaged.run(directory, environment, List.of(command));
    assertEquals(0, run.exitCode(), run.err());
    return run;
  }

  private String called(Map<String, String> environment, String... arguments) throws Exception {
    String[] command =
        Stream.concat(Stream.of(home.resolve("bin/tailwater").toString()), Stream.of(arguments))
            .toArray(String[]::new);
    return run(environment, command).out();
  }

  private void assertAlone(String name, String called) {
    assertTrue(called.contains(":" + plugin(name).resolve(name + "-part.jar") + " "), called);
    assertTrue(
        called.contains("-XX:SharedArchiveFile=" + plugin(name).resolve("tailwater.jsa")), called);
  }

  private void assertNone(String called) {
    assertFalse(called.contains("-part.jar"), called);
    assertTrue(
        called.contains("-XX:SharedArchiveFile=" + home.resolve("lib/tailwater.jsa")), called);
  }

  private static final Map<String, String> BUNDLED = Map.of("TAILWATER_JAVA_HOME", "");

  @Test
  void theOneThatAnArgumentNamesIsOnTheClassPath() throws Exception {
    fakePlugins();
    assertAlone("s3", called(BUNDLED, "ship", "--once", "/var/log", "s3://bucket/web?region=x"));
    assertAlone("gs", called(BUNDLED, "ls", "gs://bucket"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "destination: s3://bucket/web",
        "destination: \"s3://bucket/web\" # not gs://bucket",
        "# destination: gs://bucket\ndestinations:\n  - uri: s3://bucket/web\n    region: x",
        "destinations: [/mnt/archive, 's3://bucket/web']"
      })
  void theOneThatTheConfigurationNamesIsOnTheClassPath(String configuration) throws Exception {
    fakePlugins();
    Files.writeString(directory.resolve("t.yaml"), configuration); // without a newline at its end
    assertAlone("s3", called(BUNDLED, "ship", "--config", "t.yaml"));
    assertAlone("s3", called(BUNDLED, "ship", "--config=t.yaml"));
    assertAlone("s3", called(BUNDLED, "check", "t.yaml"));
  }

  @Test
  void theNameOfAConfigurationMayBeginWithADash() throws Exception {
    fakePlugins();
    Files.writeString(directory.resolve("-t.yaml"), "destination: s3://bucket/web");
    assertAlone("s3", called(BUNDLED, "ship", "--config", "-t.yaml"));
    assertAlone("s3", called(BUNDLED, "ship", "--config=-t.yaml"));
    assertAlone("s3", called(BUNDLED, "check", "--", "-t.yaml"));
  }

  @Test
  void whoExportsCdpathGetsTheProgramThatWasCalled() throws Exception {
    fakePlugins();
    Files.createDirectories(directory.resolve("elsewhere/tailwater/bin"));
    Map<String, String> environment = new HashMap<>(BUNDLED);
    environment.put("CDPATH", directory.resolve("elsewhere").toString());
    String called = run(environment, "sh", "tailwater/bin/tailwater", "ls", "s3://bucket").out();
    assertAlone("s3", called);
  }

  @Test
  void severalKeepLoadersOfTheirOwn() throws Exception {
    fakePlugins();
    assertNone(called(BUNDLED, "ship", "/var/log", "s3://bucket/web", "gs://bucket/web"));
  }

  @Test
  void noneIsTakenWhereNoneIsNeeded() throws Exception {
    fakePlugins();
    Files.writeString(directory.resolve("t.yaml"), "# destination: s3://b\ndestination: /mnt\n");
    assertNone(called(BUNDLED, "ship", "/var/log", "/mnt/archive"));
    assertNone(called(BUNDLED, "ship", "--config", "t.yaml"));
    assertNone(called(BUNDLED, "ship", "--config", "absent.yaml"));
    assertNone(called(BUNDLED, "status"));
  }

  @Test
  void aConfigurationThatCanBeReadOnlyOnceIsLeftToTheProgram() throws Exception {
    fakePlugins();
    Packaged.Run run =
        run(
            BUNDLED,
            "bash",
            "-c",
            "echo 'destination: s3://bucket' | \"$0\" ship --config /dev/stdin; cat",
            home.resolve("bin/tailwater").toString());
    assertNone(run.out());
  }

  @Test
  void onlyTheBeginningOfALongFileIsLookedAt() throws Exception {
    fakePlugins();
    byte[] text = ("\0\n# * \n".repeat(20_000) + "destination: s3://bucket\n").getBytes(US_ASCII);
    Files.write(directory.resolve("data.yaml"), text);
    for (String shell : List.of("bash", "sh")) {
      Packaged.Run run =
          run(
              BUNDLED,
              shell,
              home.resolve("bin/tailwater").toString(),
              "ship",
              "--once",
              "data.yaml",
              "/mnt");
      assertNone(run.out());
      assertEquals("", run.err());
    }
  }

  @Test
  void plugInsOfTheUserGoFirstAsEver() throws Exception {
    fakePlugins();
    Map<String, String> environment =
        Map.of("TAILWATER_JAVA_HOME", "", "TAILWATER_PLUGINS", directory.toString());
    assertNone(called(environment, "ls", "s3://bucket"));
  }

  @Test
  void theLabIsNeverOnTheClassPath() throws Exception {
    fakePlugins();
    assertNone(called(BUNDLED, "ls", "lab://bucket").replace("lab-part.jar", "-part.jar"));
  }

  @ParameterizedTest
  @CsvSource({"s3,s3", "gcs,gs", "azure,az", "hdfs,hdfs"})
  void aLibraryOfBothIsOfTheSameVersion(String module, String scheme) throws Exception {
    List<String> program = jars(home.resolve("lib"));
    List<String> own = jars(Packaged.built("tailwater." + module + ".plugins").resolve(scheme));
    assertTrue(own.size() > 1, own.toString());
    for (String jar : own) {
      String library = jar.replaceFirst("-[0-9].*", "-");
      for (String other : program) {
        assertTrue(
            other.equals(jar) || !other.replaceFirst("-[0-9].*", "-").equals(library),
            other + " would go before " + jar);
      }
    }
  }

  private static List<String> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .toList();
    }
  }

  @Test
  void theFirstStartMakesACacheForProgramAndPlugInAndAnInstallationMakesItAnew() throws Exception {
    String tar = Packaged.built("tailwater.s3.package").toString();
    run(Map.of(), "tar", "xzf", tar, "-C", home.toString());
    String launcher = home.resolve("bin/tailwater").toString();
    String uri = "s3://bucket/web?endpoint=http://127.0.0.1:1";
    Files.writeString(directory.resolve("t.yaml"), "sources: [.]\ndestination: " + uri + "\n");
    // S3ShippedTest has a first start make it with a real JVM.
    Path quick = QuickCacheJvm.in(directory.resolve("jdk"));
    run(Map.of("TAILWATER_JAVA_HOME", quick.toString()), launcher, "check", "t.yaml");
    requireCache("s3");
    assertFalse(Files.exists(plugin("s3").resolve("tailwater.aot.failed")));

    FileTime first = Files.getLastModifiedTime(plugin("s3").resolve("tailwater.aot"));
    Files.createSymbolicLink(home.resolve("runtime"), Path.of(System.getProperty("java.home")));
    String install = ". \"$0/lib/jvm-options.sh\" && install_cache \"$0\" s3";
    run(Map.of(), "sh", "-euc", install, home.toString());
    assertNotEquals(first, Files.getLastModifiedTime(plugin("s3").resolve("tailwater.aot")));
    requireThatStartsUseTheCache(Map.of("TAILWATER_JAVA_HOME", ""));
    requireThatStartsUseTheCache(Map.of("TAILWATER_JAVA_HOME", System.getProperty("java.home")));
  }

  private void requireCache(String scheme) throws IOException {
    assertTrue(Files.size(plugin(scheme).resolve("tailwater.aot")) > 1 << 20, "no cache was made");
  }

  private void requireThatStartsUseTheCache(Map<String, String> environment) throws Exception {
    Map<String, String> logging = new HashMap<>(environment);
    logging.putAll(LOGGING);
    run(logging, home.resolve("bin/tailwater").toString(), "check", "t.yaml");
    requireClassesFromACache(directory);
  }

  /** All at once: it takes a processor fifteen seconds to make one. */
  @Test
  void everyOtherPlugInForDestinationsCanMakeACache() throws Exception {
    Files.createDirectories(home.resolve("lib/plugins"));
    Map<String, String> modules = Map.of("gs", "gcs", "az", "azure", "hdfs", "hdfs");
    Map<String, String> uris =
        Map.of(
            "gs", "gs://bucket/web",
            "az", "az://account/container/web",
            "hdfs", "hdfs://127.0.0.1:1/archive");
    List<Callable<Packaged.Run>> starts = new ArrayList<>();
    for (String scheme : modules.keySet()) {
      Path own = Packaged.built("tailwater." + modules.get(scheme) + ".plugins").resolve(scheme);
      run(Map.of(), "cp", "-a", own.toString(), plugin(scheme).toString());
      Files.deleteIfExists(plugin(scheme).resolve("tailwater.aot"));
      String config = scheme + ".yaml";
      Files.writeString(
          directory.resolve(config), "sources: [.]\ndestination: " + uris.get(scheme) + "\n");
      starts.add(() -> run(Map.of(), home.resolve("bin/tailwater").toString(), "check", config));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Packaged.Run> start : threads.invokeAll(starts)) {
        start.get();
      }
    }
    for (String scheme : modules.keySet()) {
      requireCache(scheme);
    }
  }

  /** The JVM that had {@link #LOGGING} took the classes of the S3 plug-in from a cache. */
  static void requireClassesFromACache(Path directory) throws IOException {
    String aot = Files.readString(directory.resolve("aot.log"));
    assertTrue(aot.contains("Using AOT-linked classes: true"), aot);
    List<String> loaded =
        Files.readAllLines(directory.resolve("load.log")).stream()
            .filter(line -> line.contains("dev.tailwater.destination.s3."))
            .toList();
    assertFalse(loaded.isEmpty(), "the plug-in was not used");
    for (String line : loaded) {
      assertTrue(line.contains("shared objects file"), line);
    }
  }
}
