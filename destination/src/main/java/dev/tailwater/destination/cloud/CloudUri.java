package dev.tailwater.destination.cloud;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.UnknownDestinationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts that URIs of object stores have in common. Messages never contain a value from the URI,
 * since it may be a secret in the wrong place.
 *
 * @param scheme {@code s3}
 * @param example what to write: {@code s3://bucket or s3://bucket/prefix}
 */
public record CloudUri(String scheme, String example) {
  private static final int MAX_PORT = 65_535;
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]+");
  private static final Pattern METADATA =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_-]{0,62}):([\\x21-\\x2B\\x2D-\\x7E]{1,250})");
  private static final int MAX_METADATA = 16;

  /** What both S3 and Azure accept in a tag; a comma separates tags here. */
  private static final Pattern TAG =
      Pattern.compile("([A-Za-z0-9 +.=_/-]{1,128}):([A-Za-z0-9 +.:=_/-]{0,256})");

  private static final int MAX_TAGS = 10;
  private static final String[] NONE = {};

  /**
   * Returns the prefix of names for a path: empty, or without a slash in front and with one behind.
   */
  public String prefix(String path) throws UnknownDestinationException {
    String prefix = path.replaceFirst("^/", "").replaceFirst("/$", "");
    if (prefix.isEmpty()) {
      return "";
    }
    Optional<String> problem = ObjectKeys.problem(prefix);
    if (problem.isPresent()) {
      throw refused("the prefix is not legal: " + problem.get());
    }
    return prefix + "/";
  }

  /**
   * Returns the value of an option that says where a server answers: http or https, with a host,
   * and without user, query and fragment.
   */
  public static Optional<URI> endpoint(DestinationQuery query, String option, String example)
      throws UnknownDestinationException {
    Optional<String> text = query.value(option);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI endpoint = new URI(text.get());
      String scheme = String.valueOf(endpoint.getScheme());
      if ((scheme.equals("http") || scheme.equals("https"))
          && endpoint.getHost() != null
          && endpoint.getPort() != 0
          && endpoint.getPort() <= MAX_PORT
          && endpoint.getRawUserInfo() == null
          && endpoint.getRawQuery() == null
          && endpoint.getRawFragment() == null) {
        return Optional.of(endpoint);
      }
    } catch (URISyntaxException e) {
      // Reported below without the text, which may hold a secret.
    }
    throw query.wrong(option, "a URL such as " + example);
  }

  /**
   * Returns the value of such an option for a store whose requests may carry tokens, which must not
   * be sent through a network in the clear: http is for servers on this machine.
   */
  public static Optional<URI> safeEndpoint(DestinationQuery query, String option, String example)
      throws UnknownDestinationException {
    Optional<URI> endpoint = endpoint(query, option, example);
    if (endpoint.isPresent()
        && endpoint.get().getScheme().equals("http")
        && !isLoopback(endpoint.get())) {
      throw query.wrong(option, "https, except for a server on loopback");
    }
    return endpoint.map(uri -> URI.create(uri.toString().replaceFirst("/+$", "")));
  }

  /** Returns whether the server is on this machine, where tests and trials are. */
  public static boolean isLoopback(URI endpoint) {
    String host = String.valueOf(endpoint.getHost());
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
  }

  /** Returns the value of an option that is one word. */
  public static Optional<String> word(DestinationQuery query, String option)
      throws UnknownDestinationException {
    Optional<String> value = query.value(option);
    if (value.isPresent() && !WORD.matcher(value.get()).matches()) {
      throw query.wrong(option, "a name of letters, digits, - and _");
    }
    return value;
  }

  /** Returns the pairs of an option such as {@code team:web,stage:test}, in their order. */
  public static Map<String, String> metadata(DestinationQuery query, String option)
      throws UnknownDestinationException {
    return pairs(query, option, METADATA, MAX_METADATA)
        .orElseThrow(
            () ->
                query.wrong(
                    option,
                    "NAME:VALUE,NAME:VALUE with at most "
                        + MAX_METADATA
                        + " different names of letters, digits and _, and values in ASCII"));
  }

  /** Returns the tags of an option such as {@code team:web,stage:test}, in their order. */
  public static Map<String, String> tags(DestinationQuery query, String option)
      throws UnknownDestinationException {
    return pairs(query, option, TAG, MAX_TAGS)
        .orElseThrow(
            () ->
                query.wrong(
                    option,
                    "NAME:VALUE,NAME:VALUE with at most "
                        + MAX_TAGS
                        + " different names, of letters, digits, spaces and +-.=_/"));
  }

  /** Returns the pairs of an option; empty if its value is wrong. */
  private static Optional<Map<String, String>> pairs(
      DestinationQuery query, String option, Pattern pattern, int max) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : query.value(option).map(text -> text.split(",", -1)).orElse(NONE)) {
      Matcher matcher = pattern.matcher(pair);
      if (!matcher.matches()
          || pairs.put(matcher.group(1), matcher.group(2)) != null
          || pairs.size() > max) {
        return Optional.empty();
      }
    }
    return Optional.of(pairs);
  }

  /**
   * Returns the canonical form of a URI.
   *
   * @param authority host and, for Azure, the beginning of the path
   */
  public URI canonical(String authority, String prefix, DestinationQuery query)
      throws UnknownDestinationException {
    try {
      String path = new URI(null, null, "/" + prefix, null).getRawPath();
      String options = query.toString();
      return new URI(
          scheme
              + "://"
              + authority
              + path.replaceFirst("/$", "")
              + (options.isEmpty() ? "" : "?" + options));
    } catch (URISyntaxException e) {
      throw refused("the prefix cannot be written as a URI");
    }
  }

  /** Returns the exception for a URI that is wrong beside its options. */
  public UnknownDestinationException refused(String reason) {
    return new UnknownDestinationException(
        URI.create(scheme + ":/"), reason, "Write " + example + ".");
  }
}
