package dev.tailwater.destination.s3;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What the SDK takes from the process where the URI says nothing. An empty variable counts as
 * unset, as it does for the tools of AWS.
 */
record AwsSettings(Map<String, String> variables, Properties properties) {
  static AwsSettings ofProcess() {
    return new AwsSettings(System.getenv(), System.getProperties());
  }

  Optional<String> region() {
    return first(List.of(property("aws.region"), variable("AWS_REGION")));
  }

  /** Returns the server that requests go to; empty for AWS itself. */
  Optional<String> endpoint() {
    return first(
        List.of(
            property("aws.endpointUrlS3"),
            variable("AWS_ENDPOINT_URL_S3"),
            property("aws.endpointUrl"),
            variable("AWS_ENDPOINT_URL")));
  }

  private Optional<String> property(String name) {
    return Optional.ofNullable(properties.getProperty(name));
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  private static Optional<String> first(List<Optional<String>> values) {
    return values.stream().flatMap(Optional::stream).filter(text -> !text.isBlank()).findFirst();
  }
}
