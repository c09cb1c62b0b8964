package dev.tailwater.restore.attribute;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What gives files and directories the attributes that not every restore gives them.
 *
 * @param unvouched counts the files that did not get what {@link KnownAttributes#isWithheld} says
 */
public record AttributeTools(Owners owners, AttributeSetter extended, AtomicLong unvouched) {}
