package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.tree.TreeArchiver;
import dev.tailwater.delivery.tree.TreeNotes;
import java.io.IOException;
import java.util.Optional;

/** Keeps what a destination was told of directories beside its checkpoints. */
record TreeMemory(CheckpointStore checkpoints) implements TreeArchiver.Memory {
  @Override
  public Optional<TreeNotes> read() throws IOException {
    return checkpoints.treeNotes().flatMap(TreeNotes::decode);
  }

  @Override
  public void write(TreeNotes notes) throws IOException {
    checkpoints.noteTree(notes.encode());
  }
}
