/** A line of a comparison: `-` went, `+` came, a blank stayed, `…` stands for lines that stayed and are not shown. */
export interface DiffLine {
  kind: '-' | '+' | ' ' | '…'
  text: string
}

/** Lines that stayed, shown around each change. */
const CONTEXT_LINES = 3
/** Beyond so many pairs of lines a comparison is not worth its time: all of the one goes, all of the other comes. */
const MAX_PAIRS = 4_000_000

/** What changes from one text to the other, line by line, by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [splitLines(before), splitLines(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const stayed = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: ' ', text }))
  const middle = compareLines(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return collapseUnchanged([...stayed(a.slice(0, start)), ...middle, ...stayed(a.slice(a.length - end))])
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function compareLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lengths = a.length * b.length > MAX_PAIRS ? null : computeCommonLengths(a, b)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && lengths !== null && a[i] === b[j]) {
      lines.push({ kind: ' ', text: a[i]! })
      i++
      j++
    } else if (i < a.length && (j === b.length || lengths === null || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ kind: '-', text: a[i++]! })
    } else lines.push({ kind: '+', text: b[j++]! })
  }
  return lines
}

/** `[i][j]`: the length of the longest common subsequence of what follows line i of the one and line j of the other. */
function computeCommonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  }
  return lengths
}

function collapseUnchanged(lines: readonly DiffLine[]): DiffLine[] {
  const near = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ kind }) => kind !== ' ')
  const shown: DiffLine[] = []
  for (const [at, line] of lines.entries()) {
    if (near(at)) shown.push(line)
    else if (shown.at(-1)?.kind !== '…') shown.push({ kind: '…', text: '' })
  }
  return shown
}
