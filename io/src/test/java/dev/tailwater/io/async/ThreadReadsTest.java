package dev.tailwater.io.async;

class ThreadReadsTest extends RandomReadsContract {
  ThreadReadsTest() {
    super(ReadEngine.THREADS);
  }
}
