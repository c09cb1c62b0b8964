package dev.tailwater.lab.result;

/**
 * A setting that the figures recommend.
 *
 * @param place where it is made
 * @param key {@code compress}, {@code fs.inotify.max_user_watches}
 * @param value as it is written there
 * @param reason one sentence with the figures it rests on
 */
public record Recommendation(Place place, String key, String value, String reason) {
  /** Where a setting is made. */
  public enum Place {
    /** A key of tailwater.yaml; the value is YAML. */
    CONFIGURATION,
    /** This host: a sysctl, a mount option. */
    HOST,
    /** The user's own programs, which write or read files. */
    PROGRAM
  }
}
