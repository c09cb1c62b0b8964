/**
 * What the program sees of the machine and of whoever started it: outputs, environment, terminal,
 * file calls. Made once by {@code Main}, handed to every command; tests make their own.
 */
@NullMarked
package dev.tailwater.cli.host;

import org.jspecify.annotations.NullMarked;
