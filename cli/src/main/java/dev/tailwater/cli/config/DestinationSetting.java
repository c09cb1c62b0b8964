package dev.tailwater.cli.config;

import dev.tailwater.delivery.route.Bandwidth;
import java.util.Optional;

/**
 * One place to ship to.
 *
 * @param place a URI or path as the user wrote it
 * @param name for reports; empty: the URI
 * @param bestEffort whether nobody counts on it
 * @param bandwidth empty: what is said for all destinations, else no limit
 */
public record DestinationSetting(
    String place, Optional<String> name, boolean bestEffort, Optional<Bandwidth> bandwidth) {

  /** One that is required, with nothing said about it. */
  public static DestinationSetting required(String place) {
    return new DestinationSetting(
        ValueChecks.notEmpty(place), Optional.empty(), false, Optional.empty());
  }

  /** The same, but nobody counts on it. */
  public static DestinationSetting bestEffort(String place) {
    return new DestinationSetting(
        ValueChecks.notEmpty(place), Optional.empty(), true, Optional.empty());
  }

  /** How reports call it. */
  String label() {
    return name.orElse(place);
  }
}
