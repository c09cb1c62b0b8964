package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which line of /proc/self/mountinfo a file belongs to. */
class MountTableTest {
  private static final MountTable TABLE =
      MountTable.of(
          MountTexts.ROOT
              + MountTexts.XFS
              + MountTexts.BTRFS_ROOT
              + MountTexts.BTRFS_HOME
              + MountTexts.TMPFS
              + MountTexts.SSHFS
              + MountTexts.BIND);

  private static long device(long major, long minor) {
    return major << 32 | minor;
  }

  private static String mountPoint(MountTable table, String path, long device) {
    return table.byPath(PosixPath.of(path), device).orElseThrow().mountPoint().decoded();
  }

  @Test
  void readsEveryFieldOfALine() {
    MountEntry entry = TABLE.byId(99).orElseThrow();
    assertEquals(99, entry.id());
    assertEquals(device(8, 17), entry.device());
    assertEquals(PosixPath.of("/logs"), entry.root());
    assertEquals(PosixPath.of("/var/log/app"), entry.mountPoint());
    assertEquals("xfs", entry.type());
    assertEquals("/dev/sdb1", entry.source());
    assertTrue(entry.options().has("ro"), "read-only although its superblock is not");
    assertFalse(entry.options().has("rw"));
    assertTrue(entry.options().has("inode64"));
  }

  @Test
  void anIdIsNotTakenForOneThatItBegins() {
    assertTrue(TABLE.byId(9).isEmpty());
    assertTrue(TABLE.byId(0).isEmpty());
  }

  @Test
  void octalEscapesAreBytesAgain() {
    MountEntry entry = TABLE.byId(91).orElseThrow();
    assertEquals(PosixPath.of("/home/me/My Files\\new"), entry.mountPoint());
    assertEquals("/home/me/My Files\\new", mountPoint(TABLE, "/home/me/My Files\\new/a", 0));
    assertArrayEquals(new byte[] {'a', 9, 10, '\\'}, MountEntry.unescape("a\\011\\012\\134"));
    assertArrayEquals(
        "\\0\\08x\\".getBytes(StandardCharsets.ISO_8859_1), MountEntry.unescape("\\0\\08x\\"));
    assertArrayEquals(new byte[] {(byte) 0xE9}, MountEntry.unescape("\u00e9"));
  }

  @Test
  void aNameThatIsNoUtf8KeepsItsBytes() {
    MountEntry entry = MountEntry.parse("5 1 0:9 / /mnt/\u00ff\u00fe rw - tmpfs none rw");
    assertEquals(
        PosixPath.of(new byte[] {'/', 'm', 'n', 't', '/', (byte) 0xFF, (byte) 0xFE}),
        entry.mountPoint());
  }

  @Test
  void aSourceWithoutNameAndLinesWithoutOptionalFieldsAreRead() {
    MountEntry entry = MountEntry.parse("5 1 0:9 / /mnt rw - tmpfs  rw,size=1k");
    assertEquals("", entry.source());
    assertTrue(entry.options().has("size=1k"));
    MountEntry shared = MountEntry.parse("5 1 0:9 / /m rw master:1 propagate_from:2 - tmpfs t rw");
    assertEquals("tmpfs", shared.type());
  }

  @Test
  void aCarriageReturnInANameBeginsNoLine() {
    MountTable table = MountTable.of("5 1 0:9 / /a\r7 1 0:9 / /b rw - tmpfs none rw\n");
    assertTrue(table.byId(7).isEmpty());
  }

  @Test
  void aCarriageReturnInANameIsAByteOfIt() {
    MountTable table = MountTable.of("5 1 0:9 / /mnt/a\rb rw - tmpfs none rw\n");
    assertEquals(PosixPath.of("/mnt/a\rb"), table.byId(5).orElseThrow().mountPoint());
    assertEquals("/mnt/a\rb", mountPoint(table, "/mnt/a\rb/x", 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5 1 0:9 / /mnt rw tmpfs none rw", "5 1 9 / /mnt rw - t n rw"})
  void whatIsNoLineIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> MountEntry.parse(line));
  }

  @Test
  void theLongestMountPointAboveAPathIsTaken() {
    assertEquals("/srv", mountPoint(TABLE, "/srv/a/b", device(8, 17)));
    assertEquals("/var/log/app", mountPoint(TABLE, "/var/log/app/x", device(8, 17)));
    assertEquals("/", mountPoint(TABLE, "/srvx", device(8, 2)));
    assertEquals("/", mountPoint(TABLE, "/", device(8, 2)));
  }

  @Test
  void aSubvolumeWhoseDeviceIsInNoLineIsFoundByItsPath() {
    assertEquals("/pool/home", mountPoint(TABLE, "/pool/home/me/file", device(0, 33)));
    assertEquals("/pool", mountPoint(TABLE, "/pool/homes", device(0, 32)));
  }

  @Test
  void ofMountsOnTheSamePointTheLastOneIsOnTop() {
    MountTable table =
        MountTable.of(
            """
            1 0 8:1 / / rw - ext4 a rw
            2 1 8:2 / /data rw - ext4 lower rw
            3 2 8:3 / /data rw - xfs upper rw
            """);
    assertEquals("upper", table.byPath(PosixPath.of("/data/x"), 1).orElseThrow().source());
  }

  @Test
  void aMountOverAParentHidesWhatWasMountedBelow() {
    MountTable table =
        MountTable.of(
            """
            1 0 8:1 / / rw - ext4 a rw
            2 1 8:2 / /a/b rw - ext4 hidden rw
            3 1 8:3 / /a rw - xfs upper rw
            """);
    assertEquals(
        "upper", table.byPath(PosixPath.of("/a/b/x"), device(8, 3)).orElseThrow().source());
  }

  @Test
  void withoutAMountAboveThereIsNone() {
    MountTable chroot = MountTable.of(MountTexts.TMPFS);
    assertTrue(chroot.byPath(PosixPath.of("/data/file"), device(0, 23)).isEmpty());
    assertTrue(MountTable.of("").byId(1).isEmpty());
  }

  @Test
  void theMountIdOfADescriptorIsReadFromItsText() {
    assertEquals(27, MountLookup.mountId("pos:\t0\nflags:\t0100000\nmnt_id:\t27\nino:\t5\n"));
    assertEquals(0, MountLookup.mountId(""));
  }
}
