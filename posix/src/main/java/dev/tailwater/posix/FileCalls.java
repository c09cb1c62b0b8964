package dev.tailwater.posix;

/**
 * The facade of all native file calls of the program. Implementations are thread-safe. Concurrent
 * use of one descriptor follows the rules of the kernel.
 */
public interface FileCalls
    extends NameCalls,
        ReadCalls,
        MapCalls,
        WriteCalls,
        RangeCalls,
        StatusCalls,
        AttributeCalls,
        WatchCalls,
        FanotifyCalls,
        RingCalls {}
