const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const values = new Map<string, number>([
  ...ones.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])

const word = [...values.keys()].sort((a, b) => b.length - a.length).join('|')

/** Edges of a word, as sources of regular expressions. Unlike those of `\\b` they lie beside an underscore too, which Markdown takes for markup. */
export const WORD_BEGINS = '(?<![\\p{L}\\p{N}])'
export const WORD_ENDS = '(?![\\p{L}\\p{N}])'

/** `twelve`, `twenty-one`, `two hundred and six`; as the source of a regular expression. */
export const SPOKEN = `${WORD_BEGINS}(?:${word})(?:(?:[ -]|\\s+and\\s+)(?:${word}))*${WORD_ENDS}`

/** The number that such words say. */
export function spokenValue(text: string): number {
  let [sum, group] = [0, 0]
  for (const part of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const value = values.get(part)
    if (value === undefined) continue
    if (value === 1000) [sum, group] = [sum + Math.max(group, 1) * 1000, 0]
    else if (value === 100 || part === 'dozen') group = Math.max(group, 1) * value
    else group += value
  }
  return sum + group
}
