package dev.tailwater.io.read;

import dev.tailwater.io.FileRange;
import dev.tailwater.io.buffer.PooledBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A {@link FileView} that is a copy in a pooled buffer: what the file had when it was made. */
final class CopiedView implements FileView {
  private final FileRange range;
  private final ReadChoice choice;
  private final PooledBuffer buffer;
  private final UseCount uses;

  /** Takes the buffer over, and the file that it was entered for. */
  CopiedView(OpenFile file, FileRange range, ReadChoice choice, PooledBuffer buffer) {
    this.range = range;
    this.choice = choice;
    this.buffer = buffer;
    this.uses =
        new UseCount(
            file.path() + ": this view",
            () -> {
              try {
                buffer.close();
              } finally {
                file.uses().exit();
              }
            });
  }

  @Override
  public FileRange range() {
    return range;
  }

  @Override
  public ReadChoice choice() {
    return choice;
  }

  @Override
  public <T> T use(long fromBytes, long lengthBytes, Use<T> function) throws IOException {
    Objects.checkFromIndexSize(fromBytes, lengthBytes, range.lengthBytes());
    uses.enter();
    try {
      return function.apply(buffer.segment().asSlice(fromBytes, lengthBytes).asReadOnly());
    } finally {
      uses.exit();
    }
  }

  @Override
  public void copyTo(long fromBytes, MemorySegment target) throws IOException {
    Objects.checkFromIndexSize(fromBytes, target.byteSize(), range.lengthBytes());
    uses.enter();
    try {
      MemorySegment.copy(buffer.segment(), fromBytes, target, 0, target.byteSize());
    } finally {
      uses.exit();
    }
  }

  @Override
  public void close() throws IOException {
    if (uses.isOpen()) {
      ThreadConfinement.check(buffer.segment(), this);
    }
    uses.close();
  }

  @Override
  public String toString() {
    return "copied view, " + range;
  }
}
