package dev.tailwater.lab.result;

import java.util.List;
import java.util.Optional;

/** The host that was measured, as lists of facts in the order in which they are shown. */
public record HostFacts(List<Fact> facts) {
  /** The name of the fact that other programs used the host before or while it was measured. */
  public static final String BUSY = "busy";

  /** A fact: {@code kernel} is {@code Linux 6.18.5}. */
  public record Fact(String name, String value) {}

  public HostFacts {
    facts = List.copyOf(facts);
  }

  /**
   * Returns what other programs did on the host before or during the measurements, if it was enough
   * to distort them.
   */
  public Optional<String> busy() {
    return facts.stream().filter(fact -> fact.name().equals(BUSY)).map(Fact::value).findFirst();
  }
}
