package dev.tailwater.store.datafile.vacuum;

import java.io.IOException;

/** The vacuum was told to stop: the store is being closed. */
final class VacuumStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  VacuumStoppedException() {
    super("the store is being closed");
  }
}
