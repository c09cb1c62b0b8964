package dev.tailwater.archive.name;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The name of a manifest: {@code AGENT/~manifests/FROM-TO-RANDOM.manifest}. See {@code
 * docs/format.md}, "Manifests".
 *
 * @param from when it was made, nanoseconds since 1970; of one that was joined of others, when the
 *     first of them was made
 * @param to the same, or when the last of them was made
 * @param random tells manifests of the same times apart
 */
public record ManifestName(String agent, long from, long to, String random)
    implements Comparable<ManifestName> {
  private static final String FOLDER = "~manifests";
  private static final String SUFFIX = ".manifest";
  private static final int TIME_CHARACTERS = 13;
  private static final int RANDOM_CHARACTERS = 8;
  private static final int RANDOM_AT = 2 * (TIME_CHARACTERS + 1);
  private static final int NAME_CHARACTERS = RANDOM_AT + RANDOM_CHARACTERS + SUFFIX.length();

  private static final Comparator<ManifestName> ORDER =
      Comparator.comparing(ManifestName::agent)
          .thenComparingLong(ManifestName::from)
          .thenComparing(Comparator.comparingLong(ManifestName::to).reversed())
          .thenComparing(ManifestName::random);

  public ManifestName {
    AgentName.require(agent);
    if (to < from
        || random.length() != RANDOM_CHARACTERS
        || !Base32.isBase32(random, 0, RANDOM_CHARACTERS)) {
      throw new IllegalArgumentException(
          "not the name of a manifest: " + from + " to " + to + ", '" + random + "'");
    }
  }

  /**
   * Returns the name of a new manifest.
   *
   * @param nowNanos the time, nanoseconds since 1970
   */
  public static ManifestName of(String agent, long nowNanos, RandomGenerator random) {
    return new ManifestName(agent, nowNanos, nowNanos, chance(random));
  }

  /**
   * Returns the name of a manifest that holds what some others hold.
   *
   * @param joined at least one
   */
  public static ManifestName join(Collection<ManifestName> joined, RandomGenerator random) {
    return new ManifestName(
        joined.iterator().next().agent(),
        joined.stream().mapToLong(ManifestName::from).min().orElseThrow(),
        joined.stream().mapToLong(ManifestName::to).max().orElseThrow(),
        chance(random));
  }

  private static String chance(RandomGenerator random) {
    return Base32.fixedWidth(
        random.nextLong() >>> (Long.SIZE - 5 * RANDOM_CHARACTERS), RANDOM_CHARACTERS);
  }

  /** Returns what the keys of all manifests of an agent start with. */
  public static String prefix(String agent) {
    return ArchiveNames.agentPrefix(agent) + FOLDER + "/";
  }

  /** Returns the key of the object. */
  public String key() {
    return prefix(agent) + time(from) + "-" + time(to) + "-" + random + SUFFIX;
  }

  private static String time(long nanos) {
    return Base32.fixedWidth(nanos ^ Long.MIN_VALUE, TIME_CHARACTERS);
  }

  /** Parses a key; returns empty if it is not that of a manifest. */
  public static Optional<ManifestName> parse(String key) {
    List<String> parts = List.of(key.split("/", -1));
    if (parts.size() != 3
        || !AgentName.isValid(parts.getFirst())
        || !parts.get(1).equals(FOLDER)
        || parts.get(2).length() != NAME_CHARACTERS) {
      return Optional.empty();
    }
    String name = parts.get(2);
    int toAt = TIME_CHARACTERS + 1;
    if (!isTime(name, 0)
        || !isTime(name, toAt)
        || !Base32.isBase32(name, RANDOM_AT, RANDOM_AT + RANDOM_CHARACTERS)) {
      return Optional.empty();
    }
    long from = nanos(name, 0);
    long to = nanos(name, toAt);
    if (to < from) {
      return Optional.empty();
    }
    String random = name.substring(RANDOM_AT, RANDOM_AT + RANDOM_CHARACTERS);
    ManifestName parsed = new ManifestName(parts.getFirst(), from, to, random);
    return parsed.key().equals(key) ? Optional.of(parsed) : Optional.empty();
  }

  private static boolean isTime(String name, int at) {
    return name.charAt(at) <= 'f' && Base32.isBase32(name, at, at + TIME_CHARACTERS);
  }

  private static long nanos(String name, int at) {
    return Long.parseUnsignedLong(name.substring(at, at + TIME_CHARACTERS), Base32.RADIX)
        ^ Long.MIN_VALUE;
  }

  /** Returns whether it is joined of several manifests. */
  public boolean isJoined() {
    return from < to;
  }

  /**
   * Returns the manifests that another one of these covers: it was joined of them. Of several with
   * the same times, the one whose key sorts first covers the others.
   */
  public static Set<ManifestName> superseded(Collection<ManifestName> manifests) {
    Set<ManifestName> superseded = new HashSet<>();
    Optional<ManifestName> widest = Optional.empty();
    for (ManifestName name : manifests.stream().sorted().toList()) {
      // Whatever comes before begins at the same time or an earlier one.
      if (widest.isPresent()
          && widest.get().agent().equals(name.agent())
          && name.to() <= widest.get().to()) {
        superseded.add(name);
      } else {
        widest = Optional.of(name);
      }
    }
    return superseded;
  }

  /** Compares by the order of their keys, except that a joined one comes before its parts. */
  @Override
  public int compareTo(ManifestName other) {
    return ORDER.compare(this, other);
  }
}
