package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
 * Gives tests a versitygw, if it is installed: on the PATH or in {@code ~/go/bin}, to which {@code
 * go install github.com/versity/versitygw/cmd/versitygw@v1.8.0} puts it; {@code ./verify} does so
 * if Go is installed. The server can have users besides its owner.
 */
public final class VersityServer implements ExecutionCondition, ParameterResolver {
  private static final Namespace SERVERS = Namespace.create(VersityServer.class);
  private static final String MISSING = "versitygw is not installed: a second real S3 server";

  /** Skips the tests: an assumption about a parameter would make them fail. */
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return program().isPresent()
        ? ConditionEvaluationResult.enabled("versitygw is installed")
        : ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == S3Server.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Path program = required();
    return context
        .getRoot()
        .getStore(SERVERS)
        .computeIfAbsent("versitygw", key -> started(program), S3Server.class);
  }

  /**
   * Returns the program, for tests that start it in their own way; empty if it is not installed.
   */
  public static Optional<Path> program() {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
            Stream.of(System.getProperty("user.home") + "/go/bin"));
    return places.map(place -> Path.of(place, "versitygw")).filter(Files::isExecutable).findFirst();
  }

  private static Path required() {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), MISSING);
    return program.orElseThrow();
  }

  /** Starts a server that the test must stop. Skips the test if versitygw is not installed. */
  public static S3Server own() throws IOException {
    Path program = required();
    return S3Server.start((data, port) -> command(program, data, port));
  }

  /** Starts a server as {@link #own()} does, with its objects in that directory. */
  public static S3Server own(Path objects) throws IOException {
    Path program = required();
    return S3Server.start((data, port) -> command(program, users(data), objects, port));
  }

  private static S3Server started(Path program) {
    try {
      return S3Server.start((data, port) -> command(program, data, port));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ProcessBuilder command(Path program, Path data, int port) throws IOException {
    return command(program, users(data), data, port);
  }

  private static Path users(Path data) throws IOException {
    return Files.createDirectories(data.resolveSibling("users"));
  }

  private static ProcessBuilder command(Path program, Path users, Path objects, int port) {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                program.toString(),
                "--port",
                "127.0.0.1:" + port,
                "--iam-dir",
                users.toString(),
                "posix",
                objects.toString()));
    builder.environment().put("ROOT_ACCESS_KEY", S3Server.ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", S3Server.SECRET_KEY);
    return builder;
  }
}
