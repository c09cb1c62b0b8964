package dev.tailwater.archive.age;

import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.ObjectInput;
import dev.tailwater.archive.UnsupportedFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A strict reader of the text header of an age v1 file, with bounded memory. It returns the header
 * stanza by stanza and can be used once: read all stanzas, then {@link #mac()}.
 */
public final class AgeHeaderReader {
  /** The longest header of a segment. */
  public static final int MAX_SEGMENT_HEADER_BYTES = 64 * 1024;

  private static final int MAX_LINE_BYTES = 1024;
  private static final int BODY_LINE_CHARACTERS = AgeHeaderWriter.BODY_COLUMNS;
  private static final String VERSION_START = "age-encryption.org/";
  private static final int MAC_BYTES = 32;

  private final ObjectInput in;
  private final int maxBytes;
  private final ByteArrayOutputStream header = new ByteArrayOutputStream(512);
  private int macLineAt;
  private int stanzaAt;
  private String macLine = "";

  /**
   * Creates a reader.
   *
   * @param maxBytes the longest header to accept
   */
  public AgeHeaderReader(ObjectInput in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads the first line of the header, which states the version.
   *
   * @throws UnsupportedFormatException if the file has another version of the age format
   */
  public void readVersion() throws IOException {
    String line = line();
    if (!line.equals(AgeHeaderWriter.VERSION_LINE)) {
      if (line.startsWith(VERSION_START)) {
        throw new UnsupportedFormatException(in.key(), "encrypted with age format '" + line + "'");
      }
      throw in.damagedAt(0, "does not begin as an age file");
    }
  }

  /** Reads the next stanza; returns empty at the MAC line, after the last stanza. */
  public Optional<AgeStanza> nextStanza() throws IOException {
    int lineAt = header.size();
    stanzaAt = lineAt;
    String line = line();
    if (line.startsWith(AgeHeaderWriter.MAC_START + " ")) {
      macLineAt = lineAt;
      macLine = line;
      return Optional.empty();
    }
    String start = AgeHeaderWriter.STANZA_START;
    List<String> words =
        line.startsWith(start) ? List.of(line.substring(start.length()).split(" ", -1)) : List.of();
    if (words.isEmpty() || words.contains("")) {
      throw in.damaged("the age header has a line that is no stanza");
    }
    return Optional.of(new AgeStanza(words.getFirst(), words.subList(1, words.size()), body()));
  }

  private byte[] body() throws IOException {
    StringBuilder text = new StringBuilder();
    String line;
    do {
      line = line();
      if (line.length() > AgeHeaderWriter.BODY_COLUMNS) {
        throw in.damaged("a line of a stanza's body in the age header is too long");
      }
      text.append(line);
    } while (line.length() == AgeHeaderWriter.BODY_COLUMNS);
    return base64(text.toString())
        .orElseThrow(() -> in.damaged("a stanza's body in the age header is not base64"));
  }

  /**
   * Returns the MAC at the end of the header. Call this only after {@link #nextStanza} returned
   * empty.
   */
  byte[] mac() throws DamagedSegmentException {
    return base64(macLine.substring(AgeHeaderWriter.MAC_START.length() + 1))
        .filter(mac -> mac.length == MAC_BYTES)
        .orElseThrow(() -> in.damaged("the age header's MAC is malformed"));
  }

  /** Returns the bytes that the MAC covers: everything up to and including its three hyphens. */
  byte[] authenticated() {
    return Arrays.copyOf(header.toByteArray(), macLineAt + AgeHeaderWriter.MAC_START.length());
  }

  /** Returns the offset at which the stanza that was read last begins. */
  int stanzaAt() {
    return stanzaAt;
  }

  /** Returns the offset behind what has been read. */
  int offset() {
    return header.size();
  }

  /**
   * Returns the header up to its last line without a part of it. Call this only after {@link
   * #nextStanza} returned empty.
   */
  byte[] without(int from, int to) {
    byte[] all = header.toByteArray();
    byte[] rest = Arrays.copyOf(all, macLineAt - (to - from));
    System.arraycopy(all, to, rest, from, macLineAt - to);
    return rest;
  }

  /** Decodes base64 without padding; returns empty unless the text is the canonical encoding. */
  static Optional<byte[]> base64(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      String canonical = Base64.getEncoder().withoutPadding().encodeToString(bytes);
      return canonical.equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(BODY_LINE_CHARACTERS);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw in.damaged("ends within the age header");
      }
      if (b < ' ' || b > '~') {
        throw in.damaged("the age header has a byte that is not printable ASCII");
      }
      line.append((char) b);
      header.write(b);
      if (header.size() > maxBytes || line.length() > MAX_LINE_BYTES) {
        throw in.damaged("the age header is too long");
      }
    }
    header.write('\n');
    return line.toString();
  }
}
