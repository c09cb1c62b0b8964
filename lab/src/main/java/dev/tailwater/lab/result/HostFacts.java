package dev.tailwater.lab.result;

import java.util.List;

/** The host that was measured, as lists of facts in the order in which they are shown. */
public record HostFacts(List<Fact> facts) {
  /** {@code kernel} is {@code Linux 6.18.5}. */
  public record Fact(String name, String value) {}

  public HostFacts {
    facts = List.copyOf(facts);
  }
}
