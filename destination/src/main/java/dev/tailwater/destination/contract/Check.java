package dev.tailwater.destination.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * A sentence of the contract of a destination, and how it is tried. Immutable; the same check can
 * run any number of times, each time on another place.
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

  /** Tries it. */
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

  /** One that puts segments and reads them, and on which archives rest. */
  static Check vital(CheckGroup group, String sentence, String consequence, Body body) {
    return of(group, sentence, consequence, body, true);
  }

  /** One that puts segments and reads them, and whose failure an archive survives. */
  static Check useful(CheckGroup group, String sentence, String consequence, Body body) {
    return of(group, sentence, consequence, body, false);
  }

  private static Check of(
      CheckGroup group, String sentence, String consequence, Body body, boolean vital) {
    Set<Permission> needs = EnumSet.of(Permission.CREATE, Permission.READ);
    return new Check(group, sentence, consequence, body, needs, Set.of(), vital, false);
  }

  /** The same, which needs exactly these permissions. */
  Check needing(Permission... permissions) {
    return new Check(
        group, sentence, consequence, body, Set.of(permissions), touches, vital, lengthy);
  }

  /** The same, which needs all permissions. */
  Check needingAll() {
    return needing(Permission.values());
  }

  /** The same, which a server with one of these deviations passes only when it is named. */
  Check touching(Deviation... deviations) {
    return new Check(group, sentence, consequence, body, needs, Set.of(deviations), vital, lengthy);
  }

  /** The same, which moves many megabytes or makes hundreds of requests. */
  Check lengthy() {
    return new Check(group, sentence, consequence, body, needs, touches, vital, true);
  }

  /**
   * Tries it in an empty place, and leaves there what it wrote.
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

  /** What the destination promises, as the end of "a destination...". Unique. */
  public String sentence() {
    return sentence;
  }

  /** What it means to a user when the sentence is not true: one sentence. */
  public String consequence() {
    return consequence;
  }

  /** What the destination must permit for the check to tell anything. */
  public Set<Permission> needs() {
    return needs;
  }

  /** The deviations that make it fail unless they are named. */
  public Set<Deviation> touches() {
    return touches;
  }

  /** Whether an archive can lose or damage bytes where the sentence is not true. */
  public boolean isVital() {
    return vital;
  }

  /** Whether it moves many megabytes or makes hundreds of requests. */
  public boolean isLengthy() {
    return lengthy;
  }

  /** As in the names of tests: {@code put: keeps an existing object...}. */
  @Override
  public String toString() {
    return group.word() + ": " + sentence;
  }
}
