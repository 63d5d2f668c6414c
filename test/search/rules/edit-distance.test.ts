import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from '../../../src/kernel/text/nearest-text'
import { findNearestForms, maxEditsFor } from '../../../src/search/rules/edit-distance'

/** A direct implementation of the definition. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const same = a.at(-1) === b.at(-1) ? 0 : 1
  const [shortA, shortB] = [a.slice(0, -1), b.slice(0, -1)]
  const ways = [slowDistance(shortA, b) + 1, slowDistance(a, shortB) + 1, slowDistance(shortA, shortB) + same]
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(slowDistance(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...ways)
}

describe('edit distance', () => {
  it.each([
    ['door', 'door', 0],
    ['door', 'doors', 1],
    ['door', 'dor', 1],
    ['door', 'boor', 1],
    ['door', 'dor', 1],
    ['conveyor', 'convyeor', 1],
    ['conveyor', 'convieor', 2],
  ])('from %s to %s is %i', (a, b, edits) => {
    expect(editDistance(a, b, 2)).toBe(edits)
  })

  it('matches its definition up to the limit', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(short, short, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(slowDistance(a, b), limit + 1))
      }),
    )
  })
})

describe('typing mistakes', () => {
  it.each([
    ['dor', 0],
    ['door', 1],
    ['loading', 1],
    ['conveyor', 2],
    ['dc12', 0],
    ['20410', 0],
  ])('are allowed in %s: %i', (form, edits) => {
    expect(maxEditsFor(form)).toBe(edits)
  })

  it('are corrected only to the nearest forms', () => {
    expect(findNearestForms('convayor', ['conveyor', 'convoys', 'door'])).toEqual({ edits: 1, forms: ['conveyor'] })
    expect(findNearestForms('dooor', ['door', 'floor', 'boor'])).toEqual({ edits: 1, forms: ['door'] })
    expect(findNearestForms('toor', ['door', 'floor'])).toEqual({ edits: 1, forms: ['door'] })
    expect(findNearestForms('qqqq', ['door'])).toMatchObject({ forms: [] })
  })

  it('the prefilter excludes no form within the limit', () => {
    const word = fc.stringMatching(/^[a-z]{4,10}$/)
    const edit = fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 2 }), fc.stringMatching(/^[a-z]{0,2}$/))
    const edits = fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 10 })
    fc.assert(
      fc.property(word, edits, (typed, changes) => {
        const forms = changes
          .map((some) => some.reduce((form, [at, drop, add]) => form.slice(0, at) + add + form.slice(at + drop), typed))
          .filter((form) => form !== typed)
        const distances = forms.map((form) => editDistance(typed, form, maxEditsFor(typed)))
        const least = Math.min(maxEditsFor(typed), ...distances)
        const expected = forms.filter((_, i) => distances[i] === least)
        expect(findNearestForms(typed, forms).forms).toEqual(expected)
      }),
    )
  })
})
