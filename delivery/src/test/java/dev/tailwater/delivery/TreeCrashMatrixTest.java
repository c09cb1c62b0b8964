package dev.tailwater.delivery;

import java.util.List;

/** The same deaths while the agent tells of directories, which are changed, and changed back. */
class TreeCrashMatrixTest extends CrashMatrixTest {
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
