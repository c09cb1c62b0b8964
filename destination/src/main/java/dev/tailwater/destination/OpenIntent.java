package dev.tailwater.destination;

/** What a caller wants to do with a destination. */
public enum OpenIntent {
  /** Read and list. The place must exist; nothing is created or cleaned up. */
  READ,
  /** Read and write. The place is created where that is usual for its kind. */
  WRITE
}
