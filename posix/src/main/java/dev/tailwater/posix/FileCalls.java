package dev.tailwater.posix;

/**
 * Every native file call of the program: the one facade. Implementations are thread-safe; a single
 * descriptor follows the rules of the kernel.
 */
public interface FileCalls
    extends NameCalls,
        ReadCalls,
        MapCalls,
        WriteCalls,
        RangeCalls,
        StatusCalls,
        WatchCalls,
        FanotifyCalls,
        RingCalls {}
