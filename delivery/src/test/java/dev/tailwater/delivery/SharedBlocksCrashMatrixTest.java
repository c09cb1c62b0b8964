package dev.tailwater.delivery;

import dev.tailwater.posix.testkit.InMemory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The same deaths while two workers compress the blocks of one long file. */
class SharedBlocksCrashMatrixTest extends CrashMatrixTest {
  @BeforeEach
  @Override
  void choosePlace(@TempDir(factory = InMemory.class) Path directory) {
    super.choosePlace(directory);
  }

  @Override
  RotatedLog.Way way() {
    return RotatedLog.Way.SHARED_BLOCKS;
  }

  @Override
  int strideBefore() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 12;
  }

  @Override
  int strideAfter() {
    return strideBefore();
  }

  @Override
  List<Long> stateWritesThatFail() {
    return List.of(2L);
  }
}
