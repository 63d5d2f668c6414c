import type { Figure } from './figures'

/** A line of `docs/performance.md`: a figure, and what it was when it was last recorded. */
export interface LedgerRow {
  /** The arguments of `npm run bench` that print it. */
  bench: string
  name: string
  /** `≤` or `≥`. */
  sign: '≤' | '≥'
  goal: number
  unit: string
  value: number
  commit: string
}

/** A figure may be so much worse than its last value: measurements differ from run to run. */
const MAX_CHANGE = 1.2

/** Units of which the values of different machines can be compared. */
const COMPARABLE = ['×', 'MB', '']

const ROW = /^\| ([^|]+) \| ([^|]+) \| ([≤≥]) ([\d.]+) ?([^|]*) \| *([\d.]+) \| (\S+) \|$/

export function parseLedger(markdown: string): LedgerRow[] {
  return markdown.split('\n').flatMap((line): LedgerRow[] => {
    const [, bench, name, sign, goal, unit, value, commit] = ROW.exec(line) ?? []
    if (bench === undefined) return []
    return [
      {
        bench,
        name: name!,
        sign: sign as LedgerRow['sign'],
        goal: Number(goal),
        unit: unit!.trim(),
        value: Number(value),
        commit: commit!,
      },
    ]
  })
}

function writeRow({ bench, name, sign, goal, unit, value, commit }: LedgerRow): string {
  const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2)
  return `| ${bench} | ${name} | ${`${sign} ${goal} ${unit}`.trim()} | ${shown} | ${commit} |`
}

/** What has become worse than the ledger says, in a sentence each. Figures of other benches are not looked at. */
export function findRegressions(rows: readonly LedgerRow[], bench: string, measured: readonly Figure[]): string[] {
  return rows
    .filter((row) => row.bench === bench && COMPARABLE.includes(row.unit))
    .flatMap(({ name, sign, value, commit }) => {
      const now = measured.find((figure) => figure.name === name)?.value
      if (now === undefined) return [`${name}: was not measured`]
      const change = sign === '≤' ? now / value : value / now
      if (change <= MAX_CHANGE) return []
      const percent = Math.round((change - 1) * 100)
      return [`${name}: ${now.toFixed(2)}, ${percent} % worse than ${value} at ${commit}`]
    })
}

/** The ledger with the values of this run: those of its lines, and new lines for new figures that have a goal. */
export function recordFigures(
  markdown: string,
  bench: string,
  { measured, commit }: { measured: readonly Figure[]; commit: string },
): string {
  const lines = markdown.trimEnd().split('\n')
  for (const { name, value, unit = '×', atMost, atLeast } of measured) {
    const goal = atMost ?? atLeast
    if (goal === undefined || !Number.isFinite(value)) continue
    const row: LedgerRow = { bench, name, sign: atMost === undefined ? '≥' : '≤', goal, unit, value, commit }
    const at = lines.findIndex((line) => line.startsWith(`| ${bench} | ${name} | `))
    if (at >= 0) lines[at] = writeRow(row)
    else lines.splice(endOfBench(lines, bench), 0, writeRow(row))
  }
  return `${lines.join('\n')}\n`
}

/** Behind the last line of the bench, or of the table. */
function endOfBench(lines: readonly string[], bench: string): number {
  const own = lines.findLastIndex((line) => line.startsWith(`| ${bench} | `))
  return own >= 0 ? own + 1 : lines.findLastIndex((line) => line.startsWith('|')) + 1
}
