package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.ConformanceSupport.bytes;
import static dev.tailwater.destination.testkit.ConformanceSupport.keys;
import static dev.tailwater.destination.testkit.ConformanceSupport.put;
import static dev.tailwater.destination.testkit.ConformanceSupport.read;
import static dev.tailwater.destination.testkit.ConformanceSupport.readAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Legal and illegal keys, and what a destination says of itself. */
abstract class KeyConformance {
  private static final List<String> ODD =
      List.of(
          " ",
          "a b",
          "a+b",
          "100%",
          "%2F",
          "a%2Fb",
          "%",
          "~",
          "'",
          "\"",
          "$HOME",
          "`id`",
          "a;b",
          "a|b",
          "a&b=c?d#e",
          "<a>",
          "[a]*",
          "{a}",
          "(a)",
          "a,b",
          "a@b",
          "a^b",
          "!",
          "-",
          "--help",
          ".hidden",
          "...",
          "a..",
          ".tailwater",
          "lost+found",
          "ü",
          "e\u0301",
          "\u00e9",
          "日本語",
          "😀",
          "\u00a0",
          "stream.json",
          "00000000000000000000-00000000000008388608.zst.age");

  private final PlaceSource source;

  KeyConformance(PlaceSource source) {
    this.source = source;
  }

  @Test
  void keepsOddLegalKeysExactly() throws IOException {
    Destination place = source.open();
    List<String> all = new ArrayList<>();
    for (String odd : ODD) {
      all.add("o/" + odd + "/x");
      all.add("p/" + odd);
    }
    all.add("a".repeat(ObjectKeys.MAX_COMPONENT_BYTES));
    all.add(("é".repeat(100) + "/").repeat(5) + "z".repeat(ObjectKeys.MAX_KEY_BYTES - 5 * 201));
    all.add("d/".repeat(300) + "deep");
    all.sort(ObjectKeys.ORDER);
    for (String key : all) {
      assertEquals(PutResult.CREATED, put(place, key, bytes(key.hashCode(), 20)), key);
    }
    assertEquals(all, keys(place, ""));
    for (String key : all) {
      assertArrayEquals(bytes(key.hashCode(), 20), readAll(place, key), key);
      place.delete(key);
    }
    assertEquals(List.of(), keys(place, ""));
  }

  @Test
  void refusesIllegalKeysInEveryMethodAndDoesNothing() throws IOException {
    Destination place = source.open();
    List<String> illegal =
        List.of(
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/..",
            "../a",
            "a/./b",
            "a\0b",
            "\ud800",
            "a\udc00b",
            "a".repeat(256),
            "é".repeat(128),
            "a/".repeat(512) + "b",
            ObjectKeys.RESERVED,
            ObjectKeys.RESERVED + "/a");
    for (String key : illegal) {
      for (Executable call :
          List.<Executable>of(
              () -> put(place, key, new byte[1]),
              () -> place.putObject(key, new byte[1]),
              () -> read(place, key, 0, 1),
              () -> place.delete(key))) {
        DestinationException e = assertThrows(DestinationException.class, call, "key " + key);
        assertInstanceOf(PermanentDestinationException.class, e, key);
        assertFalse(e instanceof NoSuchObjectException, "illegal is not the same as absent");
        assertTrue(e.permanent());
        assertEquals(key, e.key());
        assertFalse(e.hint().isBlank());
      }
    }
    assertEquals(List.of(), keys(place, ""));
  }

  @Test
  void saysWhereItIsAndWhatItCanDo() throws IOException {
    Destination place = source.open();
    assertTrue(place.uri().isAbsolute(), () -> "no scheme in " + place.uri());
    assertEquals(place.uri(), source.open().uri());
    assertEquals(place.capabilities(), place.capabilities());
    assertTrue(place.capabilities().maxObjectBytes() >= 64 << 20, "a merged segment fits");
  }
}
