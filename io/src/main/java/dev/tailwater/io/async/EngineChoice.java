package dev.tailwater.io.async;

/**
 * The engine that is used, and why.
 *
 * @param reason a sentence for a log or a report
 */
public record EngineChoice(ReadEngine engine, String reason) {}
