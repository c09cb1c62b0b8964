/**
 * Commands that packages of their own add to the program. A plug-in implements {@link
 * dev.tailwater.cli.plugin.CommandPlugin}; where it is not installed, its command says how to
 * install it. Called by {@code dev.tailwater.cli.command} when it builds the tree of commands.
 */
@NullMarked
package dev.tailwater.cli.plugin;

import org.jspecify.annotations.NullMarked;
