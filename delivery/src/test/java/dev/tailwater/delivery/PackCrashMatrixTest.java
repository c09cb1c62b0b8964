package dev.tailwater.delivery;

/** The same deaths while the log travels in packs. */
class PackCrashMatrixTest extends CrashMatrixTest {
  @Override
  RotatedLog.Way way() {
    return RotatedLog.Way.PACKS;
  }

  @Override
  int strideBefore() {
    return Boolean.getBoolean("tailwater.soak") ? 1 : 3;
  }
}
