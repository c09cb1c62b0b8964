package dev.tailwater.destination;

import com.google.errorprone.annotations.Immutable;
import java.util.Locale;

/**
 * An option of a kind of destination, which is set in the query of its URI: {@code
 * s3://bucket/prefix?region=eu-west-1}.
 *
 * @param name in lower case, words joined by dashes; {@code path-style}
 * @param placeholder the name of the value in help texts; {@code NAME}
 * @param standard a description of the default, for people
 * @param meaning one sentence
 */
@Immutable
public record DestinationOption(String name, String placeholder, String standard, String meaning) {
  /**
   * Describes the option of an enum constant: {@code PATH_STYLE} is {@code path-style} in a URI.
   *
   * @param constant the name of the enum constant
   */
  public static DestinationOption of(
      String constant, String placeholder, String standard, String meaning) {
    String name = constant.toLowerCase(Locale.ROOT).replace('_', '-');
    return new DestinationOption(name, placeholder, standard, meaning);
  }
}
