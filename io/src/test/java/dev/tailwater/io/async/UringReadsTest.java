package dev.tailwater.io.async;

class UringReadsTest extends RandomReadsContract {
  UringReadsTest() {
    super(ReadEngine.URING);
  }
}
