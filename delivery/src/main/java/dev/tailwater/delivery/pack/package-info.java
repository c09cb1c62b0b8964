/**
 * Packs on their way to a destination: how they are numbered, what is to be said in them, and what
 * those of earlier runs hold.
 */
@NullMarked
package dev.tailwater.delivery.pack;

import org.jspecify.annotations.NullMarked;
