package dev.tailwater.restore;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.sign.Trust;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose signatures count when an archive is read, and which objects were refused for the lack of
 * one. One for each reading; thread-safe.
 */
public final class Authenticity {
  /** How many refused objects are kept by name; all are counted. */
  private static final int MAX_NAMED = 1000;

  private final Trust trust;

  @GuardedBy("this")
  private final Set<String> seen = new HashSet<>();

  @GuardedBy("this")
  private final List<Refused> refused = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> incomplete = new ArrayList<>();

  @GuardedBy("this")
  private final List<String> notes = new ArrayList<>();

  @GuardedBy("this")
  private Optional<String> firstUnsigned = Optional.empty();

  @GuardedBy("this")
  private long unsignedCount;

  @GuardedBy("this")
  private long refusedCount;

  public Authenticity(Trust trust) {
    this.trust = trust;
  }

  /** Signatures are not checked. */
  public static Authenticity unchecked() {
    return new Authenticity(Trust.none());
  }

  /** Returns whose signatures count. */
  public Trust trust() {
    return trust;
  }

  /** Returns whether signatures are checked. */
  public boolean isChecked() {
    return trust.isChecked();
  }

  /** An object with a signature that does not count. */
  public record Refused(String key, String why) {}

  /** Notes an object that was refused; counted once, however often it is read. */
  public synchronized void note(NotAuthenticException refusal) {
    if (!seen.add(refusal.key())) {
      return;
    }
    if (refusal.isUnsigned()) {
      unsignedCount++;
      firstUnsigned = firstUnsigned.or(() -> Optional.of(refusal.key()));
      return;
    }
    refusedCount++;
    if (refused.size() < MAX_NAMED) {
      refused.add(new Refused(refusal.key(), String.valueOf(refusal.getMessage())));
    }
  }

  /** Notes that something which was signed is not there any more. */
  public synchronized void noteIncomplete(String what) {
    if (incomplete.size() < MAX_NAMED) {
      incomplete.add(what);
    }
  }

  /** Notes what a person wants to know and is nothing wrong. */
  public synchronized void note(String sentence) {
    if (notes.size() < MAX_NAMED) {
      notes.add(sentence);
    }
  }

  /** Returns what a person wants to know and is nothing wrong. */
  public synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * What is not authentic.
   *
   * @param unsignedCount how many objects have no signature
   * @param firstUnsigned one of these
   * @param refusedCount how many objects have a signature that does not count
   * @param refused these, or the first thousand
   * @param incomplete what was signed and is not there, a sentence for each
   */
  public record Findings(
      long unsignedCount,
      Optional<String> firstUnsigned,
      long refusedCount,
      List<Refused> refused,
      List<String> incomplete) {
    public Findings {
      refused = List.copyOf(refused);
      incomplete = List.copyOf(incomplete);
    }

    /** Returns whether everything that was read is authentic, and nothing is missing. */
    public boolean isClean() {
      return unsignedCount == 0 && refusedCount == 0 && incomplete.isEmpty();
    }
  }

  /** Returns what was found so far. */
  public synchronized Findings findings() {
    return new Findings(unsignedCount, firstUnsigned, refusedCount, refused, incomplete);
  }
}
