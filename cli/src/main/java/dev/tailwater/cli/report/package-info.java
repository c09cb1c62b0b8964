/**
 * The output of results: tables for people, JSON for programs, progress on a terminal. Called by
 * the commands.
 */
@NullMarked
package dev.tailwater.cli.report;

import org.jspecify.annotations.NullMarked;
