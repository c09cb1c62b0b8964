/** The commands that ask an agent, or the state that it left: {@code status} and {@code drain}. */
@NullMarked
package dev.tailwater.cli.command.agent;

import org.jspecify.annotations.NullMarked;
