package dev.tailwater.io.async;

class UringReadsTest extends RandomReadsContract {
  @Override
  ReadEngine engine() {
    return ReadEngine.URING;
  }
}
