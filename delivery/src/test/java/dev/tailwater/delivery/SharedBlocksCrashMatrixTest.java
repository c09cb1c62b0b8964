package dev.tailwater.delivery;

import java.util.List;

/** The same deaths while two workers compress the blocks of one long file. */
class SharedBlocksCrashMatrixTest extends CrashMatrixTest {
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
