import { diff3Merge } from 'node-diff3'

/** Which side wins where both have changed the same lines. */
export type Preference = 'ours' | 'theirs'

export interface MergedText {
  /** With conflict markers where both sides changed the same lines and neither is preferred. */
  text: string
  hasConflict: boolean
}

interface Versions {
  base: string
  ours: string
  theirs: string
}

/**
 * Merges two versions of a text line by line, and inside of a line word by word.
 * @param names of the two sides in conflict markers
 */
export function mergeTexts(
  { base, ours, theirs }: Versions,
  { prefer, names }: { prefer: Preference | null; names: Record<Preference, string> },
): MergedText {
  if (ours === theirs || base === theirs) return { text: ours, hasConflict: false }
  if (base === ours) return { text: theirs, hasConflict: false }
  let hasConflict = false
  const lines = mergeLists(splitLines(ours), splitLines(base), splitLines(theirs)).flatMap((region) => {
    if ('ok' in region) return region.ok
    const words = mergeWords(region)
    if (words !== null) return [words]
    if (prefer !== null) return prefer === 'ours' ? region.ours : region.theirs
    hasConflict = true
    return [`<<<<<<< ${names.ours}`, ...region.ours, '=======', ...region.theirs, `>>>>>>> ${names.theirs}`]
  })
  return { text: lines.join('\n'), hasConflict }
}

type Region = { ok: string[] } | Conflict

interface Conflict {
  ours: string[]
  base: string[]
  theirs: string[]
}

/** Comparing takes a step for each pair of equal lines. A text of more pairs is in conflict as a whole. */
const MAX_EQUAL_PAIRS = 2_000_000

function mergeLists(ours: string[], base: string[], theirs: string[]): Region[] {
  if (countEqualPairs(base, ours) + countEqualPairs(base, theirs) > MAX_EQUAL_PAIRS) return [{ ours, base, theirs }]
  return diff3Merge(ours, base, theirs, { excludeFalseConflicts: true }).map(({ ok, conflict }) =>
    ok ? { ok } : { ours: conflict!.a, base: conflict!.o, theirs: conflict!.b },
  )
}

function countEqualPairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1)
  return b.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0)
}

/** Null if both sides changed the same words. */
function mergeWords({ ours, base, theirs }: Conflict): string | null {
  const [a, o, b] = [ours, base, theirs].map((lines) => splitWords(lines.join('\n')))
  const words = mergeLists(a!, o!, b!).map((region) => ('ok' in region ? region.ok.join('') : null))
  return words.includes(null) ? null : words.join('')
}

function splitLines(text: string): string[] {
  return text.split('\n')
}

function splitWords(text: string): string[] {
  return text.split(/(\s+)/)
}
