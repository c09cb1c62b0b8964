/**
 * Completion scripts for shells, made from the definitions of the commands. bash's comes from the
 * library; those for zsh and fish show what each command and option does.
 */
@NullMarked
package dev.tailwater.cli.completion;

import org.jspecify.annotations.NullMarked;
