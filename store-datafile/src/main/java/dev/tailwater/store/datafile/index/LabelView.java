package dev.tailwater.store.datafile.index;

/**
 * Labels for the sake of a moment: from when it was made until it is closed, nothing that had a
 * label is lacking. What got it later is there too. Thread-safe.
 */
public final class LabelView implements AutoCloseable {
  private final LabelIndex labels;
  private final long view;

  /** Of this moment. */
  public LabelView(LabelIndex labels) {
    this.labels = labels;
    this.view = labels.beginView();
  }

  /** Fills the buffer with pairs of a label, from this hash on. */
  public void pairs(String label, long fromHash, EntryBuffer into) {
    labels.pairs(label, fromHash, into);
  }

  /** Takes away a pair whose record was replaced before this moment. */
  public void forget(String label, long hash, long number) {
    labels.remove(label, hash, number);
  }

  /** Takes away what was kept for it. Once only. */
  @Override
  public void close() {
    labels.endView(view);
  }
}
