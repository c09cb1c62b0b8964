package dev.tailwater.it;

import dev.tailwater.destination.s3.S3Server;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import dev.tailwater.destination.testkit.ProxyRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The packaged {@code probe} with the S3 plug-in, and the owner of the server who looks on. */
final class S3Probe {
  private S3Probe() {}

  /** Runs it to its end with these credentials. */
  static Packaged.Run run(Path directory, String accessKey, String secretKey, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(Packaged.launcher(), "probe"));
    command.addAll(List.of(arguments));
    return Packaged.run(directory, environment(accessKey, secretKey), command);
  }

  /** What a process needs in its environment to use the plug-in with these credentials. */
  static Map<String, String> environment(String accessKey, String secretKey) {
    return Map.of(
        "TAILWATER_PLUGINS",
        Packaged.built("tailwater.s3.plugins").toString(),
        "AWS_ACCESS_KEY_ID",
        accessKey,
        "AWS_SECRET_ACCESS_KEY",
        secretKey);
  }

  /** A server that lets objects be created, and neither replaced nor removed. */
  static FaultyHttpProxy onlyCreating(URI endpoint) throws IOException {
    FaultyHttpProxy proxy = FaultyHttpProxy.before(endpoint);
    proxy.plan(S3Probe::refusal);
    return proxy;
  }

  /** The refusal of a request that does not create an object or look at one. */
  static ProxyFault refusal(ProxyRequest request) {
    boolean replaces = request.method().equals("PUT") && request.header("if-none-match").isEmpty();
    return replaces || request.method().equals("DELETE")
        ? ProxyFault.Answer.s3Error(403, "AccessDenied", Map.of())
        : new ProxyFault.Forward();
  }

  /** A client of the server's owner. */
  static S3Client owner(URI endpoint) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY)))
        .build();
  }

  /** Everything in the bucket of an {@code s3:} URI. */
  static List<String> keys(URI endpoint, String uri) {
    try (S3Client client = owner(endpoint)) {
      return client
          .listObjectsV2Paginator(request -> request.bucket(URI.create(uri).getAuthority()))
          .contents()
          .stream()
          .map(S3Object::key)
          .toList();
    }
  }
}
