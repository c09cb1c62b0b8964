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

/** Compares what an archive holds with what the files were made to hold. */
final class ConservationLaw {
  private final FileModel model;
  private final ArchiveContents archive;

  ConservationLaw(FileModel model, ArchiveContents archive) {
    this.model = model;
    this.archive = archive;
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
      assertTrue(
          stream.covered().missing(gap.range()).equals(List.of(gap.range())),
          name + " has a gap where it has bytes: " + stream);
    }
    stream
        .record()
        .flatMap(StreamRecord::end)
        .ifPresent(
            end ->
                assertEquals(
                    stream.prefix().length, end.sizeBytes(), name + " ended elsewhere: " + end));
  }

  /** Each stream is the beginning of one birth, of later births later streams. */
  private static void checkEachIsABirth(ModelFile file, List<StreamContents> streams) {
    int next = 0;
    int largest = file.births().stream().mapToInt(ModelFile.Birth::sizeBytes).max().orElse(0);
    for (StreamContents stream : streams) {
      byte[] held = stream.prefix();
      assertTrue(
          stream.gaps().stream().allMatch(gap -> gap.range().endBytes() <= largest),
          () -> stream.id() + " has a gap where " + file + " never had bytes: " + stream);
      while (next < file.births().size() && !startsWith(file.births().get(next).bytes(), held)) {
        next++;
      }
      assertTrue(
          next < file.births().size(),
          () ->
              "stream "
                  + stream.id()
                  + " with "
                  + held.length
                  + " bytes is the beginning of no birth that is left of "
                  + file
                  + ": "
                  + sizes(file));
      next++;
    }
  }

  private static List<Integer> sizes(ModelFile file) {
    return file.births().stream().map(ModelFile.Birth::sizeBytes).toList();
  }

  private static void checkWhatIsDue(ModelFile file, List<StreamContents> streams) {
    for (int i = 0; i < file.births().size(); i++) {
      byte[] due = file.births().get(i).due();
      int number = i;
      assertTrue(
          due.length == 0 || streams.stream().anyMatch(s -> startsWith(s.prefix(), due)),
          () ->
              "birth "
                  + number
                  + " of "
                  + file
                  + " lacks bytes: "
                  + due.length
                  + " of "
                  + file.births().get(number).sizeBytes()
                  + " are due; streams "
                  + streams);
    }
  }

  private static void checkLive(ModelFile file, List<StreamContents> streams) {
    assertFalse(streams.isEmpty(), file + " has no stream");
    StreamContents last = streams.getLast();
    assertTrue(
        Arrays.equals(file.current().bytes(), last.prefix()),
        () -> file + " has " + file.current().sizeBytes() + " bytes, its last stream is " + last);
    assertTrue(
        last.record().flatMap(StreamRecord::end).isEmpty(), file + " has not ended: " + last);
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

  private static boolean startsWith(byte[] whole, byte[] beginning) {
    return whole.length >= beginning.length
        && Arrays.equals(whole, 0, beginning.length, beginning, 0, beginning.length);
  }
}
