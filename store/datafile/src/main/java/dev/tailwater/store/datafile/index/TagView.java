package dev.tailwater.store.datafile.index;

/**
 * IndexTags for the sake of a moment: from when it was made until it is closed, nothing that had a
 * tag is lacking. What got it later is there too. Thread-safe.
 */
public final class TagView implements AutoCloseable {
  private final TagIndex tagIndex;
  private final long view;

  /** Of this moment. */
  public TagView(TagIndex tagIndex) {
    this.tagIndex = tagIndex;
    this.view = tagIndex.beginView();
  }

  /** Fills the buffer with pairs of a tag, from this hash on. */
  public void pairs(String indexTag, long fromHash, EntryBuffer into) {
    tagIndex.pairs(indexTag, fromHash, into);
  }

  /** Takes away a pair whose record was replaced before this moment. */
  public void forget(String indexTag, long hash, long number) {
    tagIndex.remove(indexTag, hash, number);
  }

  /** Takes away what was kept for it. Once only. */
  @Override
  public void close() {
    tagIndex.endView(view);
  }
}
