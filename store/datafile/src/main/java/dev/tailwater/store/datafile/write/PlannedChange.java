package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.read.KeyState;

/** A key that is to be changed, as it was found without a lock, and how. */
record PlannedChange(KeyState state, Decider decider) {}
