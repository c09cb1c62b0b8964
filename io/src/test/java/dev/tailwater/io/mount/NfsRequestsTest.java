package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class NfsRequestsTest {
  private static final String TEXT =
      """
      device proc mounted on /proc with fstype proc
      device server:/other mounted on /mnt/other with fstype nfs4 statvers=1.1
      	opts:	rw,vers=4.2,wsize=65536
      	per-op statistics
      	        WRITE: 7 7 0 1 1 1 1 1 0
      device server:/export mounted on /mnt/my\\040batch with fstype nfs4 statvers=1.1
      	opts:	rw,sync,vers=4.0,rsize=131072,wsize=131072,noac
      	age:	77
      	caps:	caps=0x3fff7,wtmult=512,dtsize=32768,bsize=0,namlen=255
      	sec:	flavor=1,pseudoflavor=1
      	events:	0 0 0 0 0 0 0 0 0
      	bytes:	0 104857600 0 0 0 104857600 0 0
      	RPC iostats version: 1.1  p/v: 100003/4 (nfs)
      	xprt:	tcp 0 1 2 0 11 1644 1644 0 1644 0 2 0 0
      	per-op statistics
      	         NULL: 1 1 0 44 24 0 0 0 0
      	         READ: 0 0 0 0 0 0 0 0 0
      	        WRITE: 800 801 0 104988000 108800 1 1004 1008 0
      	       COMMIT: 3 3 0 1 1 1 1 1 0
      device tmpfs mounted on /run with fstype tmpfs
      """;

  @Test
  void countsTheRequestsOfTheMountThatIsAskedAbout() {
    assertEquals(
        Map.of("NULL", 1L, "READ", 0L, "WRITE", 800L, "COMMIT", 3L),
        MountStatistics.requests(TEXT, PosixPath.of("/mnt/my batch")));
    assertEquals(Map.of("WRITE", 7L), MountStatistics.requests(TEXT, PosixPath.of("/mnt/other")));
    assertEquals(Map.of(), MountStatistics.requests(TEXT, PosixPath.of("/mnt")));
  }

  @Test
  void knowsThatAnythingElseIsNoNfs() throws Exception {
    assertEquals(Optional.empty(), NfsRequests.of(LinuxFileCalls.create(), PosixPath.of("/proc")));
  }
}
