package dev.tailwater.lab.result;

/**
 * A setting that the figures recommend.
 *
 * @param place where to set it
 * @param key {@code compress}, {@code fs.inotify.max_user_watches}
 * @param value as it is written there
 * @param reason one sentence with the figures on which it is based
 */
public record Recommendation(Place place, String key, String value, String reason) {
  /** The place of a setting. */
  public enum Place {
    /** A key of tailwater.yaml; the value is YAML. */
    CONFIGURATION,
    /** A setting of this host, such as a sysctl or a mount option. */
    HOST,
    /** The user's own programs, which write or read files. */
    PROGRAM
  }
}
