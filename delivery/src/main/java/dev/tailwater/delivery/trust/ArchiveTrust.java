package dev.tailwater.delivery.trust;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which objects at a destination an agent believes when they say what it has delivered: those that
 * a trusted key has signed, or all of them where no key survives the loss of the state. It counts
 * the others, and reports them. Thread-safe.
 */
public final class ArchiveTrust {
  private static final String SUBJECT = "untrusted objects";
  private static final String HINT =
      "nothing is lost, overwritten or removed. If a compactor, or this agent with an earlier key,"
          + " wrote them, name its public key in trusted_keys before the next loss of the state."
          + " Otherwise see who can write to the archive; 'tailwater verify --trust' names them all";

  /** Enough for a plain header, and for an age header with a few dozen recipients. */
  private static final int FIRST_BYTES = 8 * 1024;

  /** A stream has at most 64 paths of 4 KiB. */
  private static final int MAX_RECORD_BYTES = 4 << 20;

  /** More are counted, though one that is met again counts again. */
  private static final int MOST_NAMED = 100_000;

  private final Trust trust;

  /** Whose signatures on a longer object count when those are removed that it covers. */
  private final Trust removalKeys;

  private final Destination destination;
  private final Problems problems;

  @GuardedBy("this")
  private final Set<String> refused = new HashSet<>();

  @GuardedBy("this")
  private long moreRefused;

  @GuardedBy("this")
  private long unsigned;

  @GuardedBy("this")
  private long reported;

  @GuardedBy("this")
  private Optional<String> first = Optional.empty();

  /** Reads an object as far as its signature takes it. */
  private interface Check {
    void requireSigned() throws IOException;
  }

  /** Whether an object is to be believed. */
  public enum Answer {
    /** A trusted key has signed it. */
    TRUSTED,
    /** No trusted key has, it is damaged, or it is in cold storage, where nobody can look at it. */
    REFUSED,
    /** It is not there any more. */
    GONE
  }

  /**
   * Creates the trust in what is at one destination.
   *
   * @param trust whose signatures count; {@link Trust#none} if all objects are believed
   * @param own the key that the agent signs with; empty if it does not: then all objects are
   *     believed also where others are removed for them
   */
  public ArchiveTrust(
      Trust trust, Optional<VerifyingKey> own, Destination destination, Problems problems) {
    this.trust = trust;
    this.removalKeys = trust.isChecked() ? trust : own.map(Trust::of).orElse(Trust.none());
    this.destination = destination;
    this.problems = problems;
  }

  /** Returns whether objects must be signed to be believed. */
  public boolean isChecked() {
    return trust.isChecked();
  }

  /** Returns whose signatures count. */
  public Trust keys() {
    return trust;
  }

  /**
   * Returns whose signatures on a longer object count when those are removed that it covers. They
   * count even if all objects are believed otherwise: what was believed wrongly can be found out
   * later, and what was removed is gone.
   */
  public Trust removalKeys() {
    return removalKeys;
  }

  /** Returns whether segments may be removed whose bytes this one has too. */
  public boolean allowsRemovalsFor(ArchiveObject.Segment longer) throws DestinationException {
    if (!removalKeys.isChecked()) {
      return true;
    }
    try {
      long lengthBytes = longer.encrypted() ? FIRST_BYTES : lengthBytes(longer.key());
      requireSigned(removalKeys, longer, lengthBytes);
      return true;
    } catch (PermanentDestinationException e) {
      return false; // It is gone, or nobody can read it.
    } catch (DestinationException e) {
      throw e;
    } catch (ArchiveException e) {
      return false;
    } catch (IOException e) {
      throw failed(longer.key(), e);
    }
  }

  /** Looks at the signature of a segment, and counts it if it is not believed. */
  public Answer of(ArchiveObject.Segment segment) throws DestinationException {
    return !isChecked() || segment.encrypted()
        ? of(segment, FIRST_BYTES)
        : of(segment, lengthBytes(segment.key()));
  }

  /**
   * Looks at the signature of a segment, and counts it if it is not believed.
   *
   * @param objectBytes the length of the object
   */
  public Answer of(ArchiveObject.Segment segment, long objectBytes) throws DestinationException {
    return answer(segment.key(), () -> requireSigned(trust, segment, objectBytes));
  }

  /** Looks at the signature of the record of a stream, and counts it if it is not believed. */
  public Answer of(ArchiveObject.Stream record) throws DestinationException {
    String key = record.key();
    return answer(
        key, () -> trust.requireRecord(key, record.agent(), read(key, 0, MAX_RECORD_BYTES)));
  }

  private Answer answer(String key, Check check) throws DestinationException {
    if (!isChecked()) {
      return Answer.TRUSTED;
    }
    try {
      check.requireSigned();
      return Answer.TRUSTED;
    } catch (NoSuchObjectException e) {
      return Answer.GONE;
    } catch (ColdObjectException e) {
      refuse(key, e.getMessage(), false);
      return Answer.REFUSED;
    } catch (DestinationException e) {
      throw e;
    } catch (ArchiveException e) {
      refuse(key, e);
      return Answer.REFUSED;
    } catch (IOException e) {
      throw failed(key, e);
    }
  }

  private void requireSigned(Trust by, ArchiveObject.Segment segment, long objectBytes)
      throws IOException {
    byte[] begin = read(segment.key(), 0, FIRST_BYTES);
    byte[] end = segment.encrypted() ? new byte[0] : end(segment, objectBytes, begin);
    new SegmentOpener(by).requireSigned(segment, begin, end);
  }

  /** Returns the last bytes of a plain segment, which hold its signature. */
  private byte[] end(ArchiveObject.Segment segment, long objectBytes, byte[] begin)
      throws IOException {
    int wanted = FrameSignature.segmentBytes(segment.gzip());
    if (objectBytes < wanted) {
      return new byte[0];
    }
    if (begin.length == objectBytes) {
      return Arrays.copyOfRange(begin, begin.length - wanted, begin.length);
    }
    return read(segment.key(), objectBytes - wanted, wanted);
  }

  private byte[] read(String key, long offsetBytes, int lengthBytes) throws IOException {
    try (InputStream object = destination.read(key, offsetBytes, lengthBytes)) {
      return object.readNBytes(lengthBytes);
    }
  }

  private long lengthBytes(String key) throws DestinationException {
    return destination.list(key, Optional.empty(), 1).entries().stream()
        .filter(entry -> entry.key().equals(key))
        .mapToLong(entry -> entry.sizeBytes())
        .findFirst()
        .orElse(0);
  }

  private TransientDestinationException failed(String key, IOException e) {
    return TransientDestinationException.whileReading(destination.uri(), key, e);
  }

  /** Counts an object that is not believed. */
  public void refuse(String key, ArchiveException why) {
    boolean isUnsigned = why instanceof NotAuthenticException says && says.isUnsigned();
    refuse(key, String.valueOf(why.getMessage()), isUnsigned);
  }

  private synchronized void refuse(String key, String why, boolean isUnsigned) {
    if (refused.size() == MOST_NAMED) {
      moreRefused++;
    } else if (!refused.add(key)) {
      return;
    }
    if (isUnsigned) {
      unsigned++;
    }
    first = first.or(() -> Optional.of(why));
  }

  /** Returns how many objects were not believed. */
  public synchronized long refused() {
    return refused.size() + moreRefused;
  }

  /** Reports what is not believed, if it is more than was reported. */
  public void report() {
    Optional<String> news = news();
    news.ifPresent(message -> problems.reportHarmless(SUBJECT, message, Optional.of(HINT), true));
  }

  private synchronized Optional<String> news() {
    if (refused() == reported) {
      return Optional.empty();
    }
    reported = refused();
    return first.map(
        one ->
            reported
                + (reported == 1 ? " object says" : " objects say")
                + " what this agent has delivered and cannot be trusted ("
                + unsigned
                + " without any signature): what they hold is delivered again, if it is still"
                + " there. The first is "
                + one);
  }
}
