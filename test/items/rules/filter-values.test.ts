import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCurrentIterations } from '../../../src/items/rules/current-iterations'
import {
  areaMatcher,
  createIterationMatcher,
  createPersonMatcher,
  findValues,
  stateMatcher,
  suggestStoredValue,
  tagMatcher,
  typeMatcher,
  type ValueMatcher,
} from '../../../src/items/rules/filter-values'

function found<Value>(text: string, known: readonly Value[], matcher: ValueMatcher<Value>): string[] {
  return findValues(text, known, matcher).flatMap(({ values }) => values.map(matcher.nameOf))
}

describe('the stored values that a filter means', () => {
  const state = (name: string) => ({ state: name, category: null })
  const category = (name: 'Proposed' | 'InProgress' | 'Completed') => ({ state: null, category: name })
  const states = [state('New'), state('Active'), state('Closed')]
  const categories = [category('Proposed'), category('InProgress'), category('Completed')]

  it.each([
    ['active', ['Active']],
    ['New, closed', ['New', 'Closed']],
    ['open', ['Proposed', 'InProgress']],
    ['done,New', ['Completed', 'New']],
    ['in progress', ['InProgress']],
    ['Activ', []],
    [',', []],
  ])('state %j', (text, names) => {
    expect(found(text, [...states, ...categories], stateMatcher)).toEqual(names)
  })

  it('the name of a state comes before the category of that name', () => {
    expect(found('open', [state('Open'), ...categories], stateMatcher)).toEqual(['Open'])
  })

  const mei = { displayName: 'Mei Tanaka', uniqueName: 'mei@quay.example' }
  const jose = { displayName: 'José Ruiz', uniqueName: null }
  const comma = { displayName: 'Ruiz, Mei', uniqueName: 'mr@quay.example' }
  it.each([
    ['mei tanaka', ['Mei Tanaka']],
    ['MEI', ['Mei Tanaka']],
    ['tana', ['Mei Tanaka']],
    ['jose', ['José Ruiz']],
    ['Ruiz, Mei', ['Ruiz, Mei']],
    ['jose,Ruiz, Mei,mei@quay.example', ['José Ruiz', 'Ruiz, Mei', 'Mei Tanaka']],
    ['@me', ['Mei Tanaka']],
  ])('person %j', (text, names) => {
    expect(found(text, [mei, jose, comma], createPersonMatcher('Mei Tanaka'))).toEqual(names)
  })

  it('@me is never a part of a name', () => {
    expect(found('@me', [mei], createPersonMatcher('Tanaka'))).toEqual([])
  })

  const paths = ['Yard', 'Yard\\North', 'Yard\\North\\Gate', 'Yard\\Northern']
  it.each([
    ['North', ['Yard\\North', 'Yard\\North\\Gate']],
    ['yard/north', ['Yard\\North', 'Yard\\North\\Gate']],
    ['Yard\\North', ['Yard\\North', 'Yard\\North\\Gate']],
    ['Nort', []],
  ])('area %j', (text, names) => {
    expect(found(text, paths, areaMatcher)).toEqual(names)
  })

  it('@current is the current iterations and what is below them', () => {
    const matcher = createIterationMatcher(['Yard\\North'])
    expect(found('@current', paths, matcher)).toEqual(['Yard\\North', 'Yard\\North\\Gate'])
    expect(found('@Current,Northern', paths, matcher)).toHaveLength(3)
  })

  it('a type is also meant by its backlog level, which a bug does not have', () => {
    const types = [
      { type: 'Product Backlog Item', level: 1 },
      { type: 'Bug', level: 1 },
      { type: 'Epic', level: 3 },
    ]
    expect(found('story', types, typeMatcher)).toEqual(['Product Backlog Item'])
    expect(found('bug,epic', types, typeMatcher)).toEqual(['Bug', 'Epic'])
  })

  it('every list of stored names finds exactly these names', () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1 }).filter((name) => !name.includes(',') && name.trim() !== ''),
      {
        selector: (name) => name.trim().toLowerCase(),
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(names, (all) => {
        const stored = all.map((name) => name.trim())
        expect(found(stored.join(','), stored, tagMatcher)).toEqual(stored)
      }),
    )
  })
})

describe('the suggestion for a value that no item has', () => {
  it.each([
    ['gat', ['gate', 'kiosk'], 'Did you mean "gate"?'],
    ['Sprnt 24', ['Q4\\Sprint 24'], 'Did you mean "Q4\\Sprint 24"?'],
    ['Sprnt', ['Q4\\Sprint 24'], 'Did you mean "Q4\\Sprint 24"?'],
    ['xyz', ['gate', 'kiosk'], 'Known: gate, kiosk.'],
    ['xyz', [], 'No cached work item has the tag "xyz".'],
  ])('%j of %j: %s', (text, known, said) => {
    expect(suggestStoredValue(text, known, tagMatcher)).toContain(said)
  })
})

describe('the current iterations', () => {
  const iteration = (path: string, start: string | null, finish: string | null) => ({
    path,
    startDate: start && `${start}T00:00:00.000Z`,
    finishDate: finish && `${finish}T00:00:00.000Z`,
  })
  const all = [
    iteration('H\\Q4', '2026-10-01', '2026-12-31'),
    iteration('H\\Q4\\S1', '2026-11-02', '2026-11-13'),
    iteration('H\\Q4\\S2', '2026-11-16', '2026-11-27'),
    iteration('H\\B\\S2', '2026-11-16', '2026-11-27'),
    iteration('H', null, null),
  ]
  it.each([
    ['2026-11-16', ['H\\Q4\\S2', 'H\\B\\S2']],
    ['2026-11-27', ['H\\Q4\\S2', 'H\\B\\S2']],
    ['2026-11-14', ['H\\Q4']],
    ['2027-01-01', []],
  ])('on %s: %j', (day, paths) => {
    expect(findCurrentIterations(all, day)).toEqual(paths)
  })
})
