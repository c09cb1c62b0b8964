package dev.tailwater.restore.place;

import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;

/** What became of one piece. */
sealed interface PieceResult {
  Piece piece();

  /** Its bytes are in the file. */
  record Placed(Piece piece, SegmentHeader header) implements PieceResult {}

  /**
   * The object is damaged, cannot be opened, or is gone; its bytes are lost unless another segment
   * has them.
   *
   * @param gone whether it was listed and is not there any more: it may have been merged meanwhile
   */
  record Lost(Piece piece, Damage damage, boolean gone) implements PieceResult {}

  /** The destination could not be read; another run may succeed. */
  record Unreadable(Piece piece, IOException why) implements PieceResult {}

  /** The file could not be written. */
  record Unwritable(Piece piece, ErrnoException why) implements PieceResult {}
}
