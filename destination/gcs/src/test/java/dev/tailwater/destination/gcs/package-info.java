/** Tests against an emulator that they start, and through a proxy that injects faults. */
@NullMarked
package dev.tailwater.destination.gcs;

import org.jspecify.annotations.NullMarked;
