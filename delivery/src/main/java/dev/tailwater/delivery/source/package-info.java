/** Which files and directories below the sources are to be delivered, and which are the agent's. */
@NullMarked
package dev.tailwater.delivery.source;

import org.jspecify.annotations.NullMarked;
