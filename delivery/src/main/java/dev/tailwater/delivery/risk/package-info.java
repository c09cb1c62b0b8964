/**
 * The bound on bytes at risk, and what the bottleneck is when it is exceeded.
 *
 * <p>The agent measures several times a second what is at risk at each destination and how busy its
 * stages are. When the bound is exceeded, a problem that names the bottleneck is reported once, and
 * resolved when the bound is kept again. Nothing here looks at files.
 */
@NullMarked
package dev.tailwater.delivery.risk;

import org.jspecify.annotations.NullMarked;
