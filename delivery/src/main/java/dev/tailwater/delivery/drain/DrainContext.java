package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.watch.WatchLoop;
import java.util.List;

/** The stages that a drain drives. */
public record DrainContext(
    String agent,
    WatchLoop watch,
    List<DrainLane> lanes,
    Problems problems,
    Tempo tempo,
    Clocks clocks,
    ThreadMaker threads) {}
