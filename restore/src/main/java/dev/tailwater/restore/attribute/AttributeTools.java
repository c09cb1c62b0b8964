package dev.tailwater.restore.attribute;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What gives files and directories their attributes.
 *
 * @param unvouched counts the files that did not get what {@link KnownAttributes#isWithheld} says
 */
public record AttributeTools(
    Owners owners, AttributeSetter extended, ModeSetter modes, AtomicLong unvouched) {}
