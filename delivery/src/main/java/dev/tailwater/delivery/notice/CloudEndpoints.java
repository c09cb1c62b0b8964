package dev.tailwater.delivery.notice;

import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The addresses of the clouds' metadata servers: the link-local address that they all have, or what
 * the environment says. The variables are those of the clouds' own tools: {@code
 * AWS_EC2_METADATA_SERVICE_ENDPOINT}, {@code AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE} (IPv4 or
 * IPv6), {@code AWS_EC2_METADATA_DISABLED}, {@code GCE_METADATA_HOST} (host, or host and port).
 * Azure has none; ours is {@code TAILWATER_AZURE_METADATA_ENDPOINT}.
 *
 * @param ec2 empty: EC2 must not be asked
 * @param named the names of the sources of clouds whose metadata server the environment names
 */
public record CloudEndpoints(Optional<URI> ec2, URI gce, URI azure, Set<String> named) {
  public CloudEndpoints {
    named = Set.copyOf(named);
  }

  /** The variable with the address of Azure's metadata server. */
  public static final String AZURE_VARIABLE = "TAILWATER_AZURE_METADATA_ENDPOINT";

  private static final String EC2_VARIABLE = "AWS_EC2_METADATA_SERVICE_ENDPOINT";
  private static final String GCE_VARIABLE = "GCE_METADATA_HOST";
  private static final String LINK_LOCAL = "http://169.254.169.254";
  private static final String LINK_LOCAL_IPV6 = "http://[fd00:ec2::254]";

  /**
   * Returns the addresses for an environment.
   *
   * @throws IllegalArgumentException when a variable holds no address; the message names it
   */
  public static CloudEndpoints of(Map<String, String> environment) {
    String mode = value(environment, EC2_VARIABLE + "_MODE").orElse("IPv4");
    String standard = mode.toLowerCase(Locale.ROOT).equals("ipv6") ? LINK_LOCAL_IPV6 : LINK_LOCAL;
    boolean disabled =
        value(environment, "AWS_EC2_METADATA_DISABLED")
            .filter("true"::equalsIgnoreCase)
            .isPresent();
    Set<String> named = new HashSet<>();
    value(environment, EC2_VARIABLE).ifPresent(name -> named.add(Ec2Source.NAME));
    value(environment, GCE_VARIABLE).ifPresent(name -> named.add(GceSource.NAME));
    value(environment, AZURE_VARIABLE).ifPresent(name -> named.add(AzureSource.NAME));
    URI ec2 = endpoint(EC2_VARIABLE, value(environment, EC2_VARIABLE).orElse(standard));
    return new CloudEndpoints(
        disabled ? Optional.empty() : Optional.of(ec2),
        endpoint(
            GCE_VARIABLE,
            value(environment, GCE_VARIABLE).map(host -> "http://" + host).orElse(LINK_LOCAL)),
        endpoint(AZURE_VARIABLE, value(environment, AZURE_VARIABLE).orElse(LINK_LOCAL)),
        named);
  }

  private static Optional<String> value(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  private static URI endpoint(String variable, String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(variable + ": '" + text + "' is no address", e);
    }
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null) {
      throw new IllegalArgumentException(
          variable + ": expected an address such as http://169.254.169.254, not '" + text + "'");
    }
    return uri;
  }
}
