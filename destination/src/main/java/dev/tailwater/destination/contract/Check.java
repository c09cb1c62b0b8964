package dev.tailwater.destination.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * A sentence of the contract of a destination, and the test of it. Immutable; a check can run any
 * number of times, each time in another place.
 */
public final class Check {
  private final CheckGroup group;
  private final String sentence;
  private final String consequence;
  private final Body body;
  private final Set<Permission> needs;
  private final Set<Deviation> touches;
  private final boolean vital;
  private final boolean lengthy;

  /** The test of a sentence. */
  @FunctionalInterface
  interface Body {
    void run(CheckPlace place) throws Exception;
  }

  private Check(
      CheckGroup group,
      String sentence,
      String consequence,
      Body body,
      Set<Permission> needs,
      Set<Deviation> touches,
      boolean vital,
      boolean lengthy) {
    this.group = group;
    this.sentence = sentence;
    this.consequence = consequence;
    this.body = body;
    this.needs = Set.copyOf(needs);
    this.touches = Set.copyOf(touches);
    this.vital = vital;
    this.lengthy = lengthy;
  }

  /** Creates a check that puts and reads segments, and without which an archive is not safe. */
  static Check vital(CheckGroup group, String sentence, String consequence, Body body) {
    return of(group, sentence, consequence, body, true);
  }

  /** Creates a check that puts and reads segments, and whose failure an archive survives. */
  static Check useful(CheckGroup group, String sentence, String consequence, Body body) {
    return of(group, sentence, consequence, body, false);
  }

  private static Check of(
      CheckGroup group, String sentence, String consequence, Body body, boolean vital) {
    Set<Permission> needs = EnumSet.of(Permission.CREATE, Permission.READ);
    return new Check(group, sentence, consequence, body, needs, Set.of(), vital, false);
  }

  /** Returns this check with exactly these permissions. */
  Check needing(Permission... permissions) {
    return new Check(
        group, sentence, consequence, body, Set.of(permissions), touches, vital, lengthy);
  }

  /** Returns this check with all permissions. */
  Check needingAll() {
    return needing(Permission.values());
  }

  /** Returns this check with deviations that make it fail unless they are declared. */
  Check touching(Deviation... deviations) {
    return new Check(group, sentence, consequence, body, needs, Set.of(deviations), vital, lengthy);
  }

  /** Returns this check, marked as moving many megabytes or making hundreds of requests. */
  Check lengthy() {
    return new Check(group, sentence, consequence, body, needs, touches, vital, true);
  }

  /**
   * Runs the check in an empty place and leaves its objects there.
   *
   * @throws ContractViolationException the sentence is not true
   * @throws InterruptedException the thread was interrupted
   * @throws Exception a call failed that the contract does not let fail, most likely as a {@link
   *     dev.tailwater.destination.DestinationException}; or closing did
   */
  public void run(CheckPlace place) throws Exception {
    try (place) {
      body.run(place);
    }
  }

  public CheckGroup group() {
    return group;
  }

  /** Returns the promise, as the end of a sentence "a destination...". Unique. */
  public String sentence() {
    return sentence;
  }

  /** Returns what a violation means to a user: one sentence. */
  public String consequence() {
    return consequence;
  }

  /** Returns the permissions that the check needs. */
  public Set<Permission> needs() {
    return needs;
  }

  /** Returns the deviations that make the check fail unless they are declared. */
  public Set<Deviation> touches() {
    return touches;
  }

  /** Returns whether a violation can lose or damage bytes of an archive. */
  public boolean isVital() {
    return vital;
  }

  /** Returns whether the check moves many megabytes or makes hundreds of requests. */
  public boolean isLengthy() {
    return lengthy;
  }

  /** Returns the name as tests show it: {@code put: keeps an existing object...}. */
  @Override
  public String toString() {
    return group.word() + ": " + sentence;
  }
}
