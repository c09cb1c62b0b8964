package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.ConformanceSupport.keys;
import static dev.tailwater.destination.testkit.ConformanceSupport.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.ObjectKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The sentences about {@link Destination#list}. */
abstract class ListConformance {
  /** In the order of unsigned UTF-8 bytes; a slash is 0x2F. */
  private static final List<String> ALL_ORDERED =
      List.of(
          "A", "a b/c", "a!", "a-b/c", "a.b", "a.b2/c", "a/b", "a/b.c", "a/b0", "a/é", "a0",
          "a0b/c", "aa/b", "b/c/d/e", "b/c/d0", "b/c1", "é", "日本/語", "\uFFFD", "😀", "😀a/😀");

  private final PlaceSource source;
  private final List<String> ordered;
  private final String lastLetter;

  ListConformance(PlaceSource source, Set<Deviation> deviations) {
    this.source = source;
    boolean utf16 = deviations.contains(Deviation.ORDERS_BY_UTF_16);
    this.ordered = ALL_ORDERED.stream().filter(key -> !utf16 || !key.equals("\uFFFD")).toList();
    this.lastLetter = utf16 ? "é" : "\uFFFD";
  }

  private Destination filled() throws IOException {
    Destination place = source.open();
    List<String> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    for (String key : shuffled) {
      put(place, key, new byte[key.length()]);
    }
    return place;
  }

  @Test
  void findsNothingInAnEmptyPlace() throws IOException {
    Destination place = source.open();
    Listing page = place.list("", Optional.empty(), 1);
    assertEquals(List.of(), page.entries());
    assertFalse(page.more());
    assertEquals(List.of(), place.list("a/b", Optional.of("a/b/c"), 1).entries());
  }

  @Test
  void ordersWholeKeysByTheirUnsignedBytes() throws IOException {
    Destination place = filled();
    assertEquals(ordered, keys(place, ""));
    for (Entry entry : place.list("", Optional.empty(), 100).entries()) {
      assertEquals(entry.key().length(), entry.sizeBytes(), entry.key());
    }
  }

  @Test
  void givesEveryKeyOnceWhateverTheSizeOfAPage() throws IOException {
    Destination place = filled();
    for (int pageSize : new int[] {1, 2, 3, 7, ordered.size(), ordered.size() + 1}) {
      assertEquals(ordered, keys(place, "", Optional.empty(), pageSize), "pages of " + pageSize);
    }
    assertTrue(place.list("", Optional.empty(), 1).more());
    assertFalse(place.list("", Optional.empty(), ordered.size() + 1).more());
    assertThrows(IllegalArgumentException.class, () -> place.list("", Optional.empty(), 0));
  }

  @Test
  void takesThePrefixOfTheWholeKey() throws IOException {
    Destination place = filled();
    assertEquals(List.of("a/b", "a/b.c", "a/b0"), keys(place, "a/b"));
    assertEquals(List.of("a.b", "a.b2/c"), keys(place, "a."));
    assertEquals(List.of("b/c/d/e", "b/c/d0"), keys(place, "b/c/"));
    assertEquals(List.of("b/c/d/e"), keys(place, "b/c/d/e"));
    assertEquals(List.of("日本/語"), keys(place, "日"));
    for (String none :
        List.of("b/c/d/e/", "c", "a/c", "a/b/", "/", "//", "a//", "../", "./a", "..")) {
      assertEquals(List.of(), keys(place, none), "prefix " + none);
    }
  }

  @Test
  void startsAfterAKeyThatNeedNotBeThere() throws IOException {
    Destination place = filled();
    assertEquals(List.of("a/b0", "a/é"), keys(place, "a/", Optional.of("a/b.c"), 10));
    assertEquals(List.of("a/b0", "a/é"), keys(place, "a/", Optional.of("a/b/gone"), 10));
    assertEquals(List.of("a/b0", "a/é"), keys(place, "a/", Optional.of("a/b.d"), 10));
    assertEquals(List.of("b/c1"), keys(place, "b/", Optional.of("b/c/d0"), 10));
    assertEquals(List.of("b/c/d0", "b/c1"), keys(place, "b/", Optional.of("b/c/d/zzz"), 10));
    assertEquals(List.of("b/c/d/e", "b/c/d0", "b/c1"), keys(place, "b/", Optional.of("a"), 10));
    assertEquals(List.of(), keys(place, "b/", Optional.of("c"), 10));
    assertEquals(List.of("😀a/😀"), keys(place, "", Optional.of("😀"), 10));
  }

  @Test
  void agreesWithASortedSetOnRandomKeys() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Destination place = source.open();
    TreeSet<String> model = new TreeSet<>(ObjectKeys.ORDER);
    for (int i = 0; i < 80; i++) {
      String key = randomKey(random);
      if (!clashes(model, key)) {
        put(place, key, new byte[0]);
        model.add(key);
      }
    }
    for (int i = 0; i < 60; i++) {
      String prefix = random.nextInt(3) == 0 ? "" : part(randomKey(random), random);
      Optional<String> after =
          random.nextBoolean() ? Optional.empty() : Optional.of(part(randomKey(random), random));
      List<String> expected =
          model.stream()
              .filter(key -> key.startsWith(prefix))
              .filter(key -> after.isEmpty() || ObjectKeys.ORDER.compare(key, after.get()) > 0)
              .toList();
      int pageSize = 1 + random.nextInt(30);
      assertEquals(
          expected,
          keys(place, prefix, after, pageSize),
          () -> "seed " + seed + ", prefix " + prefix + ", after " + after);
    }
  }

  private String randomKey(Random random) {
    String[] letters = {"a", "b", ".", "-", "0", "~", "é", lastLetter, "😀"};
    StringBuilder key = new StringBuilder();
    int components = 1 + random.nextInt(4);
    for (int c = 0; c < components; c++) {
      // A letter first keeps out the components that are only dots.
      key.append(c == 0 ? "" : "/").append(letters[random.nextInt(2)]);
      for (int i = random.nextInt(3); i > 0; i--) {
        key.append(letters[random.nextInt(letters.length)]);
      }
    }
    return key.toString();
  }

  /** The beginning of a key, cut between two code points. */
  private static String part(String key, Random random) {
    int codePoints = 1 + random.nextInt(key.codePointCount(0, key.length()));
    return key.substring(0, key.offsetByCodePoints(0, codePoints));
  }

  /** Whether one would be a folder of the other, which the archive's names never are. */
  private static boolean clashes(Set<String> keys, String key) {
    return keys.stream()
        .anyMatch(
            other -> (other + "/").startsWith(key + "/") || (key + "/").startsWith(other + "/"));
  }
}
