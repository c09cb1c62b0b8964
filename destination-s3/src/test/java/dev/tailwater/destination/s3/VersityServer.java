package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a versitygw, where there is one: on the PATH or in Go's own place for programs, to
 * which {@code go install github.com/versity/versitygw/cmd/versitygw@v1.8.0} puts it; {@code
 * ./verify} does so where it finds Go. It knows users beside its owner.
 */
public final class VersityServer implements ParameterResolver {
  private static final Namespace SERVERS = Namespace.create(VersityServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == S3Server.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), "versitygw is not installed: a second real S3 server");
    return context
        .getRoot()
        .getStore(SERVERS)
        .computeIfAbsent("versitygw", key -> started(program.orElseThrow()), S3Server.class);
  }

  /** The program, for what is to be asked of a server with it; empty where it is not installed. */
  public static Optional<Path> program() {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")),
            Stream.of(System.getProperty("user.home") + "/go/bin"));
    return places.map(place -> Path.of(place, "versitygw")).filter(Files::isExecutable).findFirst();
  }

  private static S3Server started(Path program) {
    try {
      return S3Server.start((data, port) -> command(program, data, port));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ProcessBuilder command(Path program, Path data, int port) throws IOException {
    Path users = Files.createDirectory(data.resolveSibling("users"));
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                program.toString(),
                "--port",
                "127.0.0.1:" + port,
                "--iam-dir",
                users.toString(),
                "posix",
                data.toString()));
    builder.environment().put("ROOT_ACCESS_KEY", S3Server.ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", S3Server.SECRET_KEY);
    return builder;
  }
}
