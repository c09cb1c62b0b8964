package dev.tailwater.destination;

/** What a destination is opened for. */
public enum OpenIntent {
  /** Reading and listing; nothing is created or cleaned, and the place must exist. */
  READ,
  /** Everything; the place is created where that is usual for its kind. */
  WRITE
}
