package dev.tailwater.restore.list;

/** Where the last known path of a stream comes from; the first that exists is taken. */
public enum PathSource {
  /** stream.json beside the segments. */
  RECORD,
  /** The header of the newest segment. */
  HEADER,
  /** The object names: the path at the stream's birth. */
  BIRTH
}
