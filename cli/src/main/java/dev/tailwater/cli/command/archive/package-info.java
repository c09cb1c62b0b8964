/**
 * The commands that read an archive: {@code ls}, {@code cat}, {@code restore} and {@code verify}.
 * They share how an archive is opened and which of its files are meant.
 */
@NullMarked
package dev.tailwater.cli.command.archive;

import org.jspecify.annotations.NullMarked;
