package dev.tailwater.io.async;

class ThreadReadsTest extends RandomReadsContract {
  @Override
  ReadEngine engine() {
    return ReadEngine.THREADS;
  }
}
