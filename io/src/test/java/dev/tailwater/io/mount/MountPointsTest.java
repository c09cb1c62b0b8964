package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.io.mount.MountPoints.MountPoint;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where something is mounted, from any text whatever. */
class MountPointsTest {
  private static final String HOSTILE = "0123456789 \n\\/-:.x\t\r\0\u00ff";
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private static MountPoint mount(long id, String path) {
    return new MountPoint(id, PosixPath.of(path));
  }

  @Test
  void readsNumbersAndPaths() {
    assertEquals(
        Set.of(mount(22, "/"), mount(91, "/home/me/My Files\\new"), mount(99, "/var/log/app")),
        MountPoints.parse(MountTexts.ROOT + MountTexts.SSHFS + MountTexts.BIND));
  }

  @Test
  void passesOverWhatIsNoMount() {
    List<String> none =
        List.of(
            "",
            "22",
            "22 1",
            "22 1 8:2 / ",
            "22 1 8:2 / /x",
            "1 8:2 / /x rw - ext4",
            "-3 1 8:2 / /x rw",
            " 1 8:2 / /x rw",
            "99999999999999999999 1 8:2 / /x rw",
            "5 1 8:2 / x rw",
            "5 1 8:2 / /x\\000 rw",
            "5 1 8:2 /  rw");
    for (String line : none) {
      String text = line + "\n" + MountTexts.ROOT + line;
      assertEquals(Set.of(mount(22, "/")), MountPoints.parse(text), line);
    }
  }

  @Test
  void readsEveryPathBetweenHostileLines() {
    long seed = Long.getLong("tailwater.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 3_000; round++) {
      StringBuilder text = new StringBuilder();
      Set<MountPoint> expected = new HashSet<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        // No more than four fields, so that it is no line of a mount.
        text.append(hostile(random).replace(' ', '_')).append('\n');
        byte[] path = randomPath(random);
        long id = random.nextInt(1_000_000);
        expected.add(new MountPoint(id, PosixPath.of(path)));
        text.append(id).append(" 1 0:5 / ").append(escaped(path)).append(" rw - t s rw\n");
      }
      assertEquals(expected, MountPoints.parse(text.toString()), "-Dtailwater.seed=" + seed);
    }
  }

  @Test
  void noTextMakesItFail() {
    long seed = Long.getLong("tailwater.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20_000; round++) {
      for (MountPoint mount : MountPoints.parse(hostile(random))) {
        assertTrue(mount.path().isAbsolute() && mount.id() >= 0, "-Dtailwater.seed=" + seed);
      }
    }
  }

  private static String hostile(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(60); i > 0; i--) {
      char next = HOSTILE.charAt(random.nextInt(HOSTILE.length()));
      text.append(random.nextInt(8) == 0 ? "\n5 1 8:2 / /" : next);
    }
    return text.toString();
  }

  private static byte[] randomPath(SplittableRandom random) {
    byte[] path = new byte[1 + random.nextInt(20)];
    for (int i = 0; i < path.length; i++) {
      path[i] = (byte) (1 + random.nextInt(255));
    }
    path[0] = '/';
    return path;
  }

  /** As the kernel does it. */
  private static String escaped(byte[] path) {
    StringBuilder text = new StringBuilder();
    for (byte b : path) {
      boolean special = " \t\n\\#".indexOf(b) >= 0;
      text.append(special ? "\\%03o".formatted(b) : String.valueOf((char) (b & 0xff)));
    }
    return text.toString();
  }

  @Test
  void readsTheTableOfThisProcess() throws IOException {
    try (MountPoints points = MountPoints.open(CALLS).orElseThrow()) {
      Set<MountPoint> mounts = points.read().orElseThrow();
      assertTrue(mounts.stream().anyMatch(mount -> mount.path().equals(PosixPath.of("/"))));
      assertTrue(mounts.stream().anyMatch(mount -> mount.path().equals(PosixPath.of("/proc"))));
    }
  }

  @Test
  void isEmptyWhereItCannotBeOpened() {
    assertTrue(MountPoints.open(failing("open", Errno.EACCES)).isEmpty());
  }

  @Test
  void isEmptyWhereItCannotBeReadOrDoesNotEnd() throws IOException {
    try (MountPoints points = MountPoints.open(failing("pread", Errno.ENOMEM)).orElseThrow()) {
      assertTrue(points.read().isEmpty());
    }
    FileCalls endless =
        WrappedCalls.of(
            CALLS,
            (method, arguments, call) -> {
              if (!method.getName().equals("pread")) {
                return call.make();
              }
              MemorySegment target = (MemorySegment) arguments[1];
              byte[] line = MountTexts.ROOT.getBytes(StandardCharsets.ISO_8859_1);
              MemorySegment.copy(MemorySegment.ofArray(line), 0, target, 0, line.length);
              return line.length;
            });
    try (MountPoints points = MountPoints.open(endless).orElseThrow()) {
      assertTrue(points.read().isEmpty());
    }
  }

  private static FileCalls failing(String name, Errno errno) {
    return WrappedCalls.of(
        CALLS,
        (method, arguments, call) -> {
          if (method.getName().equals(name)) {
            throw ErrnoException.of(name, "the mount table", errno);
          }
          return call.make();
        });
  }
}
