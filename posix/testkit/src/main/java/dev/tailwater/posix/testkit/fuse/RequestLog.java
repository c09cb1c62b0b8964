package dev.tailwater.posix.testkit.fuse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Counts the server's requests, and delays or holds them. Thread-safe. */
final class RequestLog {
  private final Map<Integer, AtomicLong> readSizes = new ConcurrentHashMap<>();
  private final Map<Integer, AtomicLong> writeSizes = new ConcurrentHashMap<>();
  private final Map<FuseRequest, AtomicLong> requests = new ConcurrentHashMap<>();
  private final RequestFaults faults = new RequestFaults();
  private final Gate reads = new Gate();
  private final AtomicLong fsyncs = new AtomicLong();
  private volatile long readDelayMicros;
  private volatile long writeDelayMicros;

  RequestLog(FuseOptions options) {
    readDelayMicros = options.readDelayMicros();
    writeDelayMicros = options.writeDelayMicros();
  }

  /** Counts a request and returns what happens to it. */
  RequestFaults.Planned next(FuseRequest request) {
    requests.computeIfAbsent(request, key -> new AtomicLong()).incrementAndGet();
    return faults.next(request);
  }

  RequestFaults faults() {
    return faults;
  }

  /**
   * Counts a READ, then delays it. It is counted first, so that a test can see a waiting request.
   */
  void read(int sizeBytes) {
    count(readSizes, sizeBytes);
    reads.pass();
    pause(readDelayMicros);
  }

  void write(int sizeBytes) {
    count(writeSizes, sizeBytes);
    pause(writeDelayMicros);
  }

  void fsync() {
    fsyncs.incrementAndGet();
  }

  void delayReads(long micros) {
    readDelayMicros = micros;
  }

  /** Holds READs that arrive from now on until {@link #releaseReads}. */
  void holdReads() {
    reads.shut();
  }

  void releaseReads() {
    reads.open();
  }

  void delayWrites(long micros) {
    writeDelayMicros = micros;
  }

  void reset() {
    readSizes.clear();
    writeSizes.clear();
    fsyncs.set(0);
    requests.clear();
  }

  FuseCounts counts() {
    return new FuseCounts(numbers(readSizes), numbers(writeSizes), fsyncs.get());
  }

  /** Returns the counts as text, such as {@code LINK:1,WRITE:8}. */
  String requestsText() {
    return requests.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue())
        .sorted()
        .collect(Collectors.joining(","));
  }

  private static void count(Map<Integer, AtomicLong> sizes, int sizeBytes) {
    sizes.computeIfAbsent(sizeBytes, key -> new AtomicLong()).incrementAndGet();
  }

  private static Map<Integer, Long> numbers(Map<Integer, AtomicLong> sizes) {
    return sizes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, size -> size.getValue().get()));
  }

  private static void pause(long micros) {
    long endNanos = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
