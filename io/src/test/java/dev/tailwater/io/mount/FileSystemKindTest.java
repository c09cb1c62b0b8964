package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** File systems by their magic numbers. */
final class FileSystemKindTest {
  @Test
  void knowsFileSystemsByTheirNumbers() {
    assertEquals(FileSystemKind.LOCAL, FileSystemKind.ofType(0xEF53));
    assertEquals(FileSystemKind.REMOTE, FileSystemKind.ofType(0x6969));
    assertEquals(FileSystemKind.REMOTE, FileSystemKind.ofType(0xFFFFFFFFFF534D42L));
    assertEquals(FileSystemKind.UNKNOWN, FileSystemKind.ofType(0x12345));
    assertFalse(FileSystemKind.UNKNOWN.allowsCriticalReads());
    assertFalse(FileSystemKind.UNKNOWN.inotifyBlind());
    assertTrue(FileSystemKind.REMOTE.inotifyBlind());
  }
}
