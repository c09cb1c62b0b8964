package dev.tailwater.restore.list;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.restore.Authenticity;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.StoredSegment;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares an archive with what its agents have said in receipts that they delivered. What is
 * missing is noted. For one use by one thread.
 */
final class ReceiptCheck {
  private final SegmentSource source;
  private final ArchiveLister lister;
  private final Map<String, ArchivedDrain> ends = new HashMap<>();
  private final Authenticity authenticity;
  private final int jobs;

  /**
   * Creates a check.
   *
   * @param ends what agents have said when they ended, with a signature that counts
   */
  ReceiptCheck(
      SegmentSource source,
      ArchiveLister lister,
      List<ArchivedDrain> ends,
      Authenticity authenticity,
      int jobs) {
    this.source = source;
    this.lister = lister;
    ends.forEach(end -> this.ends.put(end.agent(), end));
    this.authenticity = authenticity;
    this.jobs = jobs;
  }

  /**
   * Checks all agents that were listed.
   *
   * @throws IOException the thread was interrupted, or the receipts cannot be listed again
   */
  void run() throws IOException {
    SortedMap<String, List<ReceiptName>> byAgent = new TreeMap<>();
    for (ReceiptName name : lister.receipts()) {
      byAgent.computeIfAbsent(name.agent(), _ -> new ArrayList<>()).add(name);
    }
    SortedSet<String> agents = new TreeSet<>(lister.agents());
    agents.addAll(ends.keySet());
    for (String agent : agents) {
      List<ReceiptName> names = byAgent.getOrDefault(agent, List.of());
      if (names.isEmpty()) {
        noteNone(agent);
      } else {
        check(agent, read(agent, names));
      }
    }
    for (String agent : authenticity.trust().agents()) {
      if (!lister.agents().contains(agent) && lister.isOfEveryAgent()) {
        authenticity.noteIncomplete("agent " + agent + " is trusted, and nothing of it is there");
      }
    }
  }

  /**
   * An agent that has ended and had delivered something before has written a receipt, unless it
   * said itself that it had not by then, and was killed before it wrote the last one.
   */
  private void noteNone(String agent) {
    ArchivedDrain end = ends.get(agent);
    boolean delivered =
        lister.agents().contains(agent) || (end != null && end.leftBehind().hasComplete());
    if (end != null && delivered && !end.leftBehind().noReceiptYet()) {
      authenticity.noteIncomplete(
          "of agent "
              + agent
              + ", all receipts are missing: it said at "
              + end.at()
              + " that it ended, and when it ends it writes one of what it has delivered");
    } else {
      authenticity.note(
          "agent "
              + agent
              + " has written no receipt: whether something was removed cannot be told");
    }
  }

  /** Reads the receipts that no other one covers. */
  private List<Receipt> read(String agent, List<ReceiptName> listed) throws IOException {
    List<ReceiptName> names = listed;
    for (int i = 0; ; i++) {
      List<ReceiptName> wanted = uncovered(names);
      List<Receipt> receipts = Collections.synchronizedList(new ArrayList<>());
      List<ReceiptName> gone = Collections.synchronizedList(new ArrayList<>());
      Jobs.forEach(
          "restore-receipts",
          wanted,
          jobs,
          name -> {
            try {
              receipts.add(ReceiptJson.read(source.record(name.key(), agent), name));
            } catch (NoSuchObjectException e) {
              gone.add(name);
            } catch (NotAuthenticException e) {
              // It is noted, and its numbers are missing.
            } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
              authenticity.noteIncomplete(name.key() + " cannot be read: " + e.getMessage());
            }
          });
      if (gone.isEmpty() || i == SegmentSource.MAX_LISTINGS) {
        return receipts;
      }
      names = lister.receiptsAgain(agent); // Several were made one meanwhile.
    }
  }

  private static List<ReceiptName> uncovered(List<ReceiptName> names) {
    List<ReceiptName> sorted = names.stream().sorted().toList();
    List<ReceiptName> uncovered = new ArrayList<>();
    for (ReceiptName name : sorted) {
      // What covers others comes before these.
      if (uncovered.isEmpty() || !uncovered.getLast().covers(name)) {
        uncovered.add(name);
      }
    }
    return uncovered;
  }

  private void check(String agent, List<Receipt> receipts) throws IOException {
    Acknowledged all = new Acknowledged();
    Map<PackGroup, RangeSet> numbers = new TreeMap<>();
    Map<PackGroup, Integer> claimed = new HashMap<>();
    Optional<Receipt> newest = Optional.empty();
    for (Receipt receipt : receipts) {
      ReceiptName name = receipt.name();
      all.addAll(receipt.acknowledged());
      numbers
          .computeIfAbsent(name.run(), _ -> new RangeSet())
          .add(new ByteRange(name.first(), name.last() + 1L));
      claimed.merge(name.run(), name.last(), Math::max);
      receipt.previous().ifPresent(before -> claimed.merge(before.run(), before.last(), Math::max));
      if (newest.isEmpty() || isLater(name, newest.get().name())) {
        newest = Optional.of(receipt);
      }
    }
    claimed.forEach(
        (run, last) -> {
          for (ByteRange missing : missing(numbers.get(run), last)) {
            authenticity.noteIncomplete(
                "of agent "
                    + agent
                    + ", the receipts "
                    + span(missing)
                    + " of run "
                    + run
                    + " are missing");
          }
        });
    if (!missing(agent, all, lister).isEmpty()) {
      // A running agent may have delivered, or merged, what was not there when it was listed.
      ArchiveLister now = lister.again(ArchiveNames.agentPrefix(agent));
      readRecords(all, now);
      missing(agent, all, now).forEach(authenticity::noteIncomplete);
    }
    newest.ifPresent(last -> authenticity.note(sentence(agent, last)));
  }

  private static boolean isLater(ReceiptName one, ReceiptName other) {
    int byRun = one.run().compareTo(other.run());
    return byRun > 0 || (byRun == 0 && one.last() > other.last());
  }

  private static List<ByteRange> missing(@Nullable RangeSet have, int last) {
    ByteRange wanted = new ByteRange(0, last + 1L);
    return have == null ? List.of(wanted) : have.missing(wanted);
  }

  private static String span(ByteRange numbers) {
    return numbers.startBytes() + " to " + (numbers.endBytes() - 1);
  }

  /** Returns a sentence for everything that was acknowledged and is not in a listing. */
  private List<String> missing(String agent, Acknowledged all, ArchiveLister listing) {
    List<String> missing = new ArrayList<>();
    addPacks(agent, PackName.Folder.PACKS, all.packs(), listing.packNames(), missing);
    List<PackName> trees = listing.treePacks().stream().map(ListedPack::name).toList();
    addPacks(agent, PackName.Folder.TREE, all.trees(), trees, missing);
    addStreams(all, listing, missing);
    return missing;
  }

  /** Finds out when the records that were listed again were signed. */
  private void readRecords(Acknowledged all, ArchiveLister listing) throws IOException {
    for (String prefix : all.records().keySet()) {
      Optional<ListedStream> stream = listing.stream(prefix).filter(found -> found.hasRecord);
      if (stream.isPresent()) {
        String key = ArchiveNames.streamObject(prefix);
        try {
          byte[] json = source.record(key, stream.get().name.agent());
          stream.get().recordSignedAtMillis = source.signedAtMillis(json);
        } catch (ArchiveException | DestinationException | SegmentSource.OversizedException e) {
          // Whoever reads the stream has noted it.
        }
      }
    }
  }

  private static void addPacks(
      String agent,
      PackName.Folder folder,
      Map<PackGroup, Integer> lastNumbers,
      List<PackName> names,
      List<String> sentences) {
    Map<PackGroup, RangeSet> listed = new HashMap<>();
    for (PackName pack : names) {
      PackId id = pack.id();
      if (id.agent().equals(agent)) {
        listed
            .computeIfAbsent(id.group(), _ -> new RangeSet())
            .add(new ByteRange(id.first(), id.last() + 1L));
      }
    }
    lastNumbers.forEach(
        (group, last) -> {
          for (ByteRange missing : missing(listed.get(group), last)) {
            sentences.add(
                PackName.prefix(agent, folder)
                    + group
                    + "/: the packs "
                    + span(missing)
                    + " were delivered and are missing");
          }
        });
  }

  private void addStreams(Acknowledged all, ArchiveLister listing, List<String> sentences) {
    all.ranges()
        .forEach(
            (prefix, ranges) -> {
              RangeSet there = new RangeSet();
              listing.stream(prefix).ifPresent(stream -> addNamed(stream, there));
              // Of packs that were listed again only numbers are looked at: they are not read.
              lister.stream(prefix).ifPresent(stream -> addPacked(stream, there));
              for (ByteRange range : ranges.ranges()) {
                for (ByteRange missing : there.missing(range)) {
                  sentences.add(
                      prefix + ": the bytes " + missing + " were delivered and are missing");
                }
              }
            });
    all.records()
        .forEach(
            (prefix, atMillis) -> {
              Optional<ListedStream> stream = listing.stream(prefix);
              if (stream.isEmpty() || !stream.get().hasRecord) {
                sentences.add(ArchiveNames.streamObject(prefix) + " was written and is missing");
              } else if (stream.get().recordSignedAtMillis.isPresent()
                  && stream.get().recordSignedAtMillis.getAsLong() < atMillis) {
                sentences.add(
                    ArchiveNames.streamObject(prefix) + " is an older one than the agent's last");
              }
            });
  }

  /** Adds what a stream has, and what is explained, by the names of its objects. */
  private static void addNamed(ListedStream stream, RangeSet covered) {
    for (StoredSegment segment : stream.segments()) {
      if (segment.pack().isEmpty()) {
        covered.add(segment.range());
      }
    }
    stream.gaps().forEach(covered::add);
  }

  /** Adds what packs have of a stream, and what they explain. */
  private static void addPacked(ListedStream stream, RangeSet covered) {
    for (StoredSegment segment : stream.segments()) {
      if (segment.pack().isPresent() && segment.revision() == 0) {
        covered.add(segment.range());
      }
    }
    stream.explained().forEach(gap -> covered.add(gap.range()));
  }

  private String sentence(String agent, Receipt last) {
    // The record of an end is made before the receipt that is written then.
    Optional<ArchivedDrain> laterEnd =
        Optional.ofNullable(ends.get(agent))
            .filter(end -> end.at().toEpochMilli() > last.atMillis());
    return "agent "
        + agent
        + " said last at "
        + Instant.ofEpochMilli(last.atMillis())
        + " what it had delivered"
        + (last.closed() ? ", and that it ended" : ", and not that it ended")
        + laterEnd
            .map(
                end ->
                    "; it ended at "
                        + end.at()
                        + " without a receipt: in that run it delivered nothing, was killed in that"
                        + " moment, or its receipts are missing")
            .orElse("");
  }
}
