package dev.tailwater.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountTableTest {
  private final FileCalls calls = LinuxFileCalls.create();

  private static AccountTable table(String text) {
    return AccountTable.parse(text.getBytes(UTF_8));
  }

  @Test
  void theFirstOfSeveralCountsAndNonsenseIsPassedOver() {
    AccountTable table =
        table(
            """
            root:x:0:0:root:/root:/bin/bash
            toor:x:0:0::/root:/bin/sh
            web:x:4294967294:33::/:
            web:x:34:33::/:
            +::::::
            :x:7:7::/:
            broken
            negative:x:-1:0::/:
            long:x:99999999999:0::/:

            last:x:12""");
    assertEquals(Optional.of("root"), table.name(0));
    assertEquals(OptionalLong.of(0), table.id("toor"));
    assertEquals(OptionalLong.of(4294967294L), table.id("web"));
    assertEquals(Optional.empty(), table.name(7));
    assertEquals(OptionalLong.empty(), table.id("negative"));
    assertEquals(OptionalLong.empty(), table.id("long"));
    assertEquals(Optional.of("last"), table.name(12));
  }

  @Test
  void readsTheTablesOfThisMachine() throws IOException {
    assertEquals(Optional.of("root"), AccountTable.read(calls, AccountTable.USERS).name(0));
    assertEquals(OptionalLong.of(0), AccountTable.read(calls, AccountTable.GROUPS).id("root"));
  }

  @Test
  void aTableThatIsNotThereIsAFailure(@TempDir Path directory) {
    PosixPath absent = PosixPath.of(directory).resolve(PosixPath.of("passwd"));
    assertThrows(IOException.class, () -> AccountTable.read(calls, absent));
    assertThrows(IOException.class, () -> AccountTable.read(calls, PosixPath.of(directory)));
  }
}
