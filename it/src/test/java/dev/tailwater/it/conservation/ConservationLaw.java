package dev.tailwater.it.conservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.ArchiveContents;
import dev.tailwater.delivery.ArchiveContents.StreamContents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Compares what an archive holds with what the files were made to hold. */
final class ConservationLaw {
  private static final String VANISHED = "the file vanished while no agent watched";

  private final FileModel model;
  private final ArchiveContents archive;
  private final boolean begunAnew;

  /**
   * Creates the law of one archive.
   *
   * @param begunAnew whether an agent may have begun a new stream of every file
   */
  ConservationLaw(FileModel model, ArchiveContents archive, boolean begunAnew) {
    this.model = model;
    this.archive = archive;
    this.begunAnew = begunAnew;
  }

  /** The streams of every file, by epoch. */
  private Map<ModelFile, List<StreamContents>> byFile() {
    Map<StreamId, ModelFile> files = new HashMap<>();
    model.files().forEach(file -> files.put(file.firstStream(), file));
    Map<ModelFile, List<StreamContents>> byFile = new HashMap<>();
    for (StreamContents stream : archive.streams()) {
      ModelFile file = files.get(stream.id().withEpoch(0));
      assertTrue(file != null, stream.id() + " is the stream of no file: " + stream.birthPath());
      byFile.computeIfAbsent(file, _ -> new ArrayList<>()).add(stream);
    }
    byFile.values().forEach(streams -> streams.sort(Comparator.comparingInt(s -> s.id().epoch())));
    return byFile;
  }

  /** Throws with what is wrong, if anything is. */
  void check() {
    Map<ModelFile, List<StreamContents>> byFile = byFile();
    for (ModelFile file : model.files()) {
      List<StreamContents> streams = byFile.getOrDefault(file, List.of());
      streams.forEach(stream -> checkStream(file, stream));
      checkEachIsABirth(file, streams);
      checkWhatIsDue(file, streams);
      if (file.isLive()) {
        checkLive(file, streams);
      }
    }
    checkGaps();
  }

  private static void checkStream(ModelFile file, StreamContents stream) {
    String name = stream.id() + " of " + stream.birthPath();
    assertFalse(stream.holdsBytesTwice(), name + " holds bytes twice");
    long endBytes =
        stream.covered().ranges().stream().mapToLong(ByteRange::endBytes).max().orElse(0);
    assertTrue(
        file.mayHaveUnexplainedHoles() || stream.admitsLossOf(new ByteRange(0, endBytes)),
        name + " has a hole: " + stream);
    for (GapRecord gap : stream.gaps()) {
      boolean wasTrue = file.hasComeBack() && gap.reason().equals(VANISHED);
      assertTrue(
          wasTrue || stream.covered().missing(gap.range()).equals(List.of(gap.range())),
          name + " has a gap where it has bytes: " + stream);
    }
    stream
        .record()
        .flatMap(StreamRecord::end)
        .ifPresent(
            end ->
                assertTrue(
                    end.sizeBytes() == stream.prefix().length
                        || (file.mayHaveUnexplainedHoles()
                            && end.sizeBytes() < stream.prefix().length),
                    name + " ended elsewhere: " + end));
  }

  /**
   * Each stream is the beginning of one birth, of later births later streams. A rewrite may count
   * as a truncation: if the agent finds other bytes just before its position, a stream follows. An
   * agent that begins anew may deliver once more the birth that was delivered last. A stream goes
   * on in a later birth if nobody need have seen the truncation.
   */
  private void checkEachIsABirth(ModelFile file, List<StreamContents> streams) {
    int birth = 0;
    int version = 0;
    int last = 0;
    int largest = file.births().stream().mapToInt(ModelFile.Birth::largestBytes).max().orElse(0);
    for (StreamContents stream : streams) {
      byte[] held = stream.prefix();
      if (begunAnew) {
        birth = last;
        version = 0;
      }
      assertTrue(
          stream.gaps().stream().allMatch(gap -> gap.range().endBytes() <= largest),
          () -> stream.id() + " has a gap where " + file + " never had bytes: " + stream);
      OptionalInt reached = file.lastBirth(held, birth, version);
      while (birth < file.births().size() && reached.isEmpty()) {
        birth++;
        version = 0;
        reached = file.lastBirth(held, birth, version);
      }
      assertTrue(
          reached.isPresent(),
          () ->
              "stream "
                  + stream.id()
                  + " with "
                  + held.length
                  + " bytes is the beginning of no birth that is left of "
                  + file
                  + ": "
                  + sizes(file));
      last = birth;
      if (reached.getAsInt() > birth) {
        birth = reached.getAsInt();
        version = 0;
        continue;
      }
      version++;
      if (version > file.births().get(birth).version()) {
        birth++;
        version = 0;
      }
    }
  }

  private static List<Integer> sizes(ModelFile file) {
    return file.births().stream().map(ModelFile.Birth::sizeBytes).toList();
  }

  private static void checkWhatIsDue(ModelFile file, List<StreamContents> streams) {
    for (int i = 0; i < file.births().size(); i++) {
      ModelFile.Birth birth = file.births().get(i);
      int version = file.mayBeOutdated() ? 0 : birth.dueVersion();
      int number = i;
      assertTrue(
          birth.dueBytes() == 0
              || streams.stream()
                  .map(StreamContents::prefix)
                  .filter(held -> held.length >= birth.dueBytes())
                  .map(held -> Arrays.copyOf(held, birth.dueBytes()))
                  .anyMatch(held -> file.lastBirth(held, number, version).isPresent()),
          () ->
              "birth "
                  + number
                  + " of "
                  + file
                  + " lacks bytes: "
                  + birth.dueBytes()
                  + " of "
                  + birth.sizeBytes()
                  + " are due, as in version "
                  + version
                  + "; streams "
                  + streams);
    }
  }

  private static void checkLive(ModelFile file, List<StreamContents> streams) {
    assertFalse(streams.isEmpty(), file + " has no stream");
    StreamContents last = streams.getLast();
    byte[] held = last.prefix();
    boolean same =
        file.mayBeOutdated()
            ? held.length == file.current().sizeBytes() && mayBeOfCurrent(file, held)
            : Arrays.equals(file.current().bytes(), held);
    assertTrue(
        same,
        () ->
            file
                + " has "
                + file.current().sizeBytes()
                + " bytes, its last stream is "
                + last
                + " and differs from "
                + Arrays.mismatch(file.current().bytes(), held));
    assertTrue(
        last.record().flatMap(StreamRecord::end).isEmpty(), file + " has not ended: " + last);
  }

  private static boolean mayBeOfCurrent(ModelFile file, byte[] held) {
    int current = file.births().size() - 1;
    return IntStream.rangeClosed(0, current)
        .anyMatch(first -> file.mayBegin(held, first, 0, current));
  }

  /**
   * Bytes that the agent had seen and that are gone are in a gap record: of the stream that it took
   * them for when it saw them, or, if the file had been truncated by then, of the next.
   */
  private void checkGaps() {
    model
        .accountedBytes()
        .forEach(
            (id, seenBytes) -> {
              List<StreamContents> found =
                  archive.streams().stream().filter(s -> s.id().text().equals(id)).toList();
              assertEquals(1, found.size(), "streams " + id);
              ByteRange seen = new ByteRange(0, seenBytes);
              assertTrue(
                  found.getFirst().admitsLossOf(seen)
                      || next(found.getFirst()).filter(s -> s.admitsLossOf(seen)).isPresent(),
                  seenBytes + " bytes were seen of " + found.getFirst());
            });
  }

  private Optional<StreamContents> next(StreamContents stream) {
    StreamId next = stream.id().withEpoch(stream.id().epoch() + 1);
    return archive.streams().stream().filter(s -> s.id().equals(next)).findFirst();
  }
}
