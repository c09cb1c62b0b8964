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

  /** Creates one that is required, without further settings. */
  public static DestinationSetting required(String place) {
    return new DestinationSetting(
        ValueChecks.notEmpty(place), Optional.empty(), false, Optional.empty());
  }

  /** Creates a best-effort one, without further settings. */
  public static DestinationSetting bestEffort(String place) {
    return new DestinationSetting(
        ValueChecks.notEmpty(place), Optional.empty(), true, Optional.empty());
  }

  /** The name of it in reports. */
  String label() {
    return name.orElse(place);
  }
}
