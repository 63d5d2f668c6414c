import { describe, expect, it } from 'vitest'
import { computeTermWeight, dequantizeImpact, quantizeImpact } from '../../../src/search/rules/bm25'
import type { ExpandedTerm } from '../../../src/search/rules/expand-query'
import { Postings } from './corpus'
import { rankDocuments } from './reference-index'

const postings = new Postings()
postings.add(0, new Map([['dock', 0.9]]))
postings.add(
  1,
  new Map([
    ['dock', 0.4],
    ['door', 0.7],
    ['doorway', 0.2],
  ]),
)
postings.add(2, new Map([['doorway', 0.8]]))

const sought = (kind: ExpandedTerm['kind'], terms: Record<string, number>, count = 1): ExpandedTerm => ({
  kind,
  count,
  terms: new Map(Object.entries(terms)),
})
const kept = (impact: number) => dequantizeImpact(quantizeImpact(impact))
const weight = (holding: number) => computeTermWeight({ count: 1, holding, total: 10 })

describe('rank', () => {
  it('is the sum of the scores of all words', async () => {
    const { scores, ceiling } = await rankDocuments(
      [sought('exact', { dock: 1 }), sought('exact', { door: 1 })],
      postings,
      10,
    )
    expect(scores).toEqual(
      new Map([
        [0, { score: weight(2) * kept(0.9), exact: true }],
        [1, { score: weight(2) * kept(0.4) + weight(1) * kept(0.7), exact: true }],
      ]),
    )
    expect(ceiling).toBeGreaterThan(weight(2) + weight(1))
  })

  it('uses the best of alternative terms, and the number of documents that contain any of them', async () => {
    const { scores } = await rankDocuments([sought('guess', { door: 1, doorway: 0.5 })], postings, 10)
    expect(scores).toEqual(
      new Map([
        [1, { score: weight(2) * kept(0.7), exact: false }],
        [2, { score: weight(2) * 0.5 * kept(0.8), exact: false }],
      ]),
    )
  })

  it('lets completions add documents without changing the score of others', async () => {
    const words = [sought('completion', { doorway: 0.8 }), sought('exact', { door: 1 })]
    const { scores } = await rankDocuments(words, postings, 10)
    expect(scores.get(1)).toEqual({ score: weight(1) * kept(0.7), exact: true })
    expect(scores.get(2)).toMatchObject({ exact: false })
  })

  it('marks a document as exact if any word matches exactly', async () => {
    const { scores } = await rankDocuments(
      [sought('guess', { doorway: 0.8 }), sought('exact', { dock: 1 })],
      postings,
      10,
    )
    expect([...scores].map(([document, { exact }]) => [document, exact])).toEqual([
      [2, false],
      [1, true],
      [0, true],
    ])
  })

  it('returns the weight of each term for snippets', async () => {
    const { termWeights } = await rankDocuments(
      [sought('exact', { dock: 1 }, 2), sought('guess', { door: 0.5, dock: 0.1 })],
      postings,
      10,
    )
    expect(termWeights.get('dock')).toBe(2 * weight(2))
    expect(termWeights.get('door')).toBe(0.5 * weight(2))
  })
})
