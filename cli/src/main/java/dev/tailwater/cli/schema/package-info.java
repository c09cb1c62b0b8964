/**
 * The JSON Schema of the configuration file, made from {@link dev.tailwater.cli.config.ShipKey}.
 * Editors complete and check with it; {@code tailwater check} stays the judge, since it also looks
 * at the machine.
 */
@NullMarked
package dev.tailwater.cli.schema;

import org.jspecify.annotations.NullMarked;
