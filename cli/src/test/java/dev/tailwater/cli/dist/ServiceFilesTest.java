package dev.tailwater.cli.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.command.CommandTree;
import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.Durations;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files that start the agent on machines of users say what the program understands. */
class ServiceFilesTest {
  private static final Path DIST = Path.of("src", "main", "dist");
  private static final Path UNIT = DIST.resolve("systemd/tailwater.service");
  private static final String LAUNCHER = "/opt/tailwater/bin/tailwater";

  /** What an agent needs beside its drain: 5 s to close, and a reserve. */
  private static final Duration RESERVE = Duration.ofSeconds(10);

  private static Duration drainDeadline() {
    return Durations.parse(ShipKey.DRAIN_DEADLINE.standard().orElseThrow());
  }

  /** Fails with the message that the user would get. */
  private static void understood(List<String> arguments) {
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    CommandTree.create(
            new Surroundings(silent, silent, Map.of(), Path.of("/"), OptionalInt.empty()))
        .parseArgs(arguments.toArray(String[]::new));
  }

  private static String setting(String unit, String key) {
    List<String> values =
        unit.lines()
            .filter(line -> line.startsWith(key + "="))
            .map(line -> line.substring(key.length() + 1))
            .toList();
    assertEquals(1, values.size(), key);
    return values.getFirst();
  }

  @Test
  void theUnitStartsAnAgentAndLeavesItItsTime() throws Exception {
    String unit = Files.readString(UNIT);
    List<String> command = List.of(setting(unit, "ExecStart").split(" ", -1));
    assertEquals(LAUNCHER, command.getFirst());
    understood(command.subList(1, command.size()));
    Duration stop = Durations.parse(setting(unit, "TimeoutStopSec"));
    assertTrue(stop.compareTo(drainDeadline().plus(RESERVE)) >= 0, stop.toString());
    assertEquals("always", setting(unit, "Restart"));
    assertEquals("2", setting(unit, "RestartPreventExitStatus"));
  }

  @Test
  void systemdFindsNothingWrongWithTheUnit(@TempDir Path directory) throws Exception {
    // The program must be where the unit says it is.
    String unit = Files.readString(UNIT).replace(LAUNCHER, "/bin/true");
    String said = analyze(directory, unit, "verify", "--man=no");
    // Units of the machine that ours stands beside may have faults of their own.
    assertFalse(said.contains("tailwater"), said);
  }

  @Test
  void theUnitIsExposedAsLittleAsTheGuideSays(@TempDir Path directory) throws Exception {
    String unit = Files.readString(UNIT);
    assertTrue(exposure(directory, unit) <= 1.5, "more than 1.5");
    // The measure measures something: with the capability that reads every file it is higher.
    String drop = Files.readString(DIST.resolve("systemd/read-all-files.conf"));
    String settings = drop.substring(drop.indexOf("[Service]\n") + "[Service]\n".length());
    String exposed = unit.replace("CapabilityBoundingSet=\n", settings);
    assertTrue(exposure(directory, exposed) > exposure(directory, unit), "no higher");
  }

  private static double exposure(Path directory, String unit) throws Exception {
    String said =
        analyze(directory, unit, "security", "--offline=true", "--no-pager", "--threshold=100");
    Matcher level = Pattern.compile("Overall exposure level for \\S+: ([0-9.]+)").matcher(said);
    assertTrue(level.find(), said);
    return Double.parseDouble(level.group(1));
  }

  /** Returns what {@code systemd-analyze} says about a unit. */
  private static String analyze(Path directory, String unit, String... arguments) throws Exception {
    Path analyze = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(analyze), analyze + " is not installed");
    Path file = Files.writeString(directory.resolve("tailwater.service"), unit);
    List<String> command = new ArrayList<>(List.of(analyze.toString()));
    command.addAll(List.of(arguments));
    command.add(file.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    String said = Files.readString(directory.resolve("said"));
    assertTrue(ended, "systemd-analyze does not end: " + said);
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"daemonset.yaml", "sidecar.yaml"})
  void theManifestsStartAgentsAndLeaveThemTheirTime(String name) throws Exception {
    List<Map<?, ?>> documents = documents(DIST.resolve("kubernetes").resolve(name));
    assertEquals(2, documents.size());
    String configuration = (String) map(documents.getFirst(), "data").get("tailwater.yaml");
    assertEquals(List.of(), ConfigFile.read(configuration, Path.of("/etc")).problems());

    Map<?, ?> pod = map(documents.getLast(), "spec");
    if (pod.containsKey("template")) {
      pod = map(map(pod, "template"), "spec");
    }
    Duration grace = Duration.ofSeconds((Integer) pod.get("terminationGracePeriodSeconds"));
    assertTrue(grace.compareTo(drainDeadline().plus(RESERVE)) >= 0, grace.toString());
    List<Map<?, ?>> agents = new ArrayList<>();
    for (String kind : List.of("initContainers", "containers")) {
      if (pod.get(kind) instanceof List<?> containers) {
        for (Object container : containers) {
          Map<?, ?> one = (Map<?, ?>) container;
          if (one.get("name").equals("tailwater")) {
            agents.add(one);
          }
        }
      }
    }
    assertEquals(1, agents.size());
    Map<?, ?> agent = agents.getFirst();
    assertEquals(List.of(LAUNCHER), agent.get("command"));
    understood(texts((List<?>) agent.get("args")));
    if (agent.containsKey("lifecycle")) {
      List<String> drain =
          texts((List<?>) map(map(map(agent, "lifecycle"), "preStop"), "exec").get("command"));
      assertEquals(LAUNCHER, drain.getFirst());
      understood(drain.subList(1, drain.size()));
    }
  }

  private static List<Map<?, ?>> documents(Path file) throws Exception {
    List<Map<?, ?>> documents = new ArrayList<>();
    for (Object document :
        new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(file))) {
      documents.add((Map<?, ?>) document);
    }
    return documents;
  }

  private static Map<?, ?> map(Map<?, ?> parent, String key) {
    assertTrue(parent.get(key) instanceof Map<?, ?>, key + " in " + parent);
    return (Map<?, ?>) parent.get(key);
  }

  /** With the variables that Kubernetes puts in. */
  private static List<String> texts(List<?> items) {
    return items.stream()
        .map(item -> String.valueOf(item).replaceAll("\\$\\([A-Z_]+\\)", "name-of-it"))
        .toList();
  }
}
