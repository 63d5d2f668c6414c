/**
 * The work of one search. It is counted, so that its bounds can be tested, and it is done in steps, between which the caller's checkpoint
 * lets other calls run or ends the search.
 */
export class SearchWork {
  /** UTF-16 units of texts that were split into words. */
  tokenized = 0
  /** Entries of the lists of documents that were read. */
  postings = 0
  /** Called between two steps. */
  readonly checkpoint: () => Promise<void>

  constructor(checkpoint: () => Promise<void> = async () => {}) {
    this.checkpoint = checkpoint
  }
}
