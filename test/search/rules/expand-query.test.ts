import { describe, expect, it } from 'vitest'
import { expandQuery, type TermDictionary } from '../../../src/search/rules/expand-query'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { stem } from '../../../src/search/rules/stem'

/** The vocabulary of texts that hold these words. */
function vocabularyOf(...words: string[]): TermDictionary {
  const terms = new Set(words.map(stem))
  return {
    hasTerm: (term) => terms.has(term),
    forms: (beginning = '') => words.filter((word) => word.startsWith(beginning)),
    hasWrittenForm: (form) => words.includes(form),
  }
}

const sought = (query: string, vocabulary: TermDictionary) =>
  expandQuery(parseQuery(query, null), vocabulary).map(({ kind, terms }) => [kind, ...terms.keys()])

describe('a known word', () => {
  it('is sought by its stem', () => {
    expect(sought('doors ', vocabularyOf('door', 'doorway'))).toEqual([['exact', 'door']])
  })

  it('that is unfinished is also completed, its own forms aside', () => {
    expect(sought('door', vocabularyOf('door', 'doors', 'doorway', 'indoor'))).toEqual([
      ['exact', 'door'],
      ['completion', 'doorway'],
    ])
  })

  it('is also sought joined with its neighbour, where texts write them so', () => {
    expect(sought('time shift ', vocabularyOf('time', 'shift', 'timeshift'))).toEqual([
      ['exact', 'timeshift', 'time'],
      ['exact', 'timeshift', 'shift'],
    ])
    expect(sought('shift time ', vocabularyOf('time', 'shift', 'timeshift'))).toEqual([
      ['exact', 'shift'],
      ['exact', 'time'],
    ])
  })

  it('is not joined with a stop word', () => {
    expect(sought('a long ', vocabularyOf('long', 'along'))).toEqual([['exact', 'long']])
  })
})

describe('a word that no text holds', () => {
  it('is completed where it is unfinished, else taken as mistyped, else as two in one', () => {
    const vocabulary = vocabularyOf('conveyor', 'conveyance', 'dock', 'door', 'the')
    expect(sought('conveyo', vocabulary)).toEqual([['guess', 'conveyor']])
    expect(sought('convyeor', vocabulary)).toEqual([['guess', 'conveyor']])
    expect(sought('dockdoor', vocabulary)).toEqual([
      ['guess', 'dock'],
      ['guess', 'door'],
    ])
    expect(sought('thedoor ', vocabulary)).toEqual([])
  })

  it('is worth less the more had to be guessed', () => {
    const shares = (query: string) =>
      expandQuery(parseQuery(query, null), vocabularyOf('conveyor')).flatMap(({ terms }) => [...terms.values()])
    const [exact, oneEdit, twoEdits] = [shares('conveyor '), shares('conveyer '), shares('canveyer ')]
    expect(exact).toEqual([1])
    expect(oneEdit[0]).toBeLessThan(1)
    expect(twoEdits[0]).toBeLessThan(oneEdit[0]!)
  })

  it('is not guessed in quotes, nor where it is joined of words of the query', () => {
    const vocabulary = vocabularyOf('conveyor', 'dock', 'doors', 'dockdoors')
    expect(sought('"convyeor"', vocabulary)).toEqual([])
    expect(sought('dock-loor ', vocabularyOf('dock', 'floor', 'dockdoor'))).toEqual([
      ['exact', 'dock'],
      ['guess', 'floor'],
    ])
  })

  it('is nothing where nothing comes near', () => {
    expect(sought('xylophone', vocabularyOf('dock', 'door'))).toEqual([])
  })
})
