package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.bytes;
import static dev.tailwater.destination.contract.CheckSupport.keys;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.CheckSupport.putNew;
import static dev.tailwater.destination.contract.CheckSupport.read;
import static dev.tailwater.destination.contract.CheckSupport.readAll;
import static dev.tailwater.destination.contract.CheckSupport.together;
import static dev.tailwater.destination.contract.Permission.CREATE;
import static dev.tailwater.destination.contract.Permission.LIST;
import static dev.tailwater.destination.contract.Permission.READ;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The checks of {@link Destination#beginSegment}. */
final class UploadChecks {
  private static final int MEBIBYTE = 1 << 20;

  /**
   * More than any destination buffers in memory, so that part of it is stored before the commit.
   */
  private static final int LARGE_BYTES = 17 * MEBIBYTE + 3;

  private static final String MERGED = "a merged segment";
  private static final CheckGroup GROUP = CheckGroup.UPLOAD;

  private UploadChecks() {}

  static List<Check> all() {
    return List.of(
        Check.vital(
                GROUP,
                "creates an object of exactly the pieces that were written",
                MERGED + " is not what was sealed",
                UploadChecks::createsAnObjectOfItsPieces)
            .needing(CREATE, READ, LIST),
        Check.vital(
                GROUP,
                "creates a large object from many pieces",
                MERGED + " of many mebibytes arrives damaged or not at all",
                UploadChecks::createsALargeObject)
            .needing(CREATE, READ, LIST)
            .lengthy(),
        Check.vital(
                GROUP,
                "shows nothing of an object before it is committed",
                "a restore beside a running agent can see half of " + MERGED,
                UploadChecks::showsNothingBeforeTheCommit)
            .needing(CREATE, READ, LIST)
            .touching(Deviation.LISTS_UNFINISHED_OBJECTS)
            .lengthy(),
        Check.vital(
                GROUP,
                "leaves nothing of an object that is closed without a commit",
                "what was given up can be taken for " + MERGED,
                UploadChecks::leavesNothingWithoutACommit)
            .needing(CREATE, LIST)
            .lengthy(),
        Check.useful(
                GROUP,
                "takes away what was written of an object that is given up",
                "what is left of an interrupted merge stays and is paid for until somebody removes"
                    + " it, on S3 a lifecycle rule; ship works without it",
                UploadChecks::takesAwayWhatWasGivenUp)
            .needing(CREATE)
            .lengthy(),
        Check.vital(
                GROUP,
                "leaves an existing object untouched by a commit",
                MERGED + " that is sent again can replace a good one",
                UploadChecks::leavesAnExistingObjectUntouched)
            .needing(CREATE, READ, LIST)
            .lengthy(),
        Check.vital(
            GROUP,
            "lets exactly one of eight simultaneous commits create the object",
            "two agents that merge the same stream can overwrite each other's segment",
            UploadChecks::letsExactlyOneCommitCreateTheObject));
  }

  /** Writes the content in pieces of the given length, and the rest. */
  private static void write(SegmentUpload upload, byte[] content, int pieceBytes)
      throws IOException {
    for (int from = 0; from < content.length; from += pieceBytes) {
      upload.write(ByteBuffer.wrap(content, from, Math.min(pieceBytes, content.length - from)));
    }
  }

  private static PutResult create(Destination place, String key, byte[] content, int pieceBytes)
      throws IOException {
    try (SegmentUpload upload = place.beginSegment(key)) {
      write(upload, content, pieceBytes);
      return upload.commit();
    }
  }

  private static void createsAnObjectOfItsPieces(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(1, 700_000);
    byte[] reused = new byte[300_000];
    try (SegmentUpload upload = place.beginSegment("web-1/log/0-7.zst")) {
      int from = 0;
      for (int length : List.of(0, 1, 4_095, 300_000, 100_000, 295_904)) {
        System.arraycopy(content, from, reused, 0, length);
        ByteBuffer piece = ByteBuffer.wrap(reused, 0, length);
        upload.write(piece);
        Expect.equal(0, piece.position(), "the position of a piece");
        Expect.equal(length, piece.limit(), "the limit of a piece");
        Arrays.fill(reused, (byte) 0);
        from += length;
      }
      Expect.equal(PutResult.CREATED, upload.commit(), "the commit");
    }
    Expect.bytes(content, readAll(place, "web-1/log/0-7.zst"), "the object");
    Expect.equal(
        PutResult.CREATED, create(place, "empty", new byte[0], 1), "the commit of nothing");
    Expect.bytes(new byte[0], readAll(place, "empty"), "the empty object");
    Expect.equal(List.of("empty", "web-1/log/0-7.zst"), keys(place, ""), "the list");
  }

  private static void createsALargeObject(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(2, LARGE_BYTES);
    Expect.equal(PutResult.CREATED, create(place, "large", content, MEBIBYTE + 1), "the commit");
    Expect.bytes(content, readAll(place, "large"), "the object");
    List<Long> sizes =
        place.list("", Optional.empty(), 10).entries().stream().map(Entry::sizeBytes).toList();
    Expect.equal(List.of((long) LARGE_BYTES), sizes, "the listed sizes");
  }

  private static void showsNothingBeforeTheCommit(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(3, LARGE_BYTES);
    try (SegmentUpload upload = place.beginSegment("hidden/large")) {
      write(upload, content, MEBIBYTE);
      requireNothing(source, place);
      Expect.equal(PutResult.CREATED, upload.commit(), "the commit");
    }
    Expect.bytes(content, readAll(place, "hidden/large"), "the object");
    Expect.equal(List.of("hidden/large"), keys(place, ""), "the list at the end");
  }

  private static void requireNothing(CheckPlace source, Destination place) throws Exception {
    List<String> seen = new ArrayList<>(keys(place, ""));
    if (source.has(Deviation.LISTS_UNFINISHED_OBJECTS)) {
      seen.removeIf(key -> !key.equals("hidden/large"));
    }
    Expect.equal(List.of(), seen, "the list while nothing is committed");
    Expect.failure(
        NoSuchObjectException.class,
        () -> read(place, "hidden/large", 0, 1),
        "a read of what is not committed");
  }

  private static void leavesNothingWithoutACommit(CheckPlace source) throws Exception {
    Destination place = source.open();
    for (int length : List.of(0, 1000, LARGE_BYTES)) {
      SegmentUpload upload = place.beginSegment("given/up");
      write(upload, bytes(4, length), MEBIBYTE);
      closeWhateverIsLeft(upload);
      Expect.equal(List.of(), keys(place, ""), "the list after " + length + " bytes given up");
    }
    SegmentUpload twice = place.beginSegment("given/up");
    twice.close();
    twice.close();
    Expect.failure(IllegalStateException.class, twice::commit, "a commit after a close");
    putNew(place, "given/up", bytes(5, 10));
    Expect.equal(List.of("given/up"), keys(place, ""), "the list at the end");
  }

  /**
   * Closes the upload, ignoring a permanent failure; another check tests whether this removes what
   * was written.
   */
  private static void closeWhateverIsLeft(SegmentUpload upload) throws DestinationException {
    try {
      upload.close();
    } catch (DestinationException e) {
      if (!e.permanent()) {
        throw e;
      }
    }
  }

  private static void takesAwayWhatWasGivenUp(CheckPlace source) throws Exception {
    Destination place = source.open();
    try (SegmentUpload upload = place.beginSegment("given/up")) {
      write(upload, bytes(9, LARGE_BYTES), MEBIBYTE);
    }
  }

  private static void leavesAnExistingObjectUntouched(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] first = bytes(6, 1000);
    putNew(place, "a/b", first);
    for (int length : List.of(0, 1000, LARGE_BYTES)) {
      SegmentUpload upload = place.beginSegment("a/b");
      write(upload, bytes(7, length), MEBIBYTE);
      Expect.equal(
          PutResult.ALREADY_EXISTS, upload.commit(), "a commit of " + length + " bytes over 1000");
      closeWhateverIsLeft(upload);
      Expect.bytes(first, readAll(place, "a/b"), "the object after that");
    }
    Expect.equal(PutResult.CREATED, create(place, "c", bytes(8, 100), 10), "another commit");
    Expect.equal(PutResult.ALREADY_EXISTS, put(place, "c", first), "a put over what it created");
    Expect.equal(List.of("a/b", "c"), keys(place, ""), "the list");
  }

  private static void letsExactlyOneCommitCreateTheObject(CheckPlace source) throws Exception {
    Destination place = source.open();
    for (int round = 0; round < 3; round++) {
      String key = "contested/" + round;
      List<PutResult> results =
          together(8, i -> () -> create(place, key, bytes(i, 20_000 + i), 7_000));
      Expect.equal(
          1, Collections.frequency(results, PutResult.CREATED), "how many of 8 commits created it");
      int winner = results.indexOf(PutResult.CREATED);
      Expect.bytes(
          bytes(winner, 20_000 + winner),
          readAll(place, key),
          "the object, created by commit " + winner);
    }
  }
}
