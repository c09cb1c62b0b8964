/**
 * Measures Tailwater: what it costs, how much memory it takes, how old a byte gets. In comes the
 * packaged program (started as a user starts it) or one of its parts; out goes a figure with
 * everything needed to doubt it, as JSON. Called by people.
 */
@NullMarked
package dev.tailwater.bench;

import org.jspecify.annotations.NullMarked;
