package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The test that these credentials can create objects and can neither replace nor remove them, each
 * tried on an object of the probe. Only a lasting refusal counts: what could not be tried is
 * unknown.
 */
final class AppendOnlyStep {
  static final int TRIED = 5;
  private static final String SEGMENT = "segment";
  private static final byte[] CONTENT =
      "Written by 'tailwater probe --append-only'; it can be removed.\n"
          .getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER = "Replaced.\n".getBytes(StandardCharsets.UTF_8);
  private static final String ATTACKER =
      "whoever takes over this machine can take away what was delivered before";

  private final Destination place;
  private final Trials trials;
  private boolean created;

  /**
   * @param each runs after each that was tried
   */
  AppendOnlyStep(Destination place, Runnable each) {
    this.place = place;
    this.trials = new Trials(each);
  }

  List<Finding> findings() {
    return trials.findings();
  }

  /** Whether the destination has answered any call. */
  boolean reached() {
    return trials.reached();
  }

  void run() throws InterruptedException {
    created =
        trials.isPermitted("create an object", "ship cannot deliver anything", true, this::create);
    if (created) {
      trials.isPermitted(
          "keep what is there",
          "a segment that is sent again after a lost answer can replace a good one",
          true,
          this::keep);
    } else {
      skip("keep what is there");
    }
    forbidden("replace is refused", "replaced an object", this::replace);
    forbidden("delete is refused", "removed an object", this::delete);
    unchanged();
  }

  private Optional<String> create() throws DestinationException {
    place.putSegment(SEGMENT, ByteBuffer.wrap(CONTENT));
    return Optional.empty();
  }

  private Optional<String> keep() throws DestinationException {
    return place.putSegment(SEGMENT, ByteBuffer.wrap(OTHER)) == PutResult.ALREADY_EXISTS
        ? Optional.empty()
        : Optional.of("a second put under the same key replaced the first one's object");
  }

  private Optional<String> replace() throws DestinationException {
    place.putObject(SEGMENT, OTHER);
    return Optional.empty();
  }

  private Optional<String> delete() throws DestinationException {
    place.delete(SEGMENT);
    return Optional.empty();
  }

  private void forbidden(String name, String did, Trials.Trial trial) throws InterruptedException {
    if (!created) {
      skip(name);
      return;
    }
    Finding finding;
    try {
      var _ = ProbeRetry.of(trial::run);
      finding =
          Trials.finding(
                  name,
                  Verdict.WRONG,
                  "these credentials "
                      + did
                      + "; a bucket with versions may still have the old one",
                  ATTACKER,
                  "Take the permission away, or have the storage lock its objects (retain in the"
                      + " URI); docs/guide has the policy for each kind of destination.")
              .thatIsVital();
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (PermanentDestinationException e) {
      finding = Finding.ok(Step.PERMISSION, name, e.reason());
    } catch (DestinationException e) {
      finding = unknown(name, e.getMessage(), e.finalHint());
    } catch (Exception e) {
      finding = unknown(name, Words.failure(e), "");
    }
    trials.add(finding);
  }

  /** Reads the object again, where reading is permitted: a refusal may not be the whole truth. */
  private void unchanged() throws InterruptedException {
    String name = "the object is unchanged";
    if (!created) {
      skip(name);
      return;
    }
    try {
      byte[] found = ProbeRetry.of(this::read);
      trials.add(
          Arrays.equals(CONTENT, found)
              ? Finding.ok(Step.PERMISSION, name, "")
              : Trials.finding(name, Verdict.WRONG, "it has other bytes", ATTACKER, "")
                  .thatIsVital());
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (NoSuchObjectException e) {
      trials.add(Trials.finding(name, Verdict.WRONG, "it is gone", ATTACKER, "").thatIsVital());
    } catch (PermanentDestinationException e) {
      trials.add(Finding.skipped(Step.PERMISSION, name, "needs the permission to read"));
    } catch (Exception e) {
      trials.add(unknown(name, Words.failure(e), ""));
    }
  }

  private byte[] read() throws Exception {
    try (InputStream stream = place.read(SEGMENT, 0, Long.MAX_VALUE)) {
      return stream.readNBytes(CONTENT.length + 1); // there may be no end
    }
  }

  private void skip(String name) {
    trials.skip(name, "needs an object of its own");
  }

  private static Finding unknown(String name, String said, String hint) {
    return Trials.finding(
        name, Verdict.UNKNOWN, said, "it is not known whether it is refused", hint);
  }
}
