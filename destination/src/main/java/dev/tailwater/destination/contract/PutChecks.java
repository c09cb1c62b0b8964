package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.bytes;
import static dev.tailwater.destination.contract.CheckSupport.keys;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.CheckSupport.putNew;
import static dev.tailwater.destination.contract.CheckSupport.readAll;
import static dev.tailwater.destination.contract.CheckSupport.together;
import static dev.tailwater.destination.contract.Permission.CREATE;
import static dev.tailwater.destination.contract.Permission.LIST;
import static dev.tailwater.destination.contract.Permission.READ;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The checks of {@link Destination#putSegment}. */
final class PutChecks {
  private static final int MEBIBYTE = 1 << 20;
  private static final List<Integer> LENGTHS =
      List.of(0, 1, 511, 4095, 4096, 4097, 256 * 1024, 256 * 1024 + 1, 8 * MEBIBYTE + 3);
  private static final CheckGroup GROUP = CheckGroup.PUT;

  private PutChecks() {}

  static List<Check> all() {
    List<Check> checks = new ArrayList<>();
    for (int length : LENGTHS) {
      checks.add(createsAnObjectOfExactlyTheseBytes(length));
    }
    checks.add(
        Check.vital(
                GROUP,
                "leaves an existing object untouched, whatever it contains",
                "a segment that is sent again after a lost answer can replace a good one",
                PutChecks::leavesAnExistingObjectUntouched)
            .needing(CREATE, READ, LIST));
    checks.add(
        Check.vital(
            GROUP,
            "takes the bytes from position to limit and leaves the buffer as it was",
            "what is delivered is not what was sealed",
            PutChecks::takesTheBytesFromPositionToLimit));
    checks.add(
        Check.vital(
            GROUP,
            "does not use the buffer after the return",
            "the bytes of the next segment can get into this one",
            PutChecks::doesNotUseTheBufferAfterTheReturn));
    checks.add(
        Check.vital(
            GROUP,
            "lets exactly one of sixteen simultaneous puts create the object",
            "two agents that deliver the same stream can overwrite each other's segment",
            PutChecks::letsExactlyOneOfSixteenSimultaneousPutsCreateTheObject));
    checks.add(
        Check.vital(
                GROUP,
                "keeps many simultaneous puts apart",
                "parallel deliveries mix up their bytes",
                PutChecks::keepsManySimultaneousPutsApart)
            .lengthy());
    checks.add(
        Check.vital(
                GROUP,
                "never shows a part of an object",
                "a restore beside a running agent can see half a segment, and a power cut can leave"
                    + " one",
                PutChecks::neverShowsAPartOfAnObject)
            .needing(CREATE, READ, LIST)
            .touching(Deviation.LISTS_UNFINISHED_OBJECTS)
            .lengthy());
    checks.add(
        Check.vital(
                GROUP,
                "keeps objects when it is closed and opened again",
                "what one process delivered is not there for the next",
                PutChecks::keepsObjectsWhenItIsClosedAndOpenedAgain)
            .needing(CREATE, READ, LIST, Permission.REPLACE));
    return checks;
  }

  private static Check createsAnObjectOfExactlyTheseBytes(int length) {
    Check check =
        Check.vital(
                GROUP,
                "creates an object of exactly these " + length + " bytes",
                "segments of some lengths arrive damaged or not at all",
                place -> createsAnObjectOfExactlyTheseBytes(place, length))
            .needing(CREATE, READ, LIST);
    return length > MEBIBYTE ? check.lengthy() : check;
  }

  private static void createsAnObjectOfExactlyTheseBytes(CheckPlace source, int length)
      throws Exception {
    Destination place = source.open();
    byte[] content = bytes(length, length);
    putNew(place, "web-1/log/0-1.zst", content);
    Expect.bytes(content, readAll(place, "web-1/log/0-1.zst"), "the object");
    List<Entry> listed = place.list("", Optional.empty(), 10).entries();
    Expect.isTrue(!listed.isEmpty(), "the object is not in the list");
    Entry entry = listed.getFirst();
    Expect.equal("web-1/log/0-1.zst", entry.key(), "the listed key");
    Expect.equal((long) length, entry.sizeBytes(), "the listed size");
    Expect.isTrue(entry.modifiedMillis() > 0, "the listed object has no time");
  }

  private static void leavesAnExistingObjectUntouched(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] first = bytes(1, 1000);
    putNew(place, "a/b", first);
    for (byte[] later : List.of(first, bytes(2, 5000), new byte[0])) {
      Expect.equal(
          PutResult.ALREADY_EXISTS,
          put(place, "a/b", later),
          "a put of " + later.length + " bytes over 1000");
    }
    Expect.bytes(first, readAll(place, "a/b"), "the object after three more puts");
    Expect.equal(List.of("a/b"), keys(place, ""), "the list");
  }

  private static void takesTheBytesFromPositionToLimit(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] staging = bytes(3, 10_000);
    byte[] wanted = Arrays.copyOfRange(staging, 100, 9_000);
    ByteBuffer part = ByteBuffer.wrap(staging);
    part.position(100).limit(9_000);
    ByteBuffer direct = ByteBuffer.allocateDirect(10_000).put(staging).position(100).limit(9_000);
    List<ByteBuffer> buffers =
        List.of(part, part.slice(), part.asReadOnlyBuffer(), direct, direct.slice());
    for (int i = 0; i < buffers.size(); i++) {
      ByteBuffer buffer = buffers.get(i);
      int position = buffer.position();
      int limit = buffer.limit();
      Expect.equal(PutResult.CREATED, place.putSegment("part/" + i, buffer), "put " + i);
      Expect.equal(position, buffer.position(), "the position of buffer " + i);
      Expect.equal(limit, buffer.limit(), "the limit of buffer " + i);
      Expect.bytes(wanted, readAll(place, "part/" + i), "object " + i);
    }
    Expect.bytes(bytes(3, 10_000), staging, "the caller's own bytes");
  }

  private static void doesNotUseTheBufferAfterTheReturn(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] staging = bytes(4, 300_000);
    putNew(place, "staged", staging);
    Arrays.fill(staging, (byte) 0);
    Expect.bytes(bytes(4, 300_000), readAll(place, "staged"), "the object");
  }

  private static void letsExactlyOneOfSixteenSimultaneousPutsCreateTheObject(CheckPlace source)
      throws Exception {
    Destination place = source.open();
    Destination other = source.open();
    for (int round = 0; round < 5; round++) {
      String key = "contested/" + round;
      List<PutResult> results =
          together(16, i -> () -> put(i % 2 == 0 ? place : other, key, bytes(i, 20_000 + i)));
      Expect.equal(
          1, Collections.frequency(results, PutResult.CREATED), "how many of 16 puts created it");
      int winner = results.indexOf(PutResult.CREATED);
      Expect.bytes(
          bytes(winner, 20_000 + winner),
          readAll(place, key),
          "the object, created by put " + winner);
    }
  }

  private static void keepsManySimultaneousPutsApart(CheckPlace source) throws Exception {
    Destination place = source.open();
    List<PutResult> results =
        together(16, i -> () -> put(place, "many/" + i % 4 + "/" + i, bytes(i, 600_000 + 7 * i)));
    Expect.equal(16, Collections.frequency(results, PutResult.CREATED), "how many were created");
    for (int i = 0; i < 16; i++) {
      Expect.bytes(
          bytes(i, 600_000 + 7 * i), readAll(place, "many/" + i % 4 + "/" + i), "object " + i);
    }
  }

  private static void neverShowsAPartOfAnObject(CheckPlace source) throws Exception {
    Destination place = source.open();
    Destination readersPlace = source.open();
    int count = 12;
    AtomicBoolean done = new AtomicBoolean();
    together(
        2,
        thread ->
            () -> {
              if (thread == 0) {
                try {
                  for (int i = 0; i < count; i++) {
                    putNew(place, "growing/" + i, bytes(i, MEBIBYTE + i));
                  }
                } finally {
                  done.set(true);
                }
              } else {
                while (!done.get()) {
                  requireWholeObjects(source, readersPlace, count);
                }
              }
              return thread;
            });
    requireWholeObjects(source, readersPlace, count);
    Expect.equal(count, keys(place, "growing/").size(), "how many are listed at the end");
  }

  private static void requireWholeObjects(CheckPlace source, Destination place, int count)
      throws IOException, ContractViolationException {
    for (Entry entry : place.list("", Optional.empty(), 100).entries()) {
      boolean known = entry.key().matches("growing/[0-9]{1,2}");
      if (!known && source.has(Deviation.LISTS_UNFINISHED_OBJECTS)) {
        continue;
      }
      Expect.isTrue(known, "an object is listed that nobody put: " + entry.key());
      int i = Integer.parseInt(entry.key().substring("growing/".length()));
      Expect.equal(
          (long) MEBIBYTE + i, entry.sizeBytes(), "the listed size of an object being written");
    }
    for (int i = count - 1; i >= 0; i -= 3) {
      byte[] found;
      try {
        found = readAll(place, "growing/" + i);
      } catch (NoSuchObjectException e) {
        Expect.equal("growing/" + i, e.key(), "the key that is not there yet");
        continue;
      }
      Expect.bytes(bytes(i, MEBIBYTE + i), found, "an object being written");
    }
  }

  private static void keepsObjectsWhenItIsClosedAndOpenedAgain(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "kept/segment", bytes(5, 100));
    place.putObject("kept/object", bytes(6, 10));
    Destination again = source.reopen(place);
    Expect.equal(List.of("kept/object", "kept/segment"), keys(again, ""), "the list");
    Expect.bytes(bytes(5, 100), readAll(again, "kept/segment"), "the segment");
    Expect.bytes(bytes(6, 10), readAll(again, "kept/object"), "the small object");
    Expect.equal(
        PutResult.ALREADY_EXISTS, put(again, "kept/segment", bytes(7, 3)), "one more put of it");
  }
}
