/**
 * A server for the training of start-up caches: it speaks as much HTTP as a cloud's client needs
 * for one delivery. No agent uses it.
 */
@NullMarked
package dev.tailwater.destination.cloud.training;

import org.jspecify.annotations.NullMarked;
