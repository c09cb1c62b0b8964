package dev.tailwater.destination.gcs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.destination.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a fake-gcs-server, if it is installed: on the PATH or in {@code ~/go/bin}, to which
 * {@code go install github.com/fsouza/fake-gcs-server@v1.56.1} puts it; {@code ./verify} does so if
 * Go is installed.
 */
public final class FakeGcsServer implements ExecutionCondition, ParameterResolver {
  private static final Namespace SERVERS = Namespace.create(FakeGcsServer.class);
  private static final String MISSING =
      "fake-gcs-server is not installed: an emulator of Google Cloud Storage";

  /** Skips the tests: an assumption about a parameter would make them fail. */
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return program().isPresent()
        ? ConditionEvaluationResult.enabled("fake-gcs-server is installed")
        : ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == GcsServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(SERVERS)
        .computeIfAbsent("fake-gcs-server", key -> started(), GcsServer.class);
  }

  private static GcsServer started() {
    try {
      return start("memory");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a server that keeps its objects in files, and that the test must stop. */
  public static GcsServer withFiles() throws IOException {
    return start("filesystem");
  }

  private static GcsServer start(String backend) throws IOException {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), MISSING);
    return new GcsServer(
        ServerProcess.start(
            "gcs-server", (data, port) -> command(program.orElseThrow(), backend, data, port)));
  }

  private static Optional<Path> program() {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
            Stream.of(System.getProperty("user.home") + "/go/bin"));
    return places
        .map(place -> Path.of(place, "fake-gcs-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static ProcessBuilder command(Path program, String backend, Path data, int port) {
    return new ProcessBuilder(
        List.of(
            program.toString(),
            "-scheme",
            "http",
            "-host",
            "127.0.0.1",
            "-port",
            Integer.toString(port),
            "-backend",
            backend,
            "-filesystem-root",
            data.toString(),
            "-log-level",
            "warn"));
  }
}
