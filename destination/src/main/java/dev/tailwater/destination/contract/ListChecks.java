package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.keys;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.Permission.CREATE;
import static dev.tailwater.destination.contract.Permission.LIST;

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

/** The checks of {@link Destination#list}. */
final class ListChecks {
  /** Keys in the order of their unsigned UTF-8 bytes; a slash is 0x2F. */
  private static final List<String> ALL_ORDERED =
      List.of(
          "A", "a b/c", "a!", "a-b/c", "a.b", "a.b2/c", "a/b", "a/b.c", "a/b0", "a/é", "a0",
          "a0b/c", "aa/b", "b/c/d/e", "b/c/d0", "b/c1", "é", "日本/語", "\uFFFD", "😀", "😀a/😀");

  private static final CheckGroup GROUP = CheckGroup.LIST;
  private static final String MISSED =
      "ls and restore miss objects, and an agent without its state delivers again what is there";

  private ListChecks() {}

  static List<Check> all() {
    return List.of(
        vital("finds nothing in an empty place", ListChecks::findsNothingInAnEmptyPlace)
            .needing(LIST),
        vital("orders whole keys by their unsigned bytes", ListChecks::ordersWholeKeys)
            .touching(Deviation.ORDERS_BY_UTF_16),
        vital(
                "gives every key once, whatever the size of a page",
                ListChecks::givesEveryKeyOnceWhateverTheSizeOfAPage)
            .touching(Deviation.ORDERS_BY_UTF_16)
            .lengthy(),
        vital("takes the prefix of the whole key", ListChecks::takesThePrefixOfTheWholeKey),
        vital(
                "starts after a key that need not be there",
                ListChecks::startsAfterAKeyThatNeedNotBeThere)
            .touching(Deviation.ORDERS_BY_UTF_16),
        vital("agrees with a sorted set on random keys", ListChecks::agreesWithASortedSet)
            .touching(Deviation.ORDERS_BY_UTF_16)
            .lengthy());
  }

  private static Check vital(String sentence, Check.Body body) {
    return Check.vital(GROUP, sentence, MISSED, body).needing(CREATE, LIST);
  }

  private static List<String> ordered(CheckPlace source) {
    boolean utf16 = source.has(Deviation.ORDERS_BY_UTF_16);
    return ALL_ORDERED.stream().filter(key -> !utf16 || !key.equals("\uFFFD")).toList();
  }

  private static Destination filled(CheckPlace source) throws IOException {
    Destination place = source.open();
    List<String> shuffled = new ArrayList<>(ordered(source));
    Collections.shuffle(shuffled, new Random(1));
    for (String key : shuffled) {
      put(place, key, new byte[key.length()]);
    }
    return place;
  }

  private static void findsNothingInAnEmptyPlace(CheckPlace source) throws Exception {
    Destination place = source.open();
    Listing page = place.list("", Optional.empty(), 1);
    Expect.equal(List.of(), page.entries(), "the list");
    Expect.isTrue(!page.more(), "an empty list says that there is more");
    Expect.equal(
        List.of(),
        place.list("a/b", Optional.of("a/b/c"), 1).entries(),
        "the list of a prefix after a key");
  }

  private static void ordersWholeKeys(CheckPlace source) throws Exception {
    Destination place = filled(source);
    Expect.equal(ordered(source), keys(place, ""), "the list");
    for (Entry entry : place.list("", Optional.empty(), 100).entries()) {
      Expect.equal((long) entry.key().length(), entry.sizeBytes(), "the size of " + entry.key());
    }
  }

  private static void givesEveryKeyOnceWhateverTheSizeOfAPage(CheckPlace source) throws Exception {
    Destination place = filled(source);
    List<String> ordered = ordered(source);
    for (int pageSize : new int[] {1, 2, 3, 7, ordered.size(), ordered.size() + 1}) {
      Expect.equal(
          ordered, keys(place, "", Optional.empty(), pageSize), "the list in pages of " + pageSize);
    }
    Expect.isTrue(
        place.list("", Optional.empty(), 1).more(), "the first of many says that it is the last");
    Expect.isTrue(
        !place.list("", Optional.empty(), ordered.size() + 1).more(),
        "a list of all says that there is more");
    Expect.failure(
        IllegalArgumentException.class,
        () -> place.list("", Optional.empty(), 0),
        "a page of at most 0 entries");
  }

  private static void takesThePrefixOfTheWholeKey(CheckPlace source) throws Exception {
    Destination place = filled(source);
    expect(List.of("a/b", "a/b.c", "a/b0"), place, "a/b");
    expect(List.of("a.b", "a.b2/c"), place, "a.");
    expect(List.of("b/c/d/e", "b/c/d0"), place, "b/c/");
    expect(List.of("b/c/d/e"), place, "b/c/d/e");
    expect(List.of("日本/語"), place, "日");
    for (String none :
        List.of("b/c/d/e/", "c", "a/c", "a/b/", "/", "//", "a//", "../", "./a", "..")) {
      expect(List.of(), place, none);
    }
  }

  private static void expect(List<String> expected, Destination place, String prefix)
      throws IOException, ContractViolationException {
    Expect.equal(expected, keys(place, prefix), "the list of prefix " + prefix);
  }

  private static void startsAfterAKeyThatNeedNotBeThere(CheckPlace source) throws Exception {
    Destination place = filled(source);
    expectAfter(List.of("a/b0", "a/é"), place, "a/", "a/b.c");
    expectAfter(List.of("a/b0", "a/é"), place, "a/", "a/b/gone");
    expectAfter(List.of("a/b0", "a/é"), place, "a/", "a/b.d");
    expectAfter(List.of("b/c1"), place, "b/", "b/c/d0");
    expectAfter(List.of("b/c/d0", "b/c1"), place, "b/", "b/c/d/zzz");
    expectAfter(List.of("b/c/d/e", "b/c/d0", "b/c1"), place, "b/", "a");
    expectAfter(List.of(), place, "b/", "c");
    expectAfter(List.of("😀a/😀"), place, "", "😀");
  }

  private static void expectAfter(
      List<String> expected, Destination place, String prefix, String after)
      throws IOException, ContractViolationException {
    Expect.equal(
        expected,
        keys(place, prefix, Optional.of(after), 10),
        "the list of prefix " + prefix + " after " + after);
  }

  private static void agreesWithASortedSet(CheckPlace source) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String lastLetter = source.has(Deviation.ORDERS_BY_UTF_16) ? "é" : "\uFFFD";
    Destination place = source.open();
    TreeSet<String> model = new TreeSet<>(ObjectKeys.ORDER);
    for (int i = 0; i < 80; i++) {
      String key = randomKey(random, lastLetter);
      if (!clashes(model, key)) {
        put(place, key, new byte[0]);
        model.add(key);
      }
    }
    for (int i = 0; i < 60; i++) {
      String prefix = random.nextInt(3) == 0 ? "" : part(randomKey(random, lastLetter), random);
      Optional<String> after =
          random.nextBoolean()
              ? Optional.empty()
              : Optional.of(part(randomKey(random, lastLetter), random));
      List<String> expected =
          model.stream()
              .filter(key -> key.startsWith(prefix))
              .filter(key -> after.isEmpty() || ObjectKeys.ORDER.compare(key, after.get()) > 0)
              .toList();
      int pageSize = 1 + random.nextInt(30);
      Expect.equal(
          expected,
          keys(place, prefix, after, pageSize),
          "seed " + seed + ", prefix " + prefix + ", after " + after);
    }
  }

  private static String randomKey(Random random, String lastLetter) {
    String[] letters = {"a", "b", ".", "-", "0", "~", "é", lastLetter, "😀"};
    StringBuilder key = new StringBuilder();
    int components = 1 + random.nextInt(4);
    for (int c = 0; c < components; c++) {
      // The first letter prevents components that are only dots.
      key.append(c == 0 ? "" : "/").append(letters[random.nextInt(2)]);
      for (int i = random.nextInt(3); i > 0; i--) {
        key.append(letters[random.nextInt(letters.length)]);
      }
    }
    return key.toString();
  }

  /** Returns a prefix of a key, cut between two code points. */
  private static String part(String key, Random random) {
    int codePoints = 1 + random.nextInt(key.codePointCount(0, key.length()));
    return key.substring(0, key.offsetByCodePoints(0, codePoints));
  }

  /**
   * Returns whether one key would be a folder of another, which is never the case in an archive.
   */
  private static boolean clashes(Set<String> keys, String key) {
    return keys.stream()
        .anyMatch(
            other -> (other + "/").startsWith(key + "/") || (key + "/").startsWith(other + "/"));
  }
}
