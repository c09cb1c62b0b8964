package dev.tailwater.delivery.control;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;

/** Handles the requests of a control socket's clients. Called on the server's threads. */
public interface ControlHandler {
  StatusReport status();

  FileDelivery status(PosixPath path) throws IOException;

  /** Delivers everything that is there now, and returns when that is done. */
  DrainReport drain() throws InterruptedException;
}
