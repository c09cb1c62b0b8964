package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Makes the JARs of real plug-ins: compiled here, so that the class path of the tests lacks them.
 */
final class PluginJar {
  private PluginJar() {}

  /**
   * Compiles sources by class name into a JAR with a service file for the provider.
   *
   * @param provider empty: no service file
   */
  static void make(Path jar, String provider, Map<String, String> sources) throws IOException {
    Path work = Files.createTempDirectory("plugin");
    try {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "-proc:none",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "-d",
                  work.resolve("classes").toString()));
      for (Map.Entry<String, String> source : sources.entrySet()) {
        Path file = work.resolve("sources/" + source.getKey().replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, source.getValue());
        arguments.add(file.toString());
      }
      int result =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, arguments.toArray(String[]::new));
      assertEquals(0, result, "the plug-in compiles");
      if (!provider.isEmpty()) {
        Path service =
            work.resolve("classes/META-INF/services/dev.tailwater.destination.DestinationProvider");
        Files.createDirectories(service.getParent());
        Files.writeString(service, provider + "\n");
      }
      pack(work.resolve("classes"), jar);
    } finally {
      try (Stream<Path> files = Files.walk(work)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file);
        Stream<Path> found = Files.walk(classes)) {
      for (Path path : found.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(path).toString()));
        entries.write(Files.readAllBytes(path));
        entries.closeEntry();
      }
    }
  }
}
