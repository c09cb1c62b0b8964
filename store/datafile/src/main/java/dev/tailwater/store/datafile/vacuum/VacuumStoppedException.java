package dev.tailwater.store.datafile.vacuum;

import java.io.IOException;

/** Thrown when the vacuum is stopped because the store is being closed. */
final class VacuumStoppedException extends IOException {
  private static final long serialVersionUID = 1;

  VacuumStoppedException() {
    super("the store is being closed");
  }
}
