import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Phrase, PhraseMatcher, selectSequentialTokens } from '../../../src/search/rules/phrase'
import { stem } from '../../../src/search/rules/stem'
import { type Token, tokenize } from '../../../src/search/rules/tokenize'

const texts = fc
  .array(fc.constantFrom('的', '一', 'door', 'doors', ' '), { maxLength: 40 })
  .map((list) => list.join(''))
const phrases = fc.array(
  fc.record({
    forms: fc.array(fc.constantFrom('的', '一', 'door', 'doors'), { minLength: 1, maxLength: 6 }),
    quoted: fc.boolean(),
  }),
  { maxLength: 6 },
)

/** The places of a phrase, by comparing it at every word. */
function findSimply(tokens: readonly Token[], { forms, quoted }: Phrase): { start: number; end: number }[] {
  const line = forms.length === 1 ? tokens : selectSequentialTokens(tokens)
  const wordOf = quoted ? (form: string) => form : stem
  return line.flatMap((_, first) => {
    const part = line.slice(first, first + forms.length)
    const isHere = part.map(({ form }) => wordOf(form)).join() === forms.map(wordOf).join()
    return isHere ? [{ start: part[0]!.start, end: part.at(-1)!.end }] : []
  })
}

function find(text: string, phrase: Phrase): { found: boolean; places: [number, number][] } {
  const matcher = new PhraseMatcher([phrase])
  const scan = matcher.start()
  scan.add(tokenize(text))
  const places = matcher
    .start()
    .findPlaces(tokenize(text))
    .map(({ start, end }): [number, number] => [start, end])
  return { found: scan.contains(0), places }
}

describe('phrases', () => {
  it('are found together where each is found alone, also if the text comes in chunks', () => {
    fc.assert(
      fc.property(texts, phrases, fc.nat(40), (text, wanted, cut) => {
        const tokens = tokenize(text)
        const matcher = new PhraseMatcher(wanted)
        const [scan, marking] = [matcher.start(), matcher.start()]
        const chunks = [tokens.slice(0, cut), tokens.slice(cut)]
        for (const chunk of chunks) scan.add(chunk)
        const places = chunks.flatMap((chunk) => marking.findPlaces(chunk))
        for (const [i, phrase] of wanted.entries()) {
          expect(scan.contains(i)).toBe(findSimply(tokens, phrase).length > 0)
        }
        const simple = wanted.filter(({ quoted }) => quoted).flatMap((phrase) => findSimply(tokens, phrase))
        const longest = (end: number) => Math.min(...simple.filter((one) => one.end === end).map(({ start }) => start))
        const ends = [...new Set(simple.map(({ end }) => end))].sort((a, b) => a - b)
        const leftmost = new Map<number, number>()
        for (const { start, end } of places) leftmost.set(end, Math.min(start, leftmost.get(end) ?? start))
        expect([...leftmost].sort(([a], [b]) => a - b)).toEqual(ends.map((end) => [end, longest(end)]))
      }),
    )
  })

  it('include other forms of the same stems, unless they are quoted', () => {
    const text = 'Two dock doors'
    expect(find(text, { forms: ['dock', 'door'], quoted: true })).toEqual({ found: false, places: [] })
    expect(find(text, { forms: ['docks', 'door'], quoted: false }).found).toBe(true)
    expect(find('a dock door', { forms: ['dock', 'door'], quoted: true })).toEqual({ found: true, places: [[2, 11]] })
  })

  it('of one word include joined forms', () => {
    expect(find('the dockDoor', { forms: ['dockdoor'], quoted: true })).toEqual({ found: true, places: [[4, 12]] })
  })
})
