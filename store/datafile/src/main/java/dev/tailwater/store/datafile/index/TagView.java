package dev.tailwater.store.datafile.index;

/**
 * A view of the tag index: until it is closed, it lacks no pair that was there when it was created.
 * It shows later pairs too. Thread-safe.
 */
public final class TagView implements AutoCloseable {
  private final TagIndex tagIndex;
  private final long view;

  /** Creates a view as of now. */
  public TagView(TagIndex tagIndex) {
    this.tagIndex = tagIndex;
    this.view = tagIndex.beginView();
  }

  /** Fills the buffer with pairs of a tag, from this hash on. */
  public void pairs(String indexTag, long fromHash, EntryBuffer into) {
    tagIndex.pairs(indexTag, fromHash, into);
  }

  /** Removes a pair whose record was replaced before the view was created. */
  public void forget(String indexTag, long hash, long number) {
    tagIndex.remove(indexTag, hash, number);
  }

  /** Frees what was kept for the view. Called once. */
  @Override
  public void close() {
    tagIndex.endView(view);
  }
}
