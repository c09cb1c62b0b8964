package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.bytes;
import static dev.tailwater.destination.contract.CheckSupport.keys;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.CheckSupport.putNew;
import static dev.tailwater.destination.contract.CheckSupport.read;
import static dev.tailwater.destination.contract.CheckSupport.readAll;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The checks of legal and illegal keys, and of what a destination reports about itself. */
final class NameChecks {
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

  private static final List<String> ILLEGAL =
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

  private static final CheckGroup GROUP = CheckGroup.NAME;

  private NameChecks() {}

  static List<Check> all() {
    return List.of(
        Check.useful(
                GROUP,
                "keeps odd legal keys exactly",
                "an archive from elsewhere cannot be copied here as it is; an agent's own names are"
                    + " plain",
                NameChecks::keepsOddLegalKeysExactly)
            .needingAll()
            .lengthy(),
        Check.useful(
                GROUP,
                "refuses illegal keys in every method and does nothing",
                "a fault of a program can write where nothing should be",
                NameChecks::refusesIllegalKeysInEveryMethodAndDoesNothing)
            .needing(Permission.LIST),
        Check.vital(
                GROUP,
                "says where it is and what it can do",
                "merged segments can be too long for it",
                NameChecks::saysWhereItIsAndWhatItCanDo)
            .needing());
  }

  private static void keepsOddLegalKeysExactly(CheckPlace source) throws Exception {
    Destination place = source.open();
    int longest = source.longestKeyBytes();
    List<String> all = new ArrayList<>();
    for (String odd : ODD) {
      all.add("o/" + odd + "/x");
      all.add("p/" + odd);
    }
    all.add("a".repeat(ObjectKeys.MAX_COMPONENT_BYTES));
    all.add(longKey(longest));
    all.add("d/".repeat(300) + "deep");
    all.sort(ObjectKeys.ORDER);
    for (String key : all) {
      putNew(place, key, bytes(key.hashCode(), 20));
    }
    Expect.equal(all, keys(place, ""), "the list");
    for (String key : all) {
      Expect.bytes(bytes(key.hashCode(), 20), readAll(place, key), "the object " + key);
      place.delete(key);
    }
    Expect.equal(List.of(), keys(place, ""), "the list after everything was deleted");
  }

  /** Returns a key of exactly the given length: components of two-byte characters, and a rest. */
  private static String longKey(int lengthBytes) {
    String folder = "é".repeat(100) + "/";
    int folderBytes = 201;
    int folders = (lengthBytes - 1) / folderBytes;
    return folder.repeat(folders) + "z".repeat(lengthBytes - folders * folderBytes);
  }

  private static void refusesIllegalKeysInEveryMethodAndDoesNothing(CheckPlace source)
      throws Exception {
    Destination place = source.open();
    for (String key : ILLEGAL) {
      for (Callable<?> call :
          List.<Callable<?>>of(
              () -> put(place, key, new byte[1]),
              () -> {
                place.putObject(key, new byte[1]);
                return "no failure of putObject";
              },
              () -> read(place, key, 0, 1),
              () -> {
                place.delete(key);
                return "no failure of delete";
              })) {
        PermanentDestinationException e =
            Expect.failure(PermanentDestinationException.class, call, "the illegal key " + key);
        Expect.isTrue(
            !(e instanceof NoSuchObjectException), "illegal is not the same as absent: " + key);
        Expect.isTrue(e.permanent(), "the refusal of " + key + " is said to pass");
        Expect.equal(key, e.key(), "the key in the failure");
        Expect.isTrue(!e.hint().isBlank(), "the failure has no hint");
      }
    }
    Expect.equal(List.of(), keys(place, ""), "the list");
  }

  private static void saysWhereItIsAndWhatItCanDo(CheckPlace source) throws Exception {
    Destination place = source.open();
    Expect.isTrue(place.uri().isAbsolute(), "no scheme in " + place.uri());
    Expect.equal(place.uri(), source.open().uri(), "the place when it is opened again");
    Expect.equal(place.capabilities(), place.capabilities(), "the capabilities asked again");
    Expect.isTrue(
        place.capabilities().maxObjectBytes() >= 64 << 20,
        "a merged segment of 64 MiB is longer than "
            + place.capabilities().maxObjectBytes()
            + " bytes");
  }
}
