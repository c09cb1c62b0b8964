package dev.tailwater.delivery.drain;

import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.watch.WatchLoop;
import java.util.List;
import java.util.Optional;

/**
 * The stages that a drain drives.
 *
 * @param signer signs the record of what is left behind; empty for no signature
 */
public record DrainContext(
    String agent,
    WatchLoop watch,
    List<DrainLane> lanes,
    Problems problems,
    Tempo tempo,
    Clocks clocks,
    ThreadMaker threads,
    Optional<ObjectSigner> signer) {}
