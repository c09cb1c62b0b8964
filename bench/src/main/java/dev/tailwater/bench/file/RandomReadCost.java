package dev.tailwater.bench.file;

/**
 * What random reads reached.
 *
 * @param processorMicrosPerRead user and system time of the whole process; what the kernel does in
 *     interrupts is in nobody's account
 */
public record RandomReadCost(double readsPerSecond, double processorMicrosPerRead) {}
