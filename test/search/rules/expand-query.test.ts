import { describe, expect, it } from 'vitest'
import { expandQuery, type TermDictionary } from '../../../src/search/rules/expand-query'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { stem } from '../../../src/search/rules/stem'

/** The vocabulary of documents that contain one word each. */
function vocabularyOf(...words: string[]): TermDictionary {
  const terms = words.map(stem)
  return {
    countDocuments: (term) => terms.filter((one) => one === term).length,
    forms: (beginning) => new Set(words.filter((word) => word.startsWith(beginning))),
    similarForms: () => new Set(words),
    hasWrittenForm: (form) => words.includes(form),
  }
}

const sought = async (query: string, vocabulary: TermDictionary) =>
  (await expandQuery(parseQuery(query, null), vocabulary)).map(({ kind, terms }) => [kind, ...terms.keys()])

describe('a known word', () => {
  it('is searched by its stem', async () => {
    expect(await sought('doors ', vocabularyOf('door', 'doorway'))).toEqual([['exact', 'door']])
  })

  it('is also completed if it is unfinished, but not to its own forms', async () => {
    expect(await sought('door', vocabularyOf('door', 'doors', 'doorway', 'indoor'))).toEqual([
      ['exact', 'door'],
      ['completion', 'doorway'],
    ])
  })

  it('is also searched joined with its neighbor if texts contain that form', async () => {
    expect(await sought('time shift ', vocabularyOf('time', 'shift', 'timeshift'))).toEqual([
      ['exact', 'timeshift', 'time'],
      ['exact', 'timeshift', 'shift'],
    ])
    expect(await sought('shift time ', vocabularyOf('time', 'shift', 'timeshift'))).toEqual([
      ['exact', 'shift'],
      ['exact', 'time'],
    ])
  })

  it('is not joined with a stop word', async () => {
    expect(await sought('a long ', vocabularyOf('long', 'along'))).toEqual([['exact', 'long']])
  })
})

describe('a word that one document contains', () => {
  const often = (word: string, times = 20) => Array<string>(times).fill(word)

  it('is also searched as a frequent word that is one edit away', async () => {
    const vocabulary = vocabularyOf('conveyer', ...often('conveyor'), ...often('convoy'))
    expect(await sought('conveyer ', vocabulary)).toEqual([['exact', 'conveyor', 'convey']])
  })

  it('has more weight than that word', async () => {
    const [expanded] = await expandQuery(parseQuery('printre ', null), vocabularyOf('printre', ...often('printer')))
    expect(expanded!.terms.get('printer')).toBeLessThan(expanded!.terms.get('printr')!)
  })

  it('is searched alone if a second document contains it, or no similar word is frequent', async () => {
    expect(await sought('printre ', vocabularyOf('printre', 'printre', ...often('printer')))).toEqual([
      ['exact', 'printr'],
    ])
    expect(await sought('printre ', vocabularyOf('printre', ...often('printer', 19)))).toEqual([['exact', 'printr']])
  })

  it('is searched alone if it is in quotes, short, or the similar word has another first letter', async () => {
    expect(await sought('"printre"', vocabularyOf('printre', ...often('printer')))).toEqual([['exact', 'printr']])
    expect(await sought('boot ', vocabularyOf('boot', ...often('book')))).toEqual([['exact', 'boot']])
    expect(await sought('rough ', vocabularyOf('rough', ...often('tough')))).toEqual([['exact', 'rough']])
  })
})

describe('an unknown word', () => {
  it('is completed if it is unfinished, otherwise corrected, otherwise split in two', async () => {
    const vocabulary = vocabularyOf('conveyor', 'conveyance', 'dock', 'door', 'the')
    expect(await sought('conveyo', vocabulary)).toEqual([['guess', 'conveyor']])
    expect(await sought('convyeor', vocabulary)).toEqual([['guess', 'conveyor']])
    expect(await sought('dockdoor', vocabulary)).toEqual([
      ['guess', 'dock'],
      ['guess', 'door'],
    ])
    expect(await sought('thedoor ', vocabulary)).toEqual([])
  })

  it('has less weight the more it is changed', async () => {
    const shares = async (query: string) =>
      (await expandQuery(parseQuery(query, null), vocabularyOf('conveyor'))).flatMap(({ terms }) => [...terms.values()])
    const [exact, oneEdit, twoEdits] = [await shares('conveyor '), await shares('conveyer '), await shares('canveyer ')]
    expect(exact).toEqual([1])
    expect(oneEdit[0]).toBeLessThan(1)
    expect(twoEdits[0]).toBeLessThan(oneEdit[0]!)
  })

  it('is not changed if it is in quotes or joined from words of the query', async () => {
    const vocabulary = vocabularyOf('conveyor', 'dock', 'doors', 'dockdoors')
    expect(await sought('"convyeor"', vocabulary)).toEqual([])
    expect(await sought('dock-loor ', vocabularyOf('dock', 'floor', 'dockdoor'))).toEqual([
      ['exact', 'dock'],
      ['guess', 'floor'],
    ])
  })

  it('is dropped if no similar word exists', async () => {
    expect(await sought('xylophone', vocabularyOf('dock', 'door'))).toEqual([])
  })
})
