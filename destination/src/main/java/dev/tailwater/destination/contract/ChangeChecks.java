package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.bytes;
import static dev.tailwater.destination.contract.CheckSupport.keys;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.CheckSupport.putNew;
import static dev.tailwater.destination.contract.CheckSupport.read;
import static dev.tailwater.destination.contract.CheckSupport.readAll;
import static dev.tailwater.destination.contract.CheckSupport.together;
import static dev.tailwater.destination.contract.Permission.CREATE;
import static dev.tailwater.destination.contract.Permission.DELETE;
import static dev.tailwater.destination.contract.Permission.LIST;
import static dev.tailwater.destination.contract.Permission.READ;
import static dev.tailwater.destination.contract.Permission.REPLACE;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The checks of {@link Destination#putObject} and {@link Destination#delete}. */
final class ChangeChecks {
  private static final CheckGroup GROUP = CheckGroup.CHANGE;
  private static final String STALE = "what is known of a stream can be an old state of it";

  private ChangeChecks() {}

  static List<Check> all() {
    return List.of(
        Check.vital(
                GROUP,
                "creates and replaces small objects",
                STALE,
                ChangeChecks::createsAndReplacesSmallObjects)
            .needing(CREATE, REPLACE, READ, LIST),
        Check.vital(
                GROUP,
                "replaces atomically",
                "the description of a stream can be read half old and half new",
                ChangeChecks::replacesAtomically)
            .needing(CREATE, REPLACE, READ),
        Check.vital(
                GROUP,
                "leaves one of several simultaneous versions",
                STALE,
                ChangeChecks::leavesOneOfSeveralSimultaneousVersions)
            .needing(CREATE, REPLACE, READ, LIST),
        Check.vital(
                GROUP,
                "does not let a segment replace a small object",
                "a segment can take the place of the description of its stream",
                ChangeChecks::doesNotLetASegmentReplaceASmallObject)
            .needing(CREATE, REPLACE, READ),
        Check.useful(
                GROUP,
                "does not show a deleted object to readers and lists",
                "what was removed seems to be there",
                ChangeChecks::deletesForReadersAndLists)
            .needing(CREATE, READ, LIST, DELETE),
        Check.useful(
                GROUP,
                "deletes what is not there without complaint",
                "removing again after a lost answer fails",
                ChangeChecks::deletesWhatIsNotThereWithoutComplaint)
            .needing(CREATE, LIST, DELETE),
        Check.useful(
                GROUP,
                "creates a deleted object anew",
                "what was removed cannot be delivered again",
                ChangeChecks::createsADeletedObjectAnew)
            .needing(CREATE, READ, LIST, DELETE));
  }

  private static void createsAndReplacesSmallObjects(CheckPlace source) throws Exception {
    Destination place = source.open();
    String key = "web-1/stream/stream.json";
    for (int length : new int[] {5, 5000, 0, 70_000, 3}) {
      byte[] content = bytes(length, length);
      place.putObject(key, content);
      Expect.bytes(bytes(length, length), content, "the caller's own bytes");
      Arrays.fill(content, (byte) 0);
      Expect.bytes(bytes(length, length), readAll(place, key), "the object");
      Expect.equal(List.of(key), keys(place, ""), "the list");
    }
  }

  private static void replacesAtomically(CheckPlace source) throws Exception {
    Destination place = source.open();
    place.putObject("flag", filled(0));
    AtomicBoolean done = new AtomicBoolean();
    together(
        3,
        thread ->
            () -> {
              if (thread == 0) {
                try {
                  for (int i = 1; i < 40; i++) {
                    place.putObject("flag", filled(i));
                  }
                } finally {
                  done.set(true);
                }
              } else {
                while (!done.get()) {
                  requireOneVersion(readAll(place, "flag"));
                }
              }
              return thread;
            });
    Expect.bytes(filled(39), readAll(place, "flag"), "the object at the end");
  }

  /** Fails if the bytes are a mixture of two versions. */
  private static void requireOneVersion(byte[] found) throws ContractViolationException {
    Expect.isTrue(found.length > 0, "the object is empty while it is replaced");
    Expect.bytes(filled(found[0]), found, "the object while it is replaced");
  }

  private static byte[] filled(int version) {
    byte[] content = new byte[30_000 + 1000 * version];
    Arrays.fill(content, (byte) version);
    return content;
  }

  private static void leavesOneOfSeveralSimultaneousVersions(CheckPlace source) throws Exception {
    Destination place = source.open();
    together(
        16,
        i ->
            () -> {
              place.putObject("flag", filled(i));
              return i;
            });
    requireOneVersion(readAll(place, "flag"));
    Expect.equal(List.of("flag"), keys(place, ""), "the list");
  }

  private static void doesNotLetASegmentReplaceASmallObject(CheckPlace source) throws Exception {
    Destination place = source.open();
    place.putObject("one", bytes(1, 10));
    Expect.equal(
        PutResult.ALREADY_EXISTS, put(place, "one", bytes(2, 20)), "a segment under its key");
    Expect.bytes(bytes(1, 10), readAll(place, "one"), "the object");
  }

  private static void deletesForReadersAndLists(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "a/1", new byte[1]);
    put(place, "a/2", new byte[2]);
    place.delete("a/1");
    Expect.failure(
        NoSuchObjectException.class, () -> read(place, "a/1", 0, 1), "a read of what was deleted");
    Expect.equal(List.of("a/2"), keys(place, ""), "the list");
  }

  private static void deletesWhatIsNotThereWithoutComplaint(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "a/1", new byte[1]);
    for (String key : List.of("never", "no/such/folder", "a", "a/1/below", "a/1", "a/1")) {
      place.delete(key);
    }
    Expect.equal(List.of(), keys(place, ""), "the list");
  }

  private static void createsADeletedObjectAnew(CheckPlace source) throws Exception {
    Destination place = source.open();
    for (int i = 0; i < 3; i++) {
      putNew(place, "again/and", bytes(i, 10 + i));
      Expect.bytes(bytes(i, 10 + i), readAll(place, "again/and"), "the object");
      place.delete("again/and");
    }
    Expect.equal(List.of(), keys(place, ""), "the list");
  }
}
