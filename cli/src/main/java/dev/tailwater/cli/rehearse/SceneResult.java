package dev.tailwater.cli.rehearse;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of a scene.
 *
 * @param name of the way
 * @param holds whether what is promised for it was kept
 * @param writtenBytes in all files
 * @param lostBytes of them, not at the destination when all was over
 * @param atRiskBytes how much was at risk when it happened, as the agent said
 * @param took until everything was delivered; empty where that was not waited for, or never came
 * @param limit how long that may take; empty: there is no limit
 * @param remark what else is to be known
 */
public record SceneResult(
    String name,
    boolean holds,
    long writtenBytes,
    long lostBytes,
    long atRiskBytes,
    Optional<Duration> took,
    Optional<Duration> limit,
    String remark) {}
