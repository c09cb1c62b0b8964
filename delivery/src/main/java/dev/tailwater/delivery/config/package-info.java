/** What an agent is told to do: its sources, segments, limits, keys and timing. */
@NullMarked
package dev.tailwater.delivery.config;

import org.jspecify.annotations.NullMarked;
