import { type Hostile, hostileText } from './hostile-inputs'

/** The growth must occur over both doublings, because a single slow measurement can be chance. */
const LENGTHS = [10_000, 20_000, 40_000] as const

/** Shorter times are not compared. Quadratic work on 40,000 characters takes much longer, and linear work rarely does. */
const FLOOR_MS = 20

/** Quadratic work takes 50 ms or more on 10,000 characters, and linear work less than 1 ms, so most inputs need no longer text. */
const MIN_MS_OF_SHORTEST = 3

/** From 10,000 characters to 40,000 linear work takes 4 times as long, quadratic work 16 times. */
const MAX_GROWTH = 9

const MAX_RUNS = 3

/** Exponential work is visible with a short text and would never end with a long one, so the lengths increase in small steps. */
const SHORT_LENGTHS = [...Array.from({ length: 15 }, (_, n) => 16 + 6 * n), 200, 2_000]
const MAX_MS_OF_SHORT = 200

/** The ratio of the times of the longest and the shortest text, if linear work does not explain it; otherwise null. */
export function excessiveGrowth(work: (text: string) => void, input: Hostile): number | null {
  for (const length of SHORT_LENGTHS)
    if (shortestRun(work, hostileText(input, length), MAX_MS_OF_SHORT) > MAX_MS_OF_SHORT)
      return Number.POSITIVE_INFINITY
  const texts = LENGTHS.map((length) => hostileText(input, length))
  if (shortestRun(work, texts[0]!, MIN_MS_OF_SHORTEST) < MIN_MS_OF_SHORTEST) return null
  if (milliseconds(work, texts[2]!) < FLOOR_MS) return null
  // Each round measures all lengths, so that other load affects all of them. The shortest time of several rounds counts.
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < MAX_RUNS; run++) {
    for (const [n, text] of texts.entries()) least[n] = Math.min(least[n]!, milliseconds(work, text))
    const [short, middle, long] = least as [number, number, number]
    if (long < FLOOR_MS || long / short <= MAX_GROWTH || long / middle <= Math.sqrt(MAX_GROWTH)) return null
  }
  return least[2]! / least[0]!
}

/** Runs the expression as the program does: over the whole text if it is global, otherwise up to the first match. */
export function use(expression: RegExp): (text: string) => void {
  return (text) => {
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, '')
    else expression.test(text)
  }
}

/** Repeats the run only if it takes longer than `enough`, because the first run can include compilation. */
function shortestRun(work: (text: string) => void, text: string, enough: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 4 && least > enough; run++) least = Math.min(least, milliseconds(work, text))
  return least
}

/** Uses CPU time, which other programs on the machine hardly affect. */
function milliseconds(work: (text: string) => void, text: string): number {
  const before = process.cpuUsage()
  work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
