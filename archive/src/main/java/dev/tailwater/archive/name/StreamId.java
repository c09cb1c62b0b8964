package dev.tailwater.archive.name;

import dev.tailwater.io.FileIdentity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * The identifier of a stream: one inode generation of one agent between two truncations. It is
 * computed from the file's identity in the kernel, so that an agent that lost its state finds its
 * streams again.
 *
 * <p>The text is {@code <birth>-<hash>-<epoch>}, 38 characters of lower-case base32hex: 13 for the
 * birth time in nanoseconds since 1970 with the sign bit flipped (all zeros if the file system does
 * not store it), 16 for the first 80 bits of a SHA-256 of agent and identity, 7 for the epoch. Ids
 * sort by birth time, then by file, then by epoch, both as texts and as values. See {@code
 * docs/format.md}, "Stream ids".
 */
public record StreamId(String text) implements Comparable<StreamId> {
  /** The length of the text of every id. */
  public static final int LENGTH_CHARACTERS = 38;

  private static final int BIRTH_CHARACTERS = 13;
  private static final int HASH_AT = BIRTH_CHARACTERS + 1;
  private static final int EPOCH_CHARACTERS = 7;
  private static final int EPOCH_AT = LENGTH_CHARACTERS - EPOCH_CHARACTERS;
  private static final String HASH_DOMAIN = "tailwater stream 1";

  public StreamId {
    if (!isValid(text)) {
      throw new IllegalArgumentException("not a stream id: '" + text + "'");
    }
  }

  /**
   * Computes the id of a stream of a file.
   *
   * @param agent the name of the agent
   * @param epoch 0 for a new file, and one more after each truncation; higher where it is not known
   *     how many streams the file had
   */
  public static StreamId of(String agent, FileIdentity identity, int epoch) {
    AgentName.require(agent);
    byte[] agentBytes = agent.getBytes(StandardCharsets.UTF_8);
    byte[] domain = HASH_DOMAIN.getBytes(StandardCharsets.UTF_8);
    ByteBuffer input = ByteBuffer.allocate(domain.length + 1 + agentBytes.length + 2 * 8 + 2 * 9);
    input.put(domain).put((byte) agentBytes.length).put(agentBytes);
    input.putLong(identity.fileSystemId()).putLong(identity.inode());
    putOptional(input, identity.generation());
    putOptional(input, identity.birthTimeNanos());
    OptionalLong birth = identity.birthTimeNanos();
    long sortable = birth.isPresent() ? birth.getAsLong() ^ Long.MIN_VALUE : 0;
    StringBuilder text = new StringBuilder(LENGTH_CHARACTERS);
    Base32.append(text, sortable, BIRTH_CHARACTERS);
    Base32.appendHash(text.append('-'), input.array());
    return new StreamId(text.append('-').append(epochText(epoch)).toString());
  }

  private static void putOptional(ByteBuffer target, OptionalLong value) {
    target.put((byte) (value.isPresent() ? 1 : 0)).putLong(value.orElse(0));
  }

  /** Returns which of the streams of the file it is: higher than that of every earlier one. */
  public int epoch() {
    return Base32.number(text, EPOCH_AT, LENGTH_CHARACTERS);
  }

  /**
   * Returns some characters of the hash of agent and identity as a number, 5 bits each.
   *
   * @param from the first of them, from 0 to 15
   * @param to the one after the last of them, at most 16, and at most 12 more
   */
  public long hashNumber(int from, int to) {
    long number = 0;
    for (int i = HASH_AT + from; i < HASH_AT + to; i++) {
      number = number << 5 | Character.digit(text.charAt(i), 32);
    }
    return number;
  }

  /** Returns the id for the same inode generation with another epoch (0 or more). */
  public StreamId withEpoch(int epoch) {
    return new StreamId(text.substring(0, EPOCH_AT) + epochText(epoch));
  }

  /**
   * Returns the birth time of the file in nanoseconds since 1970; empty if the file system does not
   * store it.
   */
  public OptionalLong birthTimeNanos() {
    long sortable = 0;
    for (int i = 0; i < BIRTH_CHARACTERS; i++) {
      sortable = sortable << 5 | Character.digit(text.charAt(i), 32);
    }
    return sortable == 0 ? OptionalLong.empty() : OptionalLong.of(sortable ^ Long.MIN_VALUE);
  }

  /**
   * Returns the part that all epochs of one inode generation share: the text before the epoch's
   * hyphen.
   */
  public String withoutEpoch() {
    return text.substring(0, EPOCH_AT - 1);
  }

  /** Returns whether this is the text of an id. */
  public static boolean isValid(String text) {
    // 13 characters hold 65 bits and 7 hold 35, so the first of each must leave the extra bits
    // unused.
    return text.length() == LENGTH_CHARACTERS
        && text.charAt(0) <= 'f'
        && Base32.isBase32(text, 0, BIRTH_CHARACTERS)
        && text.charAt(BIRTH_CHARACTERS) == '-'
        && Base32.isBase32(text, HASH_AT, HASH_AT + Base32.HASH_CHARACTERS)
        && text.charAt(EPOCH_AT - 1) == '-'
        && Base32.isBase32(text, EPOCH_AT, LENGTH_CHARACTERS)
        && text.charAt(EPOCH_AT) <= '1';
  }

  private static String epochText(int epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("an epoch is 0 or more, not " + epoch);
    }
    return Base32.fixedWidth(epoch, EPOCH_CHARACTERS);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamId id && text.equals(id.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode(); // which the text keeps
  }

  @Override
  public int compareTo(StreamId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
