package dev.tailwater.destination.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests an S3Proxy in a JVM of its own. All classes of a run share it: the first one starts
 * it, and it stops at the end.
 */
public final class S3ProxyServer implements ParameterResolver {
  private static final Namespace SERVERS = Namespace.create(S3ProxyServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == S3Server.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(SERVERS)
        .computeIfAbsent("s3proxy", key -> started(), S3Server.class);
  }

  private static S3Server started() {
    try {
      return S3Server.start(S3ProxyServer::command);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the command line of a server whose files are next to the data. */
  static ProcessBuilder command(Path data, int port) throws IOException {
    Path properties = data.resolveSibling("s3proxy.properties");
    Files.writeString(
        properties,
        """
        s3proxy.endpoint=http://127.0.0.1:%d
        s3proxy.authorization=aws-v2-or-v4
        s3proxy.identity=%s
        s3proxy.credential=%s
        s3proxy.v4-max-non-chunked-request-size=134217728
        jclouds.provider=transient
        jclouds.filesystem.basedir=%s
        """
            .formatted(port, S3Server.ACCESS_KEY, S3Server.SECRET_KEY, data));
    return new ProcessBuilder(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // It keeps objects in memory, and several copies of each put in progress.
            "-Xmx1g",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            System.getProperty("tailwater.s3proxy", "tailwater.s3proxy is not set"),
            "--properties",
            properties.toString()));
  }
}
