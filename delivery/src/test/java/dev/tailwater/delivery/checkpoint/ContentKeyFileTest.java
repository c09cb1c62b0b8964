package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentKeyFileTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final byte[] BYTES =
      HexFormat.of().parseHex("f00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeedf00dfeed");

  @TempDir private Path directory;

  private Path file(byte[] bytes, String permissions) throws IOException {
    Path file = Files.write(directory.resolve("key"), bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  private static ContentKey read(Path file) throws IOException {
    return ContentKeyFile.read(CALLS, PosixPath.of(file));
  }

  private static String unfit(Path file) {
    String message =
        String.valueOf(
            assertThrows(ContentKeyFile.UnfitException.class, () -> read(file)).getMessage());
    assertTrue(message.contains(file.toString()), message);
    assertFalse(message.toLowerCase(Locale.ROOT).contains("f00d"), message);
    return message;
  }

  private ContentKey readOrCreate() throws IOException {
    return ContentKeyFile.readOrCreate(CALLS, PosixPath.of(directory), new SecureRandom());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "r--------"})
  void readsAKeyOfItsOwner(String permissions) throws IOException {
    Path file = file(BYTES, permissions);
    assertEquals(ContentKey.of(BYTES).id(), read(file).id());
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertEquals(ContentKey.of(BYTES).id(), read(link).id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw----r--", "rw-----w-", "rw--w----", "rw-rw-rw-"})
  void refusesAKeyThatOthersCanReadOrWrite(String permissions) throws IOException {
    assertTrue(unfit(file(BYTES, permissions)).contains("chmod 600"));
  }

  @Test
  void onlyOfAFileOfRootMayTheGroupReadIt() throws IOException {
    Path file = file(BYTES, "r--r-----");
    if ((Integer) Files.getAttribute(file, "unix:uid") == 0) {
      assertEquals(ContentKey.of(BYTES).id(), read(file).id());
    } else {
      assertTrue(unfit(file).contains("chmod 600"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 33, 65})
  void refusesAnotherLength(int length) throws IOException {
    assertTrue(unfit(file(new byte[length], "rw-------")).contains(length + " bytes"));
  }

  @Test
  void refusesWhatIsNoRegularFile() throws IOException {
    assertTrue(unfit(directory).contains("not a regular file"));
    assertTrue(unfit(Path.of("/dev/zero")).contains("not a regular file"));
    assertThrows(ErrnoException.class, () -> read(directory.resolve("absent")));
  }

  @Test
  void makesARandomKeyOnceThatNobodyElseCanRead() throws IOException {
    ContentKey made = readOrCreate();
    Path file = directory.resolve(ContentKeyFile.NAME.toString());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    byte[] bytes = Files.readAllBytes(file);
    assertEquals(ContentKey.KEY_BYTES, bytes.length);
    assertEquals(made.id(), readOrCreate().id());
    assertArrayEquals(bytes, Files.readAllBytes(file));
    Files.delete(file);
    assertNotEquals(made.id(), readOrCreate().id());
  }

  @Test
  void aKeyIsDurableBeforeItHasItsName() throws IOException {
    List<String> called = new ArrayList<>();
    FileCalls recording =
        FaultyFileCalls.wrap(
                CALLS,
                call -> {
                  called.add(call.method());
                  return Fault.PROCEED;
                })
            .calls();
    ContentKeyFile.readOrCreate(recording, PosixPath.of(directory), new SecureRandom());
    List<String> writes =
        called.stream()
            .filter(method -> List.of("pwrite", "fsync", "rename").contains(method))
            .toList();
    assertEquals(List.of("pwrite", "fsync", "rename", "fsync"), writes);
  }

  @Test
  void whatACrashLeftIsReplaced() throws IOException {
    Path left = Files.write(directory.resolve("content-check.key.new"), new byte[99]);
    Files.setPosixFilePermissions(left, PosixFilePermissions.fromString("rw-rw-rw-"));
    readOrCreate();
    assertFalse(Files.exists(left));
    Path file = directory.resolve(ContentKeyFile.NAME.toString());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pwrite", "fsync", "rename"})
  void aKeyThatCannotBeMadeDurableIsNotUsed(String method) {
    FileCalls failing = FaultyFileCalls.wrap(CALLS, FaultPlan.failAll(method, Errno.EIO)).calls();
    assertThrows(
        ErrnoException.class,
        () -> ContentKeyFile.readOrCreate(failing, PosixPath.of(directory), new SecureRandom()));
    assertFalse(Files.exists(directory.resolve(ContentKeyFile.NAME.toString())));
  }
}
