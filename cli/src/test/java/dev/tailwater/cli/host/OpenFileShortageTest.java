package dev.tailwater.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenFileShortageTest {
  private static String limits(String openFiles) {
    return """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             63                   63                   processes
        Max open files            %s                   4096                 files
        """
        .formatted(openFiles);
  }

  @Test
  void saysThatTooFewFilesMayBeOpen() {
    String hint = OpenFileShortage.hint(limits("80")).orElseThrow();
    assertTrue(hint.startsWith("only 80 files may be open at once"), hint);
    assertTrue(hint.contains("ulimit -n 1024"), hint);
  }

  @Test
  void saysNothingWhereEnoughFilesMayBeOpen() {
    assertEquals(Optional.empty(), OpenFileShortage.hint(limits("100")));
    assertEquals(Optional.empty(), OpenFileShortage.hint(limits("1048576")));
    assertEquals(Optional.empty(), OpenFileShortage.hint(limits("unlimited")));
  }
}
