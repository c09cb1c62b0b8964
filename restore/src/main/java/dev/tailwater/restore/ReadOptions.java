package dev.tailwater.restore;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.Identity;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * How an archive is read.
 *
 * @param identities what opens encrypted segments; may be empty
 * @param contentKey the key of the checks that encrypted segments state: with it, they can be
 *     compared with files without an identity
 * @param allowPlain whether segments that are not encrypted are trusted although there are
 *     identities: whoever can write to the destination can put such segments there, and needs no
 *     key for it
 * @param authenticity whose signatures count; what has none of them is refused
 * @param atMillis the moment as of which it is read, milliseconds since 1970; what was delivered
 *     later does not count. {@link #NOW} for everything
 * @param jobs how many objects are read at the same time, at least 1
 * @param random for waiting times only; must be thread-safe
 */
public record ReadOptions(
    List<Identity> identities,
    Optional<ContentKey> contentKey,
    boolean allowPlain,
    Authenticity authenticity,
    long atMillis,
    int jobs,
    ReadAttempts retry,
    RandomGenerator random) {
  /** The moment after everything. */
  public static final long NOW = Long.MAX_VALUE;

  public ReadOptions {
    identities = List.copyOf(identities);
    if (jobs < 1) {
      throw new IllegalArgumentException("jobs must be at least 1, not " + jobs);
    }
  }

  /** No identities; two jobs per processor, at most 8. */
  public static ReadOptions defaults() {
    int jobs = Math.min(8, 2 * Runtime.getRuntime().availableProcessors());
    return new ReadOptions(
        List.of(),
        Optional.empty(),
        false,
        Authenticity.unchecked(),
        NOW,
        jobs,
        ReadAttempts.defaults(),
        new Random());
  }

  public ReadOptions withIdentities(List<Identity> newIdentities) {
    return new ReadOptions(
        newIdentities, contentKey, allowPlain, authenticity, atMillis, jobs, retry, random);
  }

  public ReadOptions withContentKey(ContentKey newContentKey) {
    return new ReadOptions(
        identities,
        Optional.of(newContentKey),
        allowPlain,
        authenticity,
        atMillis,
        jobs,
        retry,
        random);
  }

  public ReadOptions withAllowPlain(boolean newAllowPlain) {
    return new ReadOptions(
        identities, contentKey, newAllowPlain, authenticity, atMillis, jobs, retry, random);
  }

  /** Reads the archive as it was at a moment, milliseconds since 1970. */
  public ReadOptions withAtMillis(long newAtMillis) {
    return new ReadOptions(
        identities, contentKey, allowPlain, authenticity, newAtMillis, jobs, retry, random);
  }

  public ReadOptions withJobs(int newJobs) {
    return new ReadOptions(
        identities, contentKey, allowPlain, authenticity, atMillis, newJobs, retry, random);
  }

  public ReadOptions withRetry(ReadAttempts newRetry) {
    return new ReadOptions(
        identities, contentKey, allowPlain, authenticity, atMillis, jobs, newRetry, random);
  }

  /** Refuses what has none of the signatures that count. */
  public ReadOptions withAuthenticity(Authenticity checked) {
    return new ReadOptions(
        identities, contentKey, allowPlain, checked, atMillis, jobs, retry, random);
  }

  /** Whether only encrypted segments are trusted. */
  public boolean refusesPlain() {
    return !identities.isEmpty() && !allowPlain;
  }
}
