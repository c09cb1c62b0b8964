package dev.tailwater.archive.name;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The name of a receipt's object: {@code AGENT/~receipts/RUN/FIRST-LAST.json}. See {@code
 * docs/format.md}, "Receipts".
 *
 * @param run the run that wrote it; later runs sort behind earlier ones
 * @param first its number in the run, from 0; the lowest of one that replaces several
 * @param last the same number; the highest of one that replaces several
 */
public record ReceiptName(String agent, PackGroup run, int first, int last)
    implements Comparable<ReceiptName> {
  /** The highest number of a receipt in its run. */
  public static final int MAX_NUMBER = 99_999_999;

  private static final String FOLDER = "~receipts";
  private static final String SUFFIX = ".json";
  private static final int DIGITS = 8;

  /** A receipt that replaces others comes before these. */
  private static final Comparator<ReceiptName> ORDER =
      Comparator.comparing(ReceiptName::agent)
          .thenComparing(ReceiptName::run)
          .thenComparingInt(ReceiptName::first)
          .thenComparing(Comparator.comparingInt(ReceiptName::last).reversed());

  public ReceiptName {
    AgentName.require(agent);
    if (first < 0 || last < first || last > MAX_NUMBER) {
      throw new IllegalArgumentException("not the numbers of a receipt: " + first + " to " + last);
    }
  }

  /** Returns what the keys of all receipts of an agent start with. */
  public static String prefix(String agent) {
    return ArchiveNames.agentPrefix(agent) + FOLDER + "/";
  }

  /** Returns the key of the object. */
  public String key() {
    return prefix(agent) + run + "/" + digits(first) + "-" + digits(last) + SUFFIX;
  }

  /** Returns whether it has all numbers of another receipt of the same run. */
  public boolean covers(ReceiptName other) {
    return agent.equals(other.agent)
        && run.equals(other.run)
        && first <= other.first
        && other.last <= last;
  }

  /** Parses a key; returns empty if it is not that of a receipt. */
  public static Optional<ReceiptName> parse(String key) {
    List<String> parts = List.of(key.split("/", -1));
    if (parts.size() != 4
        || !AgentName.isValid(parts.getFirst())
        || !parts.get(1).equals(FOLDER)
        || !PackGroup.isValid(parts.get(2))
        || !parts.get(3).matches("[0-9]{8}-[0-9]{8}\\.json")) {
      return Optional.empty();
    }
    int first = Integer.parseInt(parts.get(3).substring(0, DIGITS));
    int last = Integer.parseInt(parts.get(3).substring(DIGITS + 1, 2 * DIGITS + 1));
    return last < first
        ? Optional.empty()
        : Optional.of(new ReceiptName(parts.getFirst(), new PackGroup(parts.get(2)), first, last));
  }

  @Override
  public int compareTo(ReceiptName other) {
    return ORDER.compare(this, other);
  }

  private static String digits(int value) {
    String digits = Integer.toString(value);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }
}
