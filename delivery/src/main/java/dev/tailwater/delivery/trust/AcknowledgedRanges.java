package dev.tailwater.delivery.trust;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes in segments, and the records of streams, that the destination has acknowledged to an
 * agent, as its signed receipts say: a few requests instead of one for each. For one thread.
 */
public final class AcknowledgedRanges {
  private static final int MAX_RECEIPT_BYTES = 2 << 20;

  private final Map<String, RangeSet> byPrefix;
  private final Set<String> described;

  private AcknowledgedRanges(Map<String, RangeSet> byPrefix, Set<String> described) {
    this.byPrefix = byPrefix;
    this.described = described;
  }

  /** Reads the receipts of an agent that a trusted key has signed; the others are counted. */
  public static AcknowledgedRanges read(Destination destination, String agent, ArchiveTrust trust)
      throws DestinationException {
    Acknowledged all = new Acknowledged();
    Set<String> described = new HashSet<>();
    for (ReceiptName name : names(destination, agent)) {
      try {
        byte[] json = read(destination, name.key());
        trust.keys().requireRecord(name.key(), agent, json);
        Acknowledged one = ReceiptJson.read(json, name).acknowledged();
        one.ranges().forEach((prefix, of) -> of.ranges().forEach(range -> all.add(prefix, range)));
        described.addAll(one.records().keySet());
      } catch (NoSuchObjectException | ColdObjectException e) {
        // It has become one with others meanwhile, or is in cold storage: their segments are looked
        // at.
      } catch (NotAuthenticException e) {
        trust.refuse(name.key(), e);
      } catch (ArchiveException e) {
        // Damaged, or of a newer version: the segments are looked at.
      }
    }
    return new AcknowledgedRanges(all.ranges(), described);
  }

  /** Lists the receipts of an agent, in the order of their names. */
  private static List<ReceiptName> names(Destination destination, String agent)
      throws DestinationException {
    List<ReceiptName> names = new ArrayList<>();
    ListedEntries all = new ListedEntries(destination, ReceiptName.prefix(agent));
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      ReceiptName.parse(next.get().key()).ifPresent(names::add);
    }
    return names;
  }

  private static byte[] read(Destination destination, String key) throws DestinationException {
    try (InputStream object = destination.read(key, 0, MAX_RECEIPT_BYTES)) {
      return object.readNBytes(MAX_RECEIPT_BYTES);
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), key, e);
    }
  }

  /** Returns whether a record of the stream was acknowledged. */
  public boolean describes(String streamPrefix) {
    return described.contains(streamPrefix);
  }

  /** Returns whether all bytes of a range were acknowledged. */
  public boolean contains(String streamPrefix, ByteRange range) {
    RangeSet of = byPrefix.get(streamPrefix);
    return of != null && of.contains(range);
  }
}
