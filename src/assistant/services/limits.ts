export interface Limits {
  connectMs: number
  /** How long a question that needs no model may take: which models there are. */
  askMs: number
  /** From the request to the first sign of the model: it may have to be read from disk and to work through a long prompt first. */
  loadMs: number
  /** Between two signs of it after that. */
  silenceMs: number
  /** A whole answer, however steadily it drips. */
  answerMs: number
  /** Characters of an answer. */
  answerCharacters: number
  /** Bytes that the server may send for one answer, with all that is around it. */
  wireBytes: number
  /** Characters of one line of it. */
  lineCharacters: number
}

export const defaultLimits: Limits = {
  connectMs: 5_000,
  askMs: 10_000,
  loadMs: 10 * 60_000,
  silenceMs: 60_000,
  answerMs: 30 * 60_000,
  answerCharacters: 256 * 1024,
  wireBytes: 64 * 1024 * 1024,
  lineCharacters: 1024 * 1024,
}

/** What an HTTP call that waits for a whole answer may last: an answer that came in time must not be lost for its length. */
export const MAX_ANSWER_MS = defaultLimits.loadMs + defaultLimits.answerMs
