package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the options of real mounts mean. */
class MountOptionsTest {
  private static final int KIB = 1024;

  private static MountInfo info(String line, FileSystemKind kind, long blockSizeBytes) {
    MountEntry entry = MountEntry.parse(line.strip());
    return MountInfo.of(entry, entry.options(), kind, blockSizeBytes);
  }

  private static MountInfo remote(String line) {
    return info(line, FileSystemKind.REMOTE, 4096);
  }

  private static MountInfo local(String line) {
    return info(line, FileSystemKind.LOCAL, 4096);
  }

  @Test
  void theMountOfTheArticleIsSynchronousAndWantsItsWsize() {
    MountInfo mount = remote(MountTexts.NFS4_NOAC);
    assertEquals("nfs4", mount.fileSystemType());
    assertEquals("192.168.56.101:/nfs_export/batch", mount.source());
    assertTrue(mount.synchronous());
    assertFalse(mount.readOnly());
    assertEquals(new NfsMount("4.0", 128 * KIB, 128 * KIB, true, true), mount.nfs().orElseThrow());
    assertEquals(128 * KIB, mount.preferredWriteBytes());
  }

  @Test
  void anNfs3MountMayBeReadOnlySoftAndAsynchronous() {
    MountInfo mount = remote(MountTexts.NFS3);
    assertTrue(mount.readOnly());
    assertFalse(mount.synchronous());
    assertEquals(new NfsMount("3", 32 * KIB, 64 * KIB, false, false), mount.nfs().orElseThrow());
    assertEquals(32 * KIB, mount.preferredWriteBytes());
  }

  @Test
  void withoutAttributeCacheTimesAnNfsMountIsNotSynchronousYet() {
    MountInfo mount = remote(MountTexts.NFS4_NOAC.replace(",sync", "").replace(",noac", ""));
    assertTrue(mount.nfs().orElseThrow().noAttributeCache());
    assertFalse(mount.synchronous());
    assertTrue(remote(MountTexts.NFS4_NOAC.replace(",sync", "")).synchronous());
    assertTrue(NfsMount.of(MountOptions.parse("rw,actimeo=0")).noAttributeCache());
    assertFalse(NfsMount.of(MountOptions.parse("rw,acregmin=0")).noAttributeCache());
  }

  @Test
  void onlyNfsMountsHaveNfsOptions() {
    assertTrue(local(MountTexts.XFS).nfs().isEmpty());
    assertTrue(remote(MountTexts.CIFS).nfs().isEmpty());
  }

  @Test
  void cifsWantsItsWsizeAndPromisesNothingOfTheServersDisk() {
    MountInfo mount = remote(MountTexts.CIFS);
    assertEquals(64 * KIB, mount.preferredWriteBytes());
    assertFalse(mount.synchronous());
    assertFalse(remote(MountTexts.CIFS.replace("cache=strict", "cache=none")).synchronous());
    assertTrue(remote(MountTexts.CIFS.replace("cache=strict", "sync")).synchronous());
  }

  @Test
  void ninePWantsWholePagesThatFitIntoAMessage() {
    MountInfo mount = remote(MountTexts.NINE_P);
    assertEquals(31 * 4096, mount.preferredWriteBytes());
    assertFalse(mount.synchronous());
    assertEquals(4096, remote(MountTexts.NINE_P.replace("131072", "4096")).preferredWriteBytes());
  }

  @Test
  void fuseWantsTheUsualLargestRequest() {
    assertEquals(128 * KIB, remote(MountTexts.SSHFS).preferredWriteBytes());
    assertEquals(128 * KIB, remote("1 0 0:9 / /m rw - virtiofs shared rw").preferredWriteBytes());
  }

  @Test
  void localDisksWant256KibibytesInWholeBlocks() {
    assertEquals(256 * KIB, local(MountTexts.ROOT).preferredWriteBytes());
    assertEquals(256 * KIB, local(MountTexts.XFS).preferredWriteBytes());
    assertEquals(256 * KIB, local(MountTexts.BTRFS_HOME).preferredWriteBytes());
    assertEquals(256 * KIB, local(MountTexts.OVERLAY).preferredWriteBytes());
    assertEquals(256 * KIB, local(MountTexts.TMPFS).preferredWriteBytes());
    FileSystemKind kind = FileSystemKind.LOCAL;
    assertEquals(1024 * KIB, info(MountTexts.XFS, kind, 1024 * KIB).preferredWriteBytes());
    assertEquals(300_000, info(MountTexts.XFS, kind, 100_000).preferredWriteBytes());
    assertEquals(256 * KIB, info(MountTexts.XFS, kind, 0).preferredWriteBytes());
    assertEquals(256 * KIB, info(MountTexts.XFS, kind, 1L << 40).preferredWriteBytes());
  }

  @Test
  void syncIsSeenInTheOptionsOfTheSuperblock() {
    assertTrue(local(MountTexts.SYNC_EXT4).synchronous());
    assertFalse(local(MountTexts.ROOT).synchronous());
  }

  @Test
  void aSizeThatIsNoSizeIsIgnored() {
    assertEquals(OptionalInt.empty(), MountOptions.parse("wsize=many").bytes("wsize"));
    assertEquals(OptionalInt.empty(), MountOptions.parse("wsize=-1").bytes("wsize"));
    assertEquals(OptionalInt.empty(), MountOptions.parse("wsize=").bytes("wsize"));
    MountInfo huge = remote(MountTexts.CIFS.replace("wsize=65536", "wsize=99999999999"));
    assertEquals(PreferredWrite.MAX_BYTES, huge.preferredWriteBytes());
    MountInfo small = remote(MountTexts.CIFS.replace("wsize=65536", "wsize=512"));
    assertEquals(4096, small.preferredWriteBytes());
  }

  @Test
  void optionsOfTheStatisticsFillInWhatTheTableDoesNotSay() {
    String text =
        """
        device rootfs mounted on / with fstype rootfs
        device other:/x mounted on /nfs2 with fstype nfs4 statvers=1.1
        \topts:\trw,vers=4.2,rsize=4096,wsize=4096
        device srv:/e mounted on /my\\040nfs with fstype nfs4 statvers=1.1
        \topts:\trw,sync,vers=4.1,rsize=1048576,wsize=524288,hard,noac
        \tage:\t77
        \tper-op statistics
        \t       WRITE: 128 128 0 1 2 3 4 5 0
        """;
    MountOptions found = MountStatistics.options(text, PosixPath.of("/my nfs"));
    assertEquals(OptionalInt.of(524_288), found.bytes("wsize"));
    MountOptions both = MountOptions.parse("ro,vers=4.2").and(found);
    assertEquals(List.of("4.2"), both.text("vers").stream().toList());
    assertEquals(OptionalInt.of(524_288), both.bytes("wsize"));
    assertTrue(both.has("ro") && !both.has("rw"), "read-only: " + both);
    assertTrue(both.has("sync") && both.has("noac"), "synchronous: " + both);
    assertEquals(List.of(), MountStatistics.options(text, PosixPath.of("/nfs")).words());
    assertEquals(List.of(), MountStatistics.options("", PosixPath.of("/nfs")).words());
  }
}
