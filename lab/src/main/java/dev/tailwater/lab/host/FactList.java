package dev.tailwater.lab.host;

import dev.tailwater.lab.result.HostFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A list of facts. */
final class FactList {
  private final List<HostFacts.Fact> facts = new ArrayList<>();

  FactList add(String name, String value) {
    facts.add(new HostFacts.Fact(name, value));
    return this;
  }

  /** Adds a fact, if it is known. */
  FactList add(String name, Optional<String> value) {
    value.ifPresent(known -> add(name, known));
    return this;
  }

  HostFacts toHostFacts() {
    return new HostFacts(facts);
  }
}
