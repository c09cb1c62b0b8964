/**
 * How people write durations, sizes and names, read and written the same on the command line and in
 * the configuration. Text in, values out; used by all of {@code dev.tailwater.cli}; uses nothing.
 */
@NullMarked
package dev.tailwater.cli.value;

import org.jspecify.annotations.NullMarked;
