package dev.tailwater.archive.name;

import dev.tailwater.archive.Codec;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The name of a pack's object: {@code AGENT/~packs/GROUP/FIRST-LAST-FRONT.zst[.age]}, or the same
 * below {@code ~tree}. See {@code docs/format.md}, "Packs".
 *
 * @param frontBytes how many bytes of the object, from its beginning, hold the directory: one read
 *     of that length is enough to know what is in the pack
 */
public record PackName(PackId id, int frontBytes, boolean encrypted, Folder folder)
    implements Comparable<PackName> {
  /** Where packs are, below the agent's name. */
  public enum Folder {
    /** Packs with ranges of streams, and what there is to say of streams. */
    PACKS("~packs"),
    /** Packs that tell directories and links, and nothing else. */
    TREE("~tree");

    private final String text;

    Folder(String text) {
      this.text = text;
    }
  }

  /** The longest front: a reader needs no more memory for one. */
  public static final int MAX_FRONT_BYTES = 99_999_999;

  private static final String AGE_SUFFIX = ".age";
  private static final int SEQUENCE_DIGITS = 6;
  private static final int FRONT_DIGITS = 8;

  private static final Comparator<PackName> ORDER =
      Comparator.comparing((PackName name) -> name.id.agent())
          .thenComparing(name -> name.id.group())
          .thenComparingInt(name -> name.id.first())
          .thenComparing(Comparator.comparingInt((PackName name) -> name.id.last()).reversed())
          .thenComparing(PackName::key);

  public PackName {
    if (frontBytes < 1 || frontBytes > MAX_FRONT_BYTES) {
      throw new IllegalArgumentException("not the length of a pack's front: " + frontBytes);
    }
  }

  /** Creates the name of a pack with ranges of streams. */
  public PackName(PackId id, int frontBytes, boolean encrypted) {
    this(id, frontBytes, encrypted, Folder.PACKS);
  }

  /** Returns what the keys of all packs of an agent with ranges of streams start with. */
  public static String prefix(String agent) {
    return prefix(agent, Folder.PACKS);
  }

  /** Returns what the keys of all packs of an agent in a folder start with. */
  public static String prefix(String agent, Folder folder) {
    return ArchiveNames.agentPrefix(agent) + folder.text + "/";
  }

  /** Returns what the keys of all packs of a group start with. */
  public static String prefix(String agent, PackGroup group) {
    return prefix(agent) + group + "/";
  }

  /** Returns which pack it is, as a signature names it: the key up to LAST. */
  public String subject() {
    return subject(id, folder);
  }

  /** Returns the same for a pack whose key is not complete yet. */
  public static String subject(PackId id, Folder folder) {
    return prefix(id.agent(), folder)
        + id.group()
        + "/"
        + digits(id.first(), SEQUENCE_DIGITS)
        + "-"
        + digits(id.last(), SEQUENCE_DIGITS);
  }

  /** Returns the key of the object. */
  public String key() {
    return subject()
        + "-"
        + digits(frontBytes, FRONT_DIGITS)
        + Codec.ZSTD_SUFFIX
        + (encrypted ? AGE_SUFFIX : "");
  }

  /** Parses a key; returns empty if it is not that of a pack with ranges of streams. */
  public static Optional<PackName> parse(String key) {
    return parse(key, Folder.PACKS);
  }

  /** Parses a key; returns empty if it is not that of a pack in this folder. */
  public static Optional<PackName> parse(String key, Folder folder) {
    List<String> parts = List.of(key.split("/", -1));
    if (parts.size() != 4
        || !AgentName.isValid(parts.getFirst())
        || !parts.get(1).equals(folder.text)
        || !PackGroup.isValid(parts.get(2))) {
      return Optional.empty();
    }
    String name = parts.get(3);
    boolean encrypted = name.endsWith(Codec.ZSTD_SUFFIX + AGE_SUFFIX);
    int first = number(name, 0, SEQUENCE_DIGITS);
    int last = number(name, SEQUENCE_DIGITS + 1, SEQUENCE_DIGITS);
    int frontBytes = number(name, 2 * (SEQUENCE_DIGITS + 1), FRONT_DIGITS);
    if (first < 0 || last < first || frontBytes < 1) {
      return Optional.empty();
    }
    PackId id = new PackId(parts.getFirst(), new PackGroup(parts.get(2)), first, last);
    PackName parsed = new PackName(id, frontBytes, encrypted, folder);
    return parsed.key().equals(key) ? Optional.of(parsed) : Optional.empty();
  }

  /** Returns a number of this many digits, or -1 where there is none. */
  private static int number(String name, int from, int digits) {
    if (name.length() < from + digits) {
      return -1;
    }
    int value = 0;
    for (int at = from; at < from + digits; at++) {
      int digit = name.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Compares by the order in which packs are read: a merged pack comes before those it covers. */
  @Override
  public int compareTo(PackName other) {
    return ORDER.compare(this, other);
  }

  private static String digits(int value, int width) {
    String digits = Integer.toString(value);
    return "0".repeat(width - digits.length()) + digits;
  }
}
