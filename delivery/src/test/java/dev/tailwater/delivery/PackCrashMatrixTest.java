package dev.tailwater.delivery;

import dev.tailwater.posix.testkit.InMemory;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The same deaths while the log travels in packs. */
class PackCrashMatrixTest extends CrashMatrixTest {
  @BeforeEach
  @Override
  void choosePlace(@TempDir(factory = InMemory.class) Path directory) {
    super.choosePlace(directory);
  }

  @Override
  RotatedLog.Way way() {
    return RotatedLog.Way.PACKS;
  }

  @Override
  int strideBefore() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 3;
  }
}
