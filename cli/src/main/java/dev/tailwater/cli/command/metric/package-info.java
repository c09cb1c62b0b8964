/**
 * What {@code tailwater status --metrics} prints: the table of metrics, which the reference is made
 * from as well, and their values in the OpenMetrics text format.
 */
@NullMarked
package dev.tailwater.cli.command.metric;

import org.jspecify.annotations.NullMarked;
