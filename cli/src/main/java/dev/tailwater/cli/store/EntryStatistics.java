package dev.tailwater.cli.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.report.Bars;
import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.store.Entry;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Statistics of entries: by length of value, tags, expiry and versions. */
public final class EntryStatistics {
  private static final int LENGTHS = 28;
  private static final int SHOWN_TAGS = 10;

  /** The most tags that are counted one by one; further tags are counted together. */
  private static final int MOST_TAGS = 10_000;

  private final long nowMillis;
  private final long[] lengths = new long[LENGTHS];
  private final Map<String, Long> tags = new HashMap<>();
  private long otherTags;
  private long entries;
  private long bytes;
  private long valueBytes;
  private long expiring;
  private long expired;
  private long oldestVersion = Long.MAX_VALUE;
  private long newestVersion;

  /** Creates statistics as of this time. */
  public EntryStatistics(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** Counts an entry. */
  public void add(Entry entry) {
    entries++;
    bytes += entry.key().length + (long) entry.value().length;
    valueBytes += entry.value().length;
    lengths[Long.SIZE - Long.numberOfLeadingZeros(entry.value().length)]++;
    expired += entry.isExpired(nowMillis) ? 1 : 0;
    expiring += entry.expiresAtMillis().isPresent() ? 1 : 0;
    oldestVersion = Math.min(oldestVersion, entry.version());
    newestVersion = Math.max(newestVersion, entry.version());
    for (String tag : entry.tags()) {
      if (tags.containsKey(tag) || tags.size() < MOST_TAGS) {
        tags.merge(tag, 1L, Long::sum);
      } else {
        otherTags++;
      }
    }
  }

  /** Returns the length of all keys and values. */
  public long bytes() {
    return bytes;
  }

  /** Prints tables. */
  public void print(PrintStream out) {
    out.println();
    new Table("", "")
        .row("values", ByteSizes.forPeople(valueBytes))
        .row("with an expiry", expiring + ", of which expired " + expired)
        .row("versions", entries == 0 ? "-" : oldestVersion + " to " + newestVersion)
        .row("tags", Integer.toString(tags.size()) + (otherTags > 0 ? " and more" : ""))
        .print(out);
    if (entries > 0) {
      out.println();
      Bars bars = new Bars("VALUE", "ENTRIES");
      for (int i = first(); i <= last(); i++) {
        bars.add(i == 0 ? "empty" : "< " + ByteSizes.format(1L << i), lengths[i]);
      }
      bars.print(out);
    }
    if (!tags.isEmpty()) {
      out.println();
      Table table = new Table("TAG", ">KEYS");
      tags.entrySet().stream()
          .sorted(
              Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                  .thenComparing(Map.Entry.comparingByKey()))
          .limit(SHOWN_TAGS)
          .forEach(tag -> table.row(Printable.line(tag.getKey()), Long.toString(tag.getValue())));
      table.print(out);
    }
  }

  private int first() {
    int first = 0;
    while (lengths[first] == 0) {
      first++;
    }
    return first;
  }

  private int last() {
    int last = LENGTHS - 1;
    while (lengths[last] == 0) {
      last--;
    }
    return last;
  }

  /** Writes the statistics as fields. */
  public void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("entries");
    json.writeNumberField("count", entries);
    json.writeNumberField("valueBytes", valueBytes);
    json.writeNumberField("expiring", expiring);
    json.writeNumberField("expired", expired);
    if (entries > 0) {
      json.writeNumberField("oldestVersion", oldestVersion);
      json.writeNumberField("newestVersion", newestVersion);
    }
    json.writeArrayFieldStart("valueLengths");
    for (int i = 0; i < LENGTHS; i++) {
      if (lengths[i] > 0) {
        json.writeStartObject();
        json.writeNumberField("belowBytes", 1L << i);
        json.writeNumberField("entries", lengths[i]);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeObjectFieldStart("tags");
    for (String tag : tags.keySet().stream().sorted().toList()) {
      json.writeNumberField(tag, tags.getOrDefault(tag, 0L));
    }
    json.writeEndObject();
    json.writeEndObject();
  }
}
