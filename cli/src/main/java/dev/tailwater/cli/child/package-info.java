/**
 * Further processes of this program, started by this one: agents to be killed, and writers. Command
 * lines go in; processes that can be asked and ended come out. Called by {@code demo} and {@code
 * rehearse}.
 */
@NullMarked
package dev.tailwater.cli.child;

import org.jspecify.annotations.NullMarked;
