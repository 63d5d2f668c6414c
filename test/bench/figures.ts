export interface Figure {
  name: string
  value: number
  /** Default: `×`. */
  unit?: string
  /** Default: two. */
  decimals?: number
  atMost?: number
  atLeast?: number
}

const printed: Figure[] = []

/** The figures since the last call. */
export function takePrinted(): Figure[] {
  return printed.splice(0)
}

/** A row of a benchmark: the measurement, the goal, and whether it was met. */
export function printFigure(figure: Figure): void {
  printed.push(figure)
  const { name, value, unit = '×', decimals = 2, atMost, atLeast } = figure
  const goal = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : ''
  const met = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast)
  console.log(
    `  ${name.padEnd(64)} ${value.toFixed(decimals).padStart(9)} ${unit.padEnd(5)} ${goal.padEnd(8)} ${goal ? (met ? 'met' : 'NOT MET') : ''}`,
  )
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Runs the two functions alternately, and returns the median of the ratios of each pair. */
export async function ratioInTurn(
  rounds: number,
  measured: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<number> {
  const ratios: number[] = []
  await baseline()
  await measured()
  for (let i = 0; i < rounds; i++) ratios.push((await measured()) / (await baseline()))
  return median(ratios)
}

/** The same for the median of the differences. */
export async function differenceInTurn(
  rounds: number,
  measured: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<number> {
  const differences: number[] = []
  await baseline()
  await measured()
  for (let i = 0; i < rounds; i++) differences.push((await measured()) - (await baseline()))
  return median(differences)
}
