package dev.tailwater.destination.azure;

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
 * Gives tests an Azurite, if it is installed: on the PATH or in {@code
 * ~/.cache/tailwater/azurite-3.35.0}, to which {@code npm install --prefix DIR azurite@3.35.0} puts
 * it; {@code ./verify} does so if npm is installed.
 */
public final class Azurite implements ExecutionCondition, ParameterResolver {
  private static final Namespace SERVERS = Namespace.create(Azurite.class);
  private static final String MISSING = "azurite is not installed: an emulator of Azure";

  /** Skips the tests: an assumption about a parameter would make them fail. */
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return program().isPresent()
        ? ConditionEvaluationResult.enabled("azurite is installed")
        : ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == AzureServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(SERVERS)
        .computeIfAbsent("azurite", key -> started(), AzureServer.class);
  }

  private static AzureServer started() {
    try {
      return own();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a server that the test must stop. Skips the test if Azurite is not installed. */
  public static AzureServer own() throws IOException {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), MISSING);
    return new AzureServer(
        ServerProcess.start(
            "azure-server", (data, port) -> command(program.orElseThrow(), data, port)));
  }

  private static Optional<Path> program() {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
            Stream.of(
                System.getProperty("user.home")
                    + "/.cache/tailwater/azurite-3.35.0/node_modules/.bin"));
    return places
        .map(place -> Path.of(place, "azurite-blob"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static ProcessBuilder command(Path program, Path data, int port) {
    return new ProcessBuilder(
        List.of(
            program.toString(),
            "--blobHost",
            "127.0.0.1",
            "--blobPort",
            Integer.toString(port),
            "--location",
            data.toString(),
            // The version of the requests is newer than the emulator.
            "--skipApiVersionCheck",
            "--silent",
            "--disableTelemetry"));
  }
}
