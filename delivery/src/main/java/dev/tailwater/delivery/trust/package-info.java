/** Whose objects in the archive an agent believes when they tell it what it has delivered. */
@NullMarked
package dev.tailwater.delivery.trust;

import org.jspecify.annotations.NullMarked;
