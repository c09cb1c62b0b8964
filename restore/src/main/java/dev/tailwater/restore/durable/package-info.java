/**
 * Files made durable together, as many at a time as this process may keep open. {@link
 * dev.tailwater.restore.durable.GroupSync} does so for all that are written.
 */
@NullMarked
package dev.tailwater.restore.durable;

import org.jspecify.annotations.NullMarked;
