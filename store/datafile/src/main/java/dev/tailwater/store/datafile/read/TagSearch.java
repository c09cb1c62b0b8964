package dev.tailwater.store.datafile.read;

import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.IndexView;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A search for the records of one moment that have an index tag. A pair of the tag index counts if
 * there was a record with its hash and number at that moment; so replaced records, and keys with
 * the same hash, are told apart by the records themselves. Thread-safe.
 */
public final class TagSearch implements AutoCloseable {
  private final IndexView view;
  private final TagView tagIndex;
  private final KeyLookup lookup;
  private final long settledSequence;

  /**
   * Takes over the view of the tag index.
   *
   * @param lookup in the view of the index
   * @param settledSequence records with at most this number were visible, or replaced, at that
   *     moment
   */
  public TagSearch(IndexView view, TagView tagIndex, KeyLookup lookup, long settledSequence) {
    this.view = view;
    this.tagIndex = tagIndex;
    this.lookup = lookup;
    this.settledSequence = settledSequence;
  }

  /** A record that may have the index tag. */
  record Candidate(long location, long hash, long sequence) {}

  /** Fills the buffer, and returns its pairs in the order of the files. */
  List<Candidate> candidates(String indexTag, long fromHash, EntryBuffer pairs) {
    tagIndex.pairs(indexTag, fromHash, pairs);
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

  /**
   * Reads the record to the beginning of the buffer; returns false when it is not of this moment.
   */
  boolean find(String indexTag, Candidate candidate, ReadBuffer into) throws IOException {
    if (lookup.findRecord(candidate.hash(), candidate.sequence(), into)) {
      return true;
    }
    if (candidate.sequence() <= settledSequence) {
      tagIndex.forget(indexTag, candidate.hash(), candidate.sequence());
    }
    return false;
  }

  @Override
  public void close() {
    tagIndex.close();
  }
}
