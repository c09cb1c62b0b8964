package dev.tailwater.cli.rehearse;

import java.time.Duration;

/**
 * The plan of a rehearsal.
 *
 * @param rateBytesPerSecond how much is written, to all files together
 * @param files how many are written to
 * @param warmUp how long is written before something happens
 * @param notice from a notice to the machine's end
 * @param drainDeadline how long a drain at SIGTERM may take
 * @param outage how long the network is away
 */
public record RehearsalPlan(
    long rateBytesPerSecond,
    int files,
    Duration warmUp,
    Duration notice,
    Duration drainDeadline,
    Duration outage) {}
