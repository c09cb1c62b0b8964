/**
 * {@code tailwater estimate}: what a configuration costs in objects, requests and money. {@link
 * dev.tailwater.cli.estimate.Estimate} is the model, from numbers to numbers; {@link
 * dev.tailwater.cli.estimate.EstimatePlan} applies it to the user's settings and to a table of
 * prices.
 */
@NullMarked
package dev.tailwater.cli.estimate;

import org.jspecify.annotations.NullMarked;
