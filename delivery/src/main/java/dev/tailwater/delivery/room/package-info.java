/** Who may have files open and in memory when not all can, and who waits for that. */
@NullMarked
package dev.tailwater.delivery.room;

import org.jspecify.annotations.NullMarked;
