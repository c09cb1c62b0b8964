/**
 * What the agent's threads wait for in files below sources, and for how long.
 *
 * <p>A file server that does not answer holds up who asks it, for as long as it likes: no call can
 * be given up. So each thread notes its call, and one thread looks now and then which of them last
 * too long, reports these, and has others do the work meanwhile.
 */
@NullMarked
package dev.tailwater.delivery.hang;

import org.jspecify.annotations.NullMarked;
