interface GoExample {
  text: string
  isSecret: boolean
}

/** Matches where a list of secrets (`tps`) or of other texts (`fps`) begins, and every string of Go with what joins it to another one. */
const PARTS = /\b(tps|fps)\s*:?=|(\+\s*)?(`[^`]*`|"(?:[^"\\\n]|\\.)*")(\s*\+)?|\/\/[^\n]*|^\}/gm

/**
 * Reads the examples from a rule of gitleaks. It takes only texts that the file holds as a whole: those with a random part are made
 * when its generator runs.
 */
export function readGoExamples(source: string): GoExample[] {
  const examples: GoExample[] = []
  let list: string | undefined
  for (const [part, begins, before, written, after] of source.matchAll(PARTS)) {
    if (begins || part === '}') list = begins
    if (!written || !list || before || after) continue
    const text = written.startsWith('`') ? written.slice(1, -1) : unquote(written)
    if (text.length >= MIN_CHARACTERS) examples.push({ text, isSecret: list === 'tps' })
  }
  return examples
}

/** Shorter strings are names of vendors and parts of examples. */
const MIN_CHARACTERS = 16

function unquote(written: string): string {
  try {
    return JSON.parse(written) as string
  } catch {
    return written.slice(1, -1)
  }
}
