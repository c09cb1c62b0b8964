/**
 * When a tail is due: as soon as it has a full segment, or early enough that its oldest unread byte
 * is durable in time. In a hurry, and when too much is at risk, what gains most comes first.
 */
@NullMarked
package dev.tailwater.delivery.due;

import org.jspecify.annotations.NullMarked;
