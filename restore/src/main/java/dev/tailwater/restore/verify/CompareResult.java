package dev.tailwater.restore.verify;

/** How a file that lies here compares with its stream. */
public enum CompareResult {
  /** Every byte that is stored is in the file, and every byte of the file is stored. */
  SAME,
  /** Every byte that is stored is in the file, and the file has more that is not delivered yet. */
  UNDELIVERED,
  /** Every byte is the same, and mode or owner are not. */
  ATTRIBUTES_DIFFER,
  /** The file has other bytes than the archive, or ends before them. */
  DIFFERENT,
  /** There is no file with the last known path: deleted, or named otherwise by now. No error. */
  NOT_THERE,
  /** The path belongs to something else by now, such as the next log. No error. */
  REPLACED,
  /** It cannot be said; the problem is given. */
  UNKNOWN
}
