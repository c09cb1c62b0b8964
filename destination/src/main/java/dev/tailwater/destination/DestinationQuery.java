package dev.tailwater.destination;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options in the query of a destination's URI. Messages never contain a value from the URI,
 * since it may be a secret in the wrong place.
 */
public final class DestinationQuery {
  private final URI place;
  private final Map<String, String> values;

  private DestinationQuery(URI place, Map<String, String> values) {
    this.place = place;
    this.values = values;
  }

  /**
   * Parses the query of a URI.
   *
   * @param options the known options
   * @throws UnknownDestinationException an option is unknown, given twice or has no value; or the
   *     URI has a user name or a fragment
   */
  public static DestinationQuery parse(URI uri, List<DestinationOption> options)
      throws UnknownDestinationException {
    URI place = URI.create(uri.getScheme() + ":/");
    List<String> names = options.stream().map(DestinationOption::name).toList();
    if (uri.getRawUserInfo() != null) {
      throw new UnknownDestinationException(
          place,
          "there is a user name or password in front of an @ in the URI",
          "Leave it out: credentials are never part of a destination's name.");
    }
    if (uri.getRawFragment() != null) {
      throw new UnknownDestinationException(
          place, "there is a # in the URI", "Write it as %23 if it belongs to the name.");
    }
    TreeMap<String, String> values = new TreeMap<>();
    @Nullable String query = uri.getRawQuery();
    for (String part : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      if (!names.contains(name)) {
        throw new UnknownDestinationException(
            place,
            name.matches("[a-z-]{1,40}") ? "unknown option " + name : "unknown option in the query",
            "Known options are " + String.join(", ", names) + ".",
            name);
      }
      if (equals < 0 || equals == part.length() - 1) {
        throw new UnknownDestinationException(
            place, "the option " + name + " has no value", "Write ?" + name + "=VALUE.", name);
      }
      String value = URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
      if (values.put(name, value) != null) {
        throw new UnknownDestinationException(
            place, "the option " + name + " is given twice", "Leave one of them out.", name);
      }
    }
    return new DestinationQuery(place, values);
  }

  /** Returns the value of an option, if it is given. */
  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** Returns whether an option is {@code true}; false if it is not given. */
  public boolean isTrue(String name) throws UnknownDestinationException {
    return switch (value(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, "true or false");
    };
  }

  /** Creates the exception for an invalid value. */
  public UnknownDestinationException wrong(String name, String expected) {
    return new UnknownDestinationException(
        place,
        "the option " + name + " has a value that it cannot have",
        "Expected is " + expected + ".",
        name);
  }

  /** Returns the options as a query, sorted by name, without the question mark. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(
            option ->
                option.getKey()
                    + "="
                    + URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8)
                        .replace("+", "%20"))
        .collect(Collectors.joining("&"));
  }
}
