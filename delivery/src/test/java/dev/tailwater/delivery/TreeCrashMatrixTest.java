package dev.tailwater.delivery;

import dev.tailwater.posix.testkit.InMemory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The same deaths while the agent tells of directories, which are changed, and changed back. */
class TreeCrashMatrixTest extends CrashMatrixTest {
  @BeforeEach
  @Override
  void choosePlace(@TempDir(factory = InMemory.class) Path directory) {
    super.choosePlace(directory);
  }

  @Override
  RotatedLog.Way way() {
    return RotatedLog.Way.TREE;
  }

  @Override
  int strideBefore() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 6;
  }

  @Override
  int strideAfter() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 12;
  }

  @Override
  List<Long> stateWritesThatFail() {
    return List.of(1L, 3L);
  }
}
