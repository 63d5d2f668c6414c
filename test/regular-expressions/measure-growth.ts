import { type Hostile, hostileText } from './hostile-inputs'

/** The growth is looked at over both doublings: what takes long by chance for one length does not do so for all. */
const LENGTHS = [10_000, 20_000, 40_000] as const

/** Below this nothing is compared. Quadratic work on 40,000 characters takes many times as long, linear work hardly ever does. */
const FLOOR_MS = 20

/** Quadratic work takes 50 ms or more on 10,000 characters, linear work less than 1 ms: most inputs need no longer text. */
const MIN_MS_OF_SHORTEST = 3

/** From 10,000 characters to 40,000 linear work takes 4 times as long, quadratic work 16 times. */
const MAX_GROWTH = 9

const MAX_RUNS = 3

/** Exponential work shows on a short text and would never end on a long one, so the lengths rise in small steps. */
const SHORT_LENGTHS = [...Array.from({ length: 15 }, (_, n) => 16 + 6 * n), 200, 2_000]
const MAX_MS_OF_SHORT = 200

/** How many times longer the longest text takes than the shortest, where linear work would not explain it; else null. */
export function excessiveGrowth(work: (text: string) => void, input: Hostile): number | null {
  for (const length of SHORT_LENGTHS)
    if (shortestRun(work, hostileText(input, length), MAX_MS_OF_SHORT) > MAX_MS_OF_SHORT)
      return Number.POSITIVE_INFINITY
  const texts = LENGTHS.map((length) => hostileText(input, length))
  if (shortestRun(work, texts[0]!, MIN_MS_OF_SHORTEST) < MIN_MS_OF_SHORTEST) return null
  if (milliseconds(work, texts[2]!) < FLOOR_MS) return null
  // Each round measures all lengths, so that what else the machine does meets all of them; the shortest of several rounds counts.
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < MAX_RUNS; run++) {
    for (const [n, text] of texts.entries()) least[n] = Math.min(least[n]!, milliseconds(work, text))
    const [short, middle, long] = least as [number, number, number]
    if (long < FLOOR_MS || long / short <= MAX_GROWTH || long / middle <= Math.sqrt(MAX_GROWTH)) return null
  }
  return least[2]! / least[0]!
}

/** As the program uses it: over the whole text where it looks for all matches, else up to the first. */
export function use(expression: RegExp): (text: string) => void {
  return (text) => {
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, '')
    else expression.test(text)
  }
}

/** Runs again only while it takes longer than `enough`: the first run may have made code of the expression. */
function shortestRun(work: (text: string) => void, text: string, enough: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 4 && least > enough; run++) least = Math.min(least, milliseconds(work, text))
  return least
}

/** Of the processor, which other programs on the machine hardly change. */
function milliseconds(work: (text: string) => void, text: string): number {
  const before = process.cpuUsage()
  work(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
