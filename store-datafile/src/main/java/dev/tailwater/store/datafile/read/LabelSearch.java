package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.IndexView;
import dev.tailwater.store.datafile.index.LabelView;
import dev.tailwater.store.datafile.index.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the records of one moment that have a label. A pair of the label index counts when the
 * moment has a record with its hash and number; so records that were replaced, and keys whose
 * hashes are the same, are told apart by the records themselves. Thread-safe.
 */
public final class LabelSearch implements AutoCloseable {
  private final IndexView view;
  private final LabelView labels;
  private final KeyLookup lookup;
  private final long settledSequence;

  /**
   * Takes over the view of the labels.
   *
   * @param lookup in the view of the index
   * @param settledSequence whatever has no higher number was seen, or replaced, at that moment
   */
  public LabelSearch(IndexView view, LabelView labels, KeyLookup lookup, long settledSequence) {
    this.view = view;
    this.labels = labels;
    this.lookup = lookup;
    this.settledSequence = settledSequence;
  }

  /** A record that may have the label. */
  record Candidate(long location, long hash, long sequence) {}

  /** Fills the buffer, and gives what is in it in the order of the files. */
  List<Candidate> candidates(String label, long fromHash, EntryBuffer pairs) {
    labels.pairs(label, fromHash, pairs);
    List<Candidate> candidates = new ArrayList<>(pairs.size());
    long[] first = new long[1];
    for (int i = 0; i < pairs.size(); i++) {
      int count = view.findAll(pairs.hash(i), first);
      long location = count == 0 ? Location.NONE : first[0];
      candidates.add(new Candidate(location, pairs.hash(i), pairs.location(i)));
    }
    candidates.sort(Comparator.comparingLong(Candidate::location));
    return candidates;
  }

  /** Brings the record to the beginning of the buffer; false when the moment does not have it. */
  boolean find(String label, Candidate candidate, ReadBuffer into) throws IOException {
    if (lookup.findRecord(candidate.hash(), candidate.sequence(), into)) {
      return true;
    }
    if (candidate.sequence() <= settledSequence) {
      labels.forget(label, candidate.hash(), candidate.sequence());
    }
    return false;
  }

  @Override
  public void close() {
    labels.close();
  }
}
