package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.s3.S3Server;
import dev.tailwater.destination.s3.VersityServer;
import dev.tailwater.destination.testkit.FaultyHttpProxy;
import dev.tailwater.destination.testkit.ProxyFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;

/** {@code tailwater probe} with the rights of a user whose policy a real server enforces. */
@ExtendWith(VersityServer.class)
class ProbePolicyTest {
  private static final String USER = "agent-of-the-test";
  private static final String SECRET = "another-secret-of-the-test";

  private final S3Server server;
  private String bucket = "";
  @TempDir private Path directory;

  ProbePolicyTest(S3Server server) {
    this.server = server;
  }

  @BeforeEach
  void makeUserAndBucket() throws Exception {
    bucket = server.newBucket();
    // That there is such a user from an earlier test is fine.
    Packaged.run(
        directory,
        Map.of(),
        List.of(
            VersityServer.program().orElseThrow().toString(),
            "admin",
            "--access",
            S3Server.ACCESS_KEY,
            "--secret",
            S3Server.SECRET_KEY,
            "--endpoint-url",
            server.endpoint().toString(),
            "create-user",
            "--access",
            USER,
            "--secret",
            SECRET,
            "--role",
            "user"));
  }

  private static Set<String> actionsOfTheGuide() throws IOException {
    String guide =
        Files.readString(
            Path.of(System.getProperty("tailwater.root", ".."), "docs", "guide", "s3.md"));
    String policy = guide.substring(guide.indexOf("```json"), guide.indexOf("```\n\n`ship` calls"));
    return Pattern.compile("\"(s3:[A-Za-z]+)\"")
        .matcher(policy)
        .results()
        .map(match -> match.group(1))
        .filter(action -> !action.equals("s3:prefix"))
        .collect(Collectors.toSet());
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    Set<String> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  private static String quoted(Set<String> actions) {
    return actions.stream().map(a -> '"' + a + '"').sorted().collect(Collectors.joining(", "));
  }

  private void allow(String objectActions, String bucketActions) {
    String policy =
        """
        {"Version": "2012-10-17", "Statement": [
          {"Effect": "Allow", "Principal": {"AWS": ["%s"]}, "Action": [%s],
           "Resource": "arn:aws:s3:::%s/*"},
          {"Effect": "Allow", "Principal": {"AWS": ["%s"]}, "Action": [%s],
           "Resource": "arn:aws:s3:::%s"}]}
        """
            .formatted(USER, objectActions, bucket, USER, bucketActions, bucket);
    try (S3Client client = S3Probe.owner(server.endpoint())) {
      client.putBucketPolicy(request -> request.bucket(bucket).policy(policy));
    }
  }

  private Packaged.Run probe(String... options) throws Exception {
    String uri = S3Server.uri(server.endpoint(), bucket + "/web", Map.of());
    String[] arguments = new String[options.length + 1];
    arguments[0] = uri;
    System.arraycopy(options, 0, arguments, 1, options.length);
    return S3Probe.run(directory, USER, SECRET, arguments);
  }

  @Test
  void thePolicyOfTheGuideIsEnough() throws Exception {
    Set<String> guide = actionsOfTheGuide();
    Set<String> objects =
        Set.of("s3:PutObject", "s3:GetObject", "s3:DeleteObject", "s3:AbortMultipartUpload");
    Set<String> buckets = Set.of("s3:ListBucket", "s3:ListBucketMultipartUploads");
    assertEquals(guide, union(objects, buckets));
    allow(quoted(objects), quoted(buckets));
    Packaged.Run run = probe("--throughput", "8MiB");
    assertEquals(0, run.exitCode(), run.out() + run.err());
    assertFalse(run.out().contains("MISSING"), run.out());
    assertEquals(List.of(), S3Probe.keys(server.endpoint(), "s3://" + bucket));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "s3:PutObject", "s3:GetObject"                      | "s3:ListBucket"     | s3:DeleteObject | 3
          "s3:PutObject", "s3:DeleteObject"                   | "s3:ListBucket"     | s3:GetObject    | 3
          "s3:PutObject", "s3:GetObject", "s3:DeleteObject"   | "s3:GetBucketAcl"   | s3:ListBucket   | 3
          "s3:GetObject", "s3:DeleteObject"                   | "s3:ListBucket"     | s3:PutObject    | 1
          """)
  void namesWhatThePolicyLacks(String objects, String buckets, String missing, int exitCode)
      throws Exception {
    allow(objects, buckets);
    Packaged.Run run = probe("--quick", "--throughput", "0B");
    assertEquals(exitCode, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().contains("Allow " + missing + " on"), run.out());
    List<String> others =
        List.of("s3:DeleteObject", "s3:GetObject", "s3:ListBucket", "s3:PutObject").stream()
            .filter(action -> !action.equals(missing))
            .toList();
    for (String other : others) {
      assertFalse(run.out().contains("Allow " + other + " on"), run.out());
    }
  }

  @Test
  void credentialsThatMayPutAndNotDeleteCanReplaceWhatThisServerHas() throws Exception {
    allow("\"s3:PutObject\", \"s3:GetObject\"", "\"s3:ListBucket\"");
    Packaged.Run run = probe("--append-only");
    assertEquals(1, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().matches("(?s).*replace is refused +WRONG.*"), run.out());
    assertTrue(run.out().matches("(?s).*delete is refused +OK.*"), run.out());
    assertTrue(run.out().contains("is not append-only with these credentials"), run.out());
    assertTrue(run.out().contains("left: tailwater-probe-"), run.out());
  }

  @Test
  void credentialsThatMayOnlyCreateAreAppendOnly() throws Exception {
    // As a policy that denies a PUT without If-None-Match, which this server does not know.
    try (FaultyHttpProxy proxy = S3Probe.onlyCreating(server.endpoint())) {
      String uri = S3Server.uri(proxy.uri(), bucket + "/web", Map.of());
      Packaged.Run run =
          S3Probe.run(
              directory, S3Server.ACCESS_KEY, S3Server.SECRET_KEY, uri, "--append-only", "--json");
      assertEquals(0, run.exitCode(), run.out() + run.err());
      assertTrue(run.err().contains("can neither replace nor remove"), run.err());
      Packaged.Run whole =
          S3Probe.run(directory, S3Server.ACCESS_KEY, S3Server.SECRET_KEY, uri, "--quick");
      assertEquals(3, whole.exitCode(), whole.out() + whole.err());
    }
  }

  @Test
  void whatCouldNotBeAskedIsNotTakenForAppendOnly() throws Exception {
    try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server.endpoint())) {
      proxy.plan(
          request ->
              request.method().equals("DELETE")
                  ? ProxyFault.Answer.s3Error(500, "InternalError", Map.of())
                  : S3Probe.refusal(request));
      String uri = S3Server.uri(proxy.uri(), bucket + "/web", Map.of());
      Packaged.Run run =
          S3Probe.run(directory, S3Server.ACCESS_KEY, S3Server.SECRET_KEY, uri, "--append-only");
      assertEquals(3, run.exitCode(), run.out() + run.err());
    }
  }
}
