/**
 * How results are shown: tables for people, JSON for programs, progress on a terminal. Records in,
 * text out; called by the commands.
 */
@NullMarked
package dev.tailwater.cli.report;

import org.jspecify.annotations.NullMarked;
