package dev.tailwater.destination.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.contract.Check;
import dev.tailwater.destination.contract.CheckPlace;
import dev.tailwater.destination.contract.Contract;
import dev.tailwater.destination.contract.ContractViolationException;
import dev.tailwater.destination.contract.Deviation;
import dev.tailwater.destination.contract.Permission;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the checks notice violations, and need only the permissions that they declare. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
  /** What was broken by each misbehavior, so that all checks run once for each. */
  private final Map<Misbehavior, Set<String>> brokenBy = new EnumMap<>(Misbehavior.class);

  private static CheckPlace place(InMemoryDestination real, Misbehavior... misbehaviors) {
    MisbehavingDestination place = MisbehavingDestination.wrap(real, misbehaviors);
    return CheckPlace.of(() -> place, Set.of());
  }

  /** Returns the sentences that the misbehaving destination violates. */
  private static Set<String> broken(Misbehavior... misbehaviors) throws Exception {
    Set<String> sentences = new TreeSet<>();
    for (Check check : Contract.checks()) {
      try {
        check.run(place(InMemoryDestination.create(), misbehaviors));
      } catch (ContractViolationException | DestinationException e) {
        assertFalse(String.valueOf(e.getMessage()).isBlank());
        sentences.add(check.sentence());
      }
    }
    return sentences;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          REPLACES_SEGMENTS  | leaves an existing object untouched, whatever it contains
          REPLACES_SEGMENTS  | lets exactly one of sixteen simultaneous puts create the object
          REPLACES_SEGMENTS  | does not let a segment replace a small object
          CLAIMS_TO_CREATE   | keeps objects when it is closed and opened again
          LISTS_LATE         | orders whole keys by their unsigned bytes
          LISTS_LATE         | creates an object of exactly these 0 bytes
          SHOWS_LATE         | creates an object of exactly these 1 bytes
          SHOWS_LATE         | does not use the buffer after the return
          REPLACES_SEGMENTS  | leaves an existing object untouched by a commit
          CLAIMS_TO_CREATE   | lets exactly one of eight simultaneous commits create the object
          DROPS_A_BYTE       | creates an object of exactly the pieces that were written
          DROPS_A_BYTE       | creates a large object from many pieces
          SHOWS_UNCOMMITTED  | shows nothing of an object before it is committed
          SHOWS_UNCOMMITTED  | leaves nothing of an object that is closed without a commit
          IGNORES_AFTER      | gives every key once, whatever the size of a page
          IGNORES_AFTER      | starts after a key that need not be there
          IGNORES_AFTER      | agrees with a sorted set on random keys
          ORDERS_BY_UTF_16   | orders whole keys by their unsigned bytes
          IGNORES_RANGES     | gives exactly the range that is asked for
          IGNORES_RANGES     | ends a read where the object ends
          IGNORES_RANGES     | reads in sixteen threads
          IGNORES_RANGES     | has forty streams open at the same time
          DROPS_A_BYTE       | creates an object of exactly these 4097 bytes
          DROPS_A_BYTE       | keeps many simultaneous puts apart
          DROPS_A_BYTE       | takes the bytes from position to limit and leaves the buffer as it was
          DROPS_A_BYTE       | never shows a part of an object
          HIDES_ABSENCE      | says at once that there is no such object
          STRIPS_BLANKS      | keeps odd legal keys exactly
          KEEPS_DELETED      | does not show a deleted object to readers and lists
          KEEPS_DELETED      | deletes what is not there without complaint
          KEEPS_DELETED      | creates a deleted object anew
          TEARS_REPLACEMENTS | replaces atomically
          """)
  void noticesWhatIsBroken(Misbehavior misbehavior, String sentence) throws Exception {
    if (!brokenBy.containsKey(misbehavior)) {
      brokenBy.put(misbehavior, broken(misbehavior));
    }
    Set<String> broken = brokenBy.getOrDefault(misbehavior, Set.of());
    assertTrue(broken.contains(sentence), () -> "noticed were only " + broken);
  }

  @Test
  void findsNothingWrongWhereNothingIs() throws Exception {
    assertEquals(Set.of(), broken());
  }

  @Test
  void anOrderByUtf16PassesWhenItIsNamedAndTouchesNothingElse() throws Exception {
    for (Check check : Contract.checks()) {
      MisbehavingDestination place =
          MisbehavingDestination.wrap(InMemoryDestination.create(), Misbehavior.ORDERS_BY_UTF_16);
      boolean touched = check.touches().contains(Deviation.ORDERS_BY_UTF_16);
      check.run(
          CheckPlace.of(() -> place, touched ? Set.of(Deviation.ORDERS_BY_UTF_16) : Set.of()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DENIES_CREATE, CREATE",
    "DENIES_READ, READ",
    "DENIES_LIST, LIST",
    "DENIES_REPLACE, REPLACE",
    "DENIES_DELETE, DELETE"
  })
  void aCheckPassesWithoutAPermissionThatItDoesNotNeed(
      Misbehavior misbehavior, Permission permission) throws Exception {
    int needing = 0;
    for (Check check : Contract.checks()) {
      if (check.needs().contains(permission)) {
        needing++;
      } else {
        check.run(place(InMemoryDestination.create(), misbehavior));
      }
    }
    assertTrue(needing > 0);
  }

  @ParameterizedTest
  @CsvSource({"DENIES_READ, READ", "DENIES_DELETE, DELETE"})
  void aCheckFailsWithoutAPermissionThatItNeeds(Misbehavior misbehavior, Permission permission) {
    for (Check check : Contract.checks()) {
      if (check.needs().contains(permission)) {
        assertThrows(
            Exception.class,
            () -> check.run(place(InMemoryDestination.create(), misbehavior)),
            check.sentence());
      }
    }
  }

  @Test
  void everySentenceIsSaidOnceAndSaysWhatItsFailureMeans() {
    List<Check> checks = Contract.checks();
    Set<String> sentences = new HashSet<>();
    for (Check check : checks) {
      assertTrue(sentences.add(check.sentence()), check.sentence());
      assertFalse(check.consequence().isBlank() || check.consequence().endsWith("."));
    }
    assertEquals(47, checks.size(), "a sentence was lost, or added and is to be counted here");
  }

  @Test
  void aKeyCanBeShorterWhereAPrefixCountsAsAPartOfIt() throws Exception {
    InMemoryDestination real = InMemoryDestination.create();
    for (Check check : Contract.checks()) {
      check.run(
          CheckPlace.of(() -> real.folder("x".repeat(200) + check.hashCode()), Set.of())
              .withLongestKeyBytes(CheckPlace.LONG_KEY_BYTES));
    }
    int longest =
        real.snapshot().keySet().stream()
            .mapToInt(key -> key.getBytes(StandardCharsets.UTF_8).length)
            .max()
            .orElse(0);
    assertTrue(longest < 1024, "a key of " + longest);
  }
}
