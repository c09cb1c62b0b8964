/**
 * Whether the bound on bytes at risk is kept, and if not, what is the limit.
 *
 * <p>In comes, several times a second, what is at risk at each destination and who is at work with
 * it; out goes a problem that names the limit, once, and word when the bound holds again. The agent
 * asks; nothing here looks at files.
 */
@NullMarked
package dev.tailwater.delivery.risk;

import org.jspecify.annotations.NullMarked;
