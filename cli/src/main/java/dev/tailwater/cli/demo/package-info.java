/**
 * {@code tailwater demo}: the whole way of the bytes with real processes, one of them killed, in a
 * temporary directory. A key pair, a writer, two lives of an agent and a restore go in; a table of
 * what happened comes out. Called by the {@code demo} command.
 */
@NullMarked
package dev.tailwater.cli.demo;

import org.jspecify.annotations.NullMarked;
