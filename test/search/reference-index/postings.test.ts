import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dequantizeImpact, quantizeImpact } from '../../../src/search/rules/bm25'
import { Postings } from './corpus'

const term = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.constantFrom('204', '20411', 'c++', 'v1.2.3', '日本', 'constructor', 'toString', 'größe'),
)
const impacts = fc.dictionary(term, fc.double({ min: 0, max: 1, noNaN: true }), { maxKeys: 12, noNullPrototype: true })

describe('postings', () => {
  it('return each document of a term, with its impact step', () => {
    fc.assert(
      fc.property(fc.array(impacts, { maxLength: 20 }), (documents) => {
        const postings = new Postings()
        for (const [document, held] of documents.entries()) postings.add(document, new Map(Object.entries(held)))
        for (const sought of new Set([...documents.flatMap((held) => Object.keys(held)), 'absent'])) {
          const expected = documents.flatMap((held, document) =>
            Object.hasOwn(held, sought) ? [[document, dequantizeImpact(quantizeImpact(held[sought]!))]] : [],
          )
          const found: [number, number][] = []
          postings.each(sought, (document, impact) => found.push([document, impact]))
          expect(found.sort(([a], [b]) => a - b)).toEqual(expected)
          expect(postings.documents(sought).sort((a, b) => a - b)).toEqual(expected.map(([document]) => document))
          expect(postings.count(sought)).toBe(expected.length)
        }
      }),
    )
  })
})
