package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.contract.Permission;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The test of permissions, one by one, on two small objects. */
final class PermissionStep {
  static final int TRIED = 7;
  private static final String SEGMENT = "segment";
  private static final String OBJECT = "object.json";
  private static final byte[] CONTENT =
      "Written by 'tailwater probe'; it can be removed.\n".getBytes(StandardCharsets.UTF_8);

  private final Destination place;
  private final Trials trials;
  private final Set<Permission> granted = EnumSet.noneOf(Permission.class);

  /**
   * @param each runs after each that was tried
   */
  PermissionStep(Destination place, Runnable each) {
    this.place = place;
    this.trials = new Trials(each);
  }

  List<Finding> findings() {
    return trials.findings();
  }

  Set<Permission> granted() {
    return granted;
  }

  /** Whether the destination has answered any call. */
  boolean reached() {
    return trials.reached();
  }

  void run() throws InterruptedException {
    permission(
        Permission.CREATE,
        "create an object",
        "ship cannot deliver anything",
        true,
        () -> unlessIs(PutResult.CREATED, put()));
    if (granted.contains(Permission.CREATE)) {
      createOnly();
    } else {
      skip("keep what is there", Permission.CREATE);
    }
    permission(
        Permission.LIST,
        "list objects",
        "ls, verify and restore do not find the archive, and an agent without its state does not"
            + " start",
        false,
        this::list);
    permission(
        Permission.READ,
        "read an object",
        "ship delivers without it, but merges no long segments; verify, cat and restore do not"
            + " work",
        false,
        () -> read(0, Long.MAX_VALUE, CONTENT));
    if (granted.contains(Permission.READ) && granted.contains(Permission.CREATE)) {
      range();
    } else {
      skip("read a range", granted.contains(Permission.READ) ? Permission.CREATE : Permission.READ);
    }
    permission(
        Permission.REPLACE,
        "replace a small object",
        "what the archive says of a stream stays as it was when the stream began: a rename and its"
            + " end are not seen",
        false,
        this::replace);
    permission(
        Permission.DELETE,
        "delete an object",
        "ship delivers without it, but merges nothing any more (set merge_to: off); ls, verify, cat"
            + " and restore work; what this probe wrote stays there",
        false,
        this::delete);
  }

  private PutResult put() throws DestinationException {
    return place.putSegment(SEGMENT, ByteBuffer.wrap(CONTENT));
  }

  private static Optional<String> unlessIs(PutResult expected, PutResult found) {
    // If an answer was lost, the object may be there.
    return found == expected || found == PutResult.ALREADY_EXISTS
        ? Optional.empty()
        : Optional.of("the answer was " + found);
  }

  private Optional<String> list() throws DestinationException {
    boolean seen =
        place.list("", Optional.empty(), 10).entries().stream()
            .anyMatch(entry -> entry.key().equals(SEGMENT));
    return seen || !granted.contains(Permission.CREATE)
        ? Optional.empty()
        : Optional.of("the object that was just created is not in the list");
  }

  private Optional<String> read(long offset, long length, byte[] expected) throws Exception {
    try (InputStream stream = place.read(SEGMENT, offset, length)) {
      byte[] found = stream.readNBytes(expected.length + 1); // there may be no end
      return Arrays.equals(expected, found)
          ? Optional.empty()
          : Optional.of(
              "it gave " + found.length + " bytes that are not the " + expected.length + " put");
    } catch (NoSuchObjectException e) {
      if (granted.contains(Permission.CREATE)) {
        return Optional.of("the object that was just created is said not to be there");
      }
      return Optional.empty();
    }
  }

  private Optional<String> replace() throws DestinationException {
    place.putObject(OBJECT, CONTENT);
    place.putObject(OBJECT, Arrays.copyOf(CONTENT, CONTENT.length - 1));
    return Optional.empty();
  }

  private Optional<String> delete() throws DestinationException {
    place.delete(OBJECT);
    place.delete(SEGMENT);
    if (!granted.contains(Permission.LIST)) {
      return Optional.empty();
    }
    return place.list("", Optional.empty(), 10).entries().isEmpty()
        ? Optional.empty()
        : Optional.of("what was deleted is in the list still");
  }

  /** Needs no permission of its own; the contract says which one it needs. */
  private void createOnly() throws InterruptedException {
    trials.isPermitted(
        "keep what is there",
        "a segment that is sent again after a lost answer can replace a good one",
        true,
        () ->
            put() == PutResult.ALREADY_EXISTS
                ? Optional.empty()
                : Optional.of("a second put under the same key replaced the first one's object"));
  }

  private void range() throws InterruptedException {
    trials.isPermitted(
        "read a range",
        "verify, cat and restore do not work",
        true,
        () -> read(8, 12, Arrays.copyOfRange(CONTENT, 8, 20)));
  }

  private void permission(
      Permission permission, String name, String meaning, boolean vital, Trials.Trial trial)
      throws InterruptedException {
    if (trials.isPermitted(name, meaning, vital, trial)) {
      granted.add(permission);
    }
  }

  private void skip(String name, Permission missing) {
    trials.skip(name, "needs the permission to " + Words.permissions(Set.of(missing)));
  }
}
