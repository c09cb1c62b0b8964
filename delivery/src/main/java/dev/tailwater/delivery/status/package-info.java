/** What an agent, or the state that it left, says of its work and of single files. */
@NullMarked
package dev.tailwater.delivery.status;

import org.jspecify.annotations.NullMarked;
