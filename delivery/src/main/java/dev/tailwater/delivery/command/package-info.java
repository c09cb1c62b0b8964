/**
 * Running commands of the user's.
 *
 * <p>In come a command and a time limit; out go its exit code and the lines that it wrote. What
 * outlives its limit is killed. Hooks and the notices that a command tells of are run here.
 */
@NullMarked
package dev.tailwater.delivery.command;

import org.jspecify.annotations.NullMarked;
