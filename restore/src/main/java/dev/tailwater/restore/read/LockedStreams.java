package dev.tailwater.restore.read;

/**
 * The streams that cannot be opened without another identity. All of their bytes may be there.
 *
 * @param streams how many
 * @param ofStreams of how many that were meant
 * @param identities how many identities were tried
 * @param recipients to how many keys one of them is encrypted; 0 when that is not known. An age
 *     file does not tell which keys these are
 */
public record LockedStreams(long streams, long ofStreams, int identities, int recipients) {
  /** For a person to read. */
  public String sentence() {
    String keys = recipients == 1 ? " to 1 recipient" : " to " + recipients + " recipients";
    String why =
        switch (identities) {
          case 0 -> "and no identity was given";
          case 1 -> "and the identity that was given is none of them";
          default -> "and none of the " + identities + " identities that were given fits";
        };
    return streams
        + " of "
        + ofStreams
        + (ofStreams == 1 ? " file" : " files")
        + (streams == 1 ? " is encrypted" : " are encrypted")
        + (recipients == 0 ? "" : keys)
        + ", "
        + why;
  }
}
