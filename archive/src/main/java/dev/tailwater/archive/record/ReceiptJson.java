package dev.tailwater.archive.record;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.ReceiptName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The encoding of a {@link Receipt}. */
public final class ReceiptJson {
  /** The most entries of a receipt. */
  public static final int MAX_ENTRIES = 4_000;

  /** The most ranges of one stream in an entry. */
  private static final int MAX_RANGES = 500;

  private static final String FORMAT = "tailwater-receipt";
  private static final String AGENT = "agent";
  private static final String RUN = "run";
  private static final String FIRST = "first";
  private static final String LAST = "last";
  private static final String PREVIOUS_RUN = "previous_run";
  private static final String PREVIOUS_LAST = "previous_last";
  private static final String AT_MILLIS = "at_millis";
  private static final String CLOSED = "closed";
  private static final String PACKS = "packs";
  private static final String TREES = "trees";
  private static final String RANGES = "ranges";
  private static final String RECORDS = "records";

  private ReceiptJson() {}

  /** Returns the content of the object, without a signature. */
  public static byte[] write(Receipt receipt) {
    return JsonText.write(
        FORMAT,
        json -> {
          json.writeStringField(AGENT, receipt.name().agent());
          json.writeStringField(RUN, receipt.name().run().text());
          json.writeNumberField(FIRST, receipt.name().first());
          json.writeNumberField(LAST, receipt.name().last());
          if (receipt.previous().isPresent()) {
            json.writeStringField(PREVIOUS_RUN, receipt.previous().get().run().text());
            json.writeNumberField(PREVIOUS_LAST, receipt.previous().get().last());
          }
          json.writeNumberField(AT_MILLIS, receipt.atMillis());
          json.writeBooleanField(CLOSED, receipt.closed());
          write(json, receipt.acknowledged());
        });
  }

  private static void write(JsonGenerator json, Acknowledged all) throws IOException {
    write(json, PACKS, groups(all.packs()));
    if (!all.trees().isEmpty()) { // Most archives tell no directories.
      write(json, TREES, groups(all.trees()));
    }
    List<String> ranges = new ArrayList<>();
    all.ranges()
        .forEach(
            (prefix, set) -> {
              List<ByteRange> of = set.ranges();
              for (int from = 0; from < of.size(); from += MAX_RANGES) {
                StringBuilder entry = new StringBuilder(prefix);
                for (ByteRange range : of.subList(from, Math.min(of.size(), from + MAX_RANGES))) {
                  entry.append(' ').append(range.startBytes()).append('-').append(range.endBytes());
                }
                ranges.add(entry.toString());
              }
            });
    write(json, RANGES, ranges);
    List<String> records = new ArrayList<>();
    all.records().forEach((prefix, atMillis) -> records.add(prefix + " " + atMillis));
    write(json, RECORDS, records);
  }

  private static List<String> groups(Map<PackGroup, Integer> lastNumbers) {
    List<String> groups = new ArrayList<>();
    lastNumbers.forEach((group, last) -> groups.add(group + " " + last));
    return groups;
  }

  private static void write(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /**
   * Parses the content of an object.
   *
   * @param name its name, with which the content must agree
   * @throws DamagedRecordException if the content is not what {@link #write} writes
   * @throws UnsupportedFormatException if the object was written by a newer version
   */
  public static Receipt read(byte[] json, ReceiptName name)
      throws DamagedRecordException, UnsupportedFormatException {
    JsonFields fields = JsonFields.read(json, name.key(), FORMAT);
    if (!fields.text(AGENT).equals(name.agent())
        || !fields.text(RUN).equals(name.run().text())
        || fields.number(FIRST, 0, ReceiptName.MAX_NUMBER) != name.first()
        || fields.number(LAST, 0, ReceiptName.MAX_NUMBER) != name.last()) {
      throw fields.damaged(AGENT, "and the rest do not agree with the object's name");
    }
    Optional<Receipt.Previous> previous = Optional.empty();
    if (fields.has(PREVIOUS_RUN)) {
      int last = (int) fields.number(PREVIOUS_LAST, 0, ReceiptName.MAX_NUMBER);
      previous = Optional.of(new Receipt.Previous(group(fields.text(PREVIOUS_RUN), fields), last));
    }
    return new Receipt(
        name,
        previous,
        fields.number(AT_MILLIS, Long.MIN_VALUE, Long.MAX_VALUE),
        fields.isTrue(CLOSED),
        acknowledged(fields));
  }

  private static Acknowledged acknowledged(JsonFields fields) throws DamagedRecordException {
    Acknowledged all = new Acknowledged();
    for (String entry : fields.texts(PACKS, JsonFields.MAX_BYTES)) {
      String[] words = words(entry, 2, PACKS, fields);
      all.add(group(words[0], fields), (int) number(words[1], PACKS, fields));
    }
    if (fields.has(TREES)) { // Earlier writers named none.
      for (String entry : fields.texts(TREES, JsonFields.MAX_BYTES)) {
        String[] words = words(entry, 2, TREES, fields);
        all.addTree(group(words[0], fields), (int) number(words[1], TREES, fields));
      }
    }
    for (String entry : fields.texts(RANGES, JsonFields.MAX_BYTES)) {
      String[] words = words(entry, 0, RANGES, fields);
      for (int i = 1; i < words.length; i++) {
        all.add(words[0], range(words[i], fields));
      }
    }
    for (String entry : fields.texts(RECORDS, JsonFields.MAX_BYTES)) {
      String[] words = words(entry, 2, RECORDS, fields);
      all.add(words[0], number(words[1], RECORDS, fields));
    }
    return all;
  }

  private static String[] words(String entry, int count, String name, JsonFields fields)
      throws DamagedRecordException {
    String[] words = entry.split(" ", -1);
    if (words.length < 2 || (count > 0 && words.length != count)) {
      throw fields.damaged(name, "holds something else than entries");
    }
    return words;
  }

  private static PackGroup group(String text, JsonFields fields) throws DamagedRecordException {
    if (!PackGroup.isValid(text)) {
      throw fields.damaged(PACKS, "names a group that cannot be one");
    }
    return new PackGroup(text);
  }

  private static ByteRange range(String text, JsonFields fields) throws DamagedRecordException {
    String[] ends = text.split("-", -1);
    if (ends.length != 2) {
      throw fields.damaged(RANGES, "holds something else than ranges");
    }
    long start = number(ends[0], RANGES, fields);
    long end = number(ends[1], RANGES, fields);
    if (start >= end) {
      throw fields.damaged(RANGES, "holds an empty range");
    }
    return new ByteRange(start, end);
  }

  private static long number(String text, String name, JsonFields fields)
      throws DamagedRecordException {
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same as a number that is too low.
    }
    throw fields.damaged(name, "holds something else than numbers");
  }
}
