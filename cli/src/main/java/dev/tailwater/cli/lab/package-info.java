/**
 * Runs the lab for a user: which experiments, on which mount, with a bar on the terminal, and what
 * was found as files and text. Called by {@code lab} and its commands; uses {@code
 * dev.tailwater.lab}.
 */
@NullMarked
package dev.tailwater.cli.lab;

import org.jspecify.annotations.NullMarked;
