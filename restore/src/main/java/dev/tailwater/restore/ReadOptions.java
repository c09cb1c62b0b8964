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
 * @param jobs how many objects are read at the same time, at least 1
 * @param random for waiting times only; must be thread-safe
 */
public record ReadOptions(
    List<Identity> identities,
    Optional<ContentKey> contentKey,
    boolean allowPlain,
    int jobs,
    ReadAttempts retry,
    RandomGenerator random) {
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
        List.of(), Optional.empty(), false, jobs, ReadAttempts.defaults(), new Random());
  }

  public ReadOptions withIdentities(List<Identity> newIdentities) {
    return new ReadOptions(newIdentities, contentKey, allowPlain, jobs, retry, random);
  }

  public ReadOptions withContentKey(ContentKey newContentKey) {
    return new ReadOptions(identities, Optional.of(newContentKey), allowPlain, jobs, retry, random);
  }

  public ReadOptions withAllowPlain(boolean newAllowPlain) {
    return new ReadOptions(identities, contentKey, newAllowPlain, jobs, retry, random);
  }

  public ReadOptions withJobs(int newJobs) {
    return new ReadOptions(identities, contentKey, allowPlain, newJobs, retry, random);
  }

  public ReadOptions withRetry(ReadAttempts newRetry) {
    return new ReadOptions(identities, contentKey, allowPlain, jobs, newRetry, random);
  }

  /** Whether only encrypted segments are trusted. */
  public boolean refusesPlain() {
    return !identities.isEmpty() && !allowPlain;
  }
}
