package dev.tailwater.it;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The runtime that the packages bring has the modules that the JARs refer to, and no others: {@code
 * packaging/runtime/modules} lists them with the reasons.
 */
class RuntimeModulesTest {
  /** A line of the list. */
  private record Line(String module, String user) {}

  @Test
  void theProgramAndItsDestinationsNeedTheModulesOfTheirRuntime() throws Exception {
    SortedSet<String> referredTo =
        modulesOf(Packaged.built("tailwater.distribution").resolve("lib"));
    referredTo.addAll(modulesOf(Packaged.built("tailwater.s3.plugins").resolve("s3")));
    referredTo.addAll(modulesOf(Packaged.built("tailwater.gcs.plugins").resolve("gs")));
    referredTo.addAll(modulesOf(Packaged.built("tailwater.azure.plugins").resolve("az")));
    referredTo.addAll(modulesOf(Packaged.built("tailwater.hdfs.plugins").resolve("hdfs")));
    SortedSet<String> listed = listed("program", "s3", "gs", "hdfs", "unused");
    // Of the lab's modules, Hadoop refers to these, and its client does not load what does.
    for (String ofLab : listed("lab")) {
      referredTo.remove(ofLab);
    }
    assertEquals(listed, referredTo);
  }

  @Test
  void theLabNeedsTheModulesOfItsRuntime() throws Exception {
    SortedSet<String> referredTo =
        modulesOf(
            Packaged.built("tailwater.distribution").resolve("lib"),
            Packaged.built("tailwater.lab.plugin"));
    assertTrue(referredTo.containsAll(listed("lab")), referredTo.toString());
    referredTo.removeAll(listed("program", "s3", "gs", "hdfs", "lab"));
    assertEquals(new TreeSet<>(), referredTo);
  }

  @Test
  void everyLineHasAReason() throws IOException {
    for (String line : lines()) {
      assertTrue(line.matches("[a-z.]+ +(program|s3|gs|hdfs|by-name|lab|unused) +\\S.+"), line);
    }
  }

  private static SortedSet<String> listed(String... users) throws IOException {
    return lines().stream()
        .map(line -> line.split(" +", 3))
        .map(words -> new Line(words[0], words[1]))
        .filter(line -> List.of(users).contains(line.user()))
        .map(Line::module)
        .collect(toCollection(TreeSet::new));
  }

  private static List<String> lines() throws IOException {
    Path list = Packaged.built("tailwater.root").resolve("packaging/runtime/modules");
    return Files.readAllLines(list).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /**
   * Returns the modules of the JDK that the JARs in these directories refer to, as jdeps finds
   * them. Leaves out a JAR without classes, whose descriptor requires modules for other platforms.
   */
  private static SortedSet<String> modulesOf(Path... directories) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--ignore-missing-deps", "--multi-release", "base", "--list-deps"));
    for (Path directory : directories) {
      try (Stream<Path> files = Files.list(directory)) {
        files
            .map(Path::toString)
            .filter(name -> name.endsWith(".jar") && !name.contains("/jfuse-0"))
            .forEach(arguments::add);
      }
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new));
    assertEquals(0, exitCode, out + "" + err);
    return Pattern.compile("(?m)^ +((?:java|jdk)\\.[a-z.]+)")
        .matcher(out.toString())
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(toCollection(TreeSet::new));
  }
}
