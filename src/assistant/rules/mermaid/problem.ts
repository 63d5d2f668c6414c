/** Why a diagram would not be drawn. */
export interface DiagramProblem {
  /** From 1. */
  line: number
  message: string
}

/** A line of a diagram without the blanks around it. */
export interface SourceLine {
  /** From 1. */
  number: number
  text: string
}

export class DiagramError extends Error {
  readonly line: number

  constructor(line: SourceLine, message: string) {
    super(message)
    this.line = line.number
  }
}
