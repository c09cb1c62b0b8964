package dev.tailwater.archive.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PackNameTest {
  private static final PackGroup GROUP = new PackGroup("9hq8uvlhiuj8l-0fk3v9a1");
  private static final PackId ID = new PackId("web-1", GROUP, 17);

  @Test
  void keysAreParsedAsTheyWereMade() {
    for (boolean encrypted : List.of(false, true)) {
      PackName name = new PackName(ID, 4096, encrypted);
      assertEquals(
          "web-1/~packs/9hq8uvlhiuj8l-0fk3v9a1/000017-000017-00004096.zst"
              + (encrypted ? ".age" : ""),
          name.key());
      assertEquals(Optional.of(name), PackName.parse(name.key()));
    }
  }

  @Test
  void aPackIsNoObjectOfAStreamAndNoOtherOneOfTheAgent() {
    String key = new PackName(ID, 4096, true).key();
    assertTrue(ArchiveNames.parse(key).isEmpty());
    assertTrue(key.startsWith(PackName.prefix("web-1")));
    assertTrue(key.startsWith(PackName.prefix("web-1", GROUP)));
  }

  @Test
  void otherKeysAreNone() {
    String key = new PackName(ID, 4096, false).key();
    for (String other :
        List.of(
            "",
            key + ".age.age",
            key + "/",
            "/" + key,
            key.replace("~packs", "packs"),
            key.replace("~packs/", "~packs/x/"),
            key.replace("web-1", ".web"),
            key.replace("000017", "00001"),
            key.replace("000017", "-00017"),
            key.replace("000017-000017", "000017"),
            key.replace("000017-000017", "000017-000016"),
            key.replace("00004096", "00000000"),
            key.replace(".zst", ".gz"),
            key.replace("-0fk3v9a1", "-0fk3v9az"),
            key.replace("-0fk3v9a1", "-0fk3v9a"))) {
      assertTrue(PackName.parse(other).isEmpty(), other);
    }
  }

  private static PackName pack(PackGroup group, int first, int last, int frontBytes) {
    return new PackName(new PackId("web-1", group, first, last), frontBytes, false);
  }

  @Test
  void aPackWithinAMergedOneIsSuperseded() {
    PackGroup other = new PackGroup("9hq8uvlhiuj8l-0fk3v9a2");
    List<PackName> current =
        List.of(
            pack(GROUP, 0, 7, 10),
            pack(GROUP, 6, 9, 10),
            pack(GROUP, 10, 10, 10),
            pack(GROUP, 11, 12, 10),
            pack(other, 0, 0, 10));
    List<PackName> superseded =
        List.of(
            pack(GROUP, 0, 0, 10),
            pack(GROUP, 0, 7, 11),
            pack(GROUP, 3, 7, 10),
            pack(GROUP, 8, 8, 10),
            pack(GROUP, 12, 12, 10));
    List<PackName> all = new ArrayList<>(superseded);
    all.addAll(current);
    assertEquals(Set.copyOf(superseded), PackCover.superseded(all));
  }

  @Test
  void aPackThatIsNotEncryptedSupersedesNoneThatIs() {
    PackId within = new PackId("web-1", GROUP, 3, 3);
    PackName encrypted = new PackName(within, 10, true);
    PackName merged = new PackName(new PackId("web-1", GROUP, 2, 4), 10, true);
    PackName plain = new PackName(within, 10, false);
    PackName wide = pack(GROUP, 0, 7, 10);
    assertEquals(Set.of(plain), PackCover.superseded(List.of(wide, plain, encrypted)));
    assertEquals(Set.of(), PackCover.superseded(List.of(plain, encrypted)));
    assertEquals(
        Set.of(plain, encrypted), PackCover.superseded(List.of(wide, merged, plain, encrypted)));
    assertEquals(Set.of(plain, encrypted), PackCover.superseded(List.of(merged, plain, encrypted)));
  }

  @Test
  void groupsSortByTheTimeOfTheirBeginning() {
    SecureRandom random = new SecureRandom();
    PackGroup before = PackGroup.begin(-1, random);
    PackGroup first = PackGroup.begin(1_795_000_000_000_000_000L, random);
    PackGroup second = PackGroup.begin(1_795_000_000_000_000_001L, random);
    assertTrue(before.compareTo(first) < 0);
    assertTrue(first.compareTo(second) < 0);
  }

  @Test
  void whatCannotBeNamedIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new PackId("web-1", GROUP, 1_000_000));
    assertThrows(IllegalArgumentException.class, () -> new PackId("web-1", GROUP, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> new PackId("web/1", GROUP, 0));
    assertThrows(IllegalArgumentException.class, () -> new PackName(ID, 0, false));
    assertThrows(IllegalArgumentException.class, () -> new PackName(ID, 100_000_000, false));
  }
}
