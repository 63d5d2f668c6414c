import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../src/search/rules/parse-query'

const wordsOf = (query: string) => parseQuery(query, null).words.map((word) => word.form)

describe('words', () => {
  it('are normalized, and counted as often as they occur', () => {
    expect(parseQuery('Dock door DOCK ', null).words).toEqual([
      { form: 'dock', count: 2, literal: false, unfinished: false },
      { form: 'door', count: 1, literal: false, unfinished: false },
    ])
  })

  it('can be unfinished at the end of the query', () => {
    const unfinished = (query: string) => parseQuery(query, null).words.filter((word) => word.unfinished)
    expect(unfinished('dock doo').map((word) => word.form)).toEqual(['doo'])
    expect(unfinished('dock doo ')).toEqual([])
    expect(unfinished('doo state:Active')).toEqual([])
    expect(unfinished('"dock doo')).toEqual([])
  })

  it('omit stop words, unless there are no other words', () => {
    expect(wordsOf('the door of the dock')).toEqual(['door', 'dock'])
    expect(wordsOf('to be')).toEqual(['to', 'be'])
  })

  it('count a joined word as its parts and, literally, as a whole', () => {
    expect(parseQuery('dockDoor ', null).words).toEqual([
      { form: 'dock', count: 1, literal: false, unfinished: false },
      { form: 'door', count: 1, literal: false, unfinished: false },
      { form: 'dockdoor', count: 1, literal: true, unfinished: false },
    ])
  })

  it('are pairs of characters in a script without spaces, or a single character', () => {
    expect(wordsOf('日本語')).toEqual(['日本', '本語'])
    expect(wordsOf('猫')).toEqual(['猫'])
  })
})

describe('phrases', () => {
  it('preserve word order and stop words, and are ranked by the other words', () => {
    const query = parseQuery('"out of stock" door', null)
    expect(query.phrases).toEqual([{ forms: ['out', 'of', 'stock'], quoted: true }])
    expect(query.words.map(({ form, literal }) => [form, literal])).toEqual([
      ['stock', true],
      ['door', false],
    ])
  })

  it('match only their literal words, unless these also occur outside the phrase', () => {
    const literal = (query: string) => parseQuery(query, null).words.map((word) => word.literal)
    expect(literal('"dock"')).toEqual([true])
    expect(literal('"dock" dock')).toEqual([false])
    expect(literal('dock "dock"')).toEqual([false])
  })

  it('end with the query if the quote is not closed, and accept typographic quotes', () => {
    expect(parseQuery('"dock door', null).phrases).toEqual([{ forms: ['dock', 'door'], quoted: true }])
    expect(parseQuery('“dock door”', null).phrases).toEqual([{ forms: ['dock', 'door'], quoted: true }])
  })

  it('without words are ignored', () => {
    expect(parseQuery('"..." ""', null)).toMatchObject({ words: [], phrases: [], opening: [] })
  })
})

describe('exclusions', () => {
  it('are words and phrases with a dash before them', () => {
    const query = parseQuery('door -draft -"dry run"', null)
    expect(query.words.map((word) => word.form)).toEqual(['door'])
    expect(query.excluded).toEqual([
      { forms: ['draft'], quoted: false },
      { forms: ['dry', 'run'], quoted: true },
    ])
  })

  it('of a joined word exclude both spellings', () => {
    expect(parseQuery('-dockDoor', null).excluded.map((sequence) => sequence.forms)).toEqual([
      ['dock', 'door'],
      ['dockdoor'],
    ])
  })

  it('can be written as NOT in capitals, also before a qualifier', () => {
    expect(parseQuery('door NOT draft', null)).toMatchObject({ opening: ['door'], excluded: [{ forms: ['draft'] }] })
    expect(parseQuery('NOT type:bug', null).filters).toMatchObject([{ qualifier: 'type', negated: true }])
    expect(parseQuery('do not enter NOT', null).excluded).toEqual([])
  })

  it('are not created by a dash inside a word or on its own', () => {
    expect(parseQuery('dock-door - x', null).excluded).toEqual([])
  })
})

describe('equal parts', () => {
  it('are merged', () => {
    const query = parseQuery('"a b" -c state:New #12 "a b" -c state:New #12 -c', null)
    expect(query).toMatchObject({
      phrases: [{ forms: ['a', 'b'] }],
      excluded: [{ forms: ['c'] }],
      filters: [{ value: 'New' }],
      ids: [12],
    })
  })

  it.each([
    ['words', (i: number) => `w${i}`],
    ['phrases', (i: number) => `"a ${i % 40} ${i}"`],
    ['exclusions', (i: number) => `-w${i}`],
    ['qualifiers', (i: number) => `tag:w${i}`],
    ['IDs', (i: number) => `#${i}`],
  ])('of which there are too many are refused, with their kind: %s', (kind, part) => {
    const query = Array.from({ length: 700 }, (_, i) => part(i)).join(' ')
    const refused = expect.objectContaining({ code: 'too_complex', hint: expect.stringContaining(kind.slice(0, -1)) })
    expect(() => parseQuery(query, null)).toThrow(refused)
    expect(() => parseQuery(`${part(1)} `.repeat(700), null)).not.toThrow()
  })
})

describe('qualifiers', () => {
  it.each([
    ['state:Active', { qualifier: 'state', value: 'Active', negated: false }],
    ['State:Active', { qualifier: 'state', value: 'Active', negated: false }],
    ['state:"In Progress"', { qualifier: 'state', value: 'In Progress', negated: false }],
    ['-type:bug', { qualifier: 'type', value: 'bug', negated: true }],
    ['tag:"two words"', { qualifier: 'tag', value: 'two words', negated: false }],
    ['area:Docks\\North', { qualifier: 'area', value: 'Docks\\North', negated: false }],
    ['iteration:"Sprint 12"', { qualifier: 'iteration', value: 'Sprint 12', negated: false }],
    ['no:assignee', { qualifier: 'assignee', value: null, negated: false }],
    ['-no:assignee', { qualifier: 'assignee', value: null, negated: true }],
    ['assigned:dana', { qualifier: 'assignee', value: 'dana', negated: false }],
    ['status:New', { qualifier: 'state', value: 'New', negated: false }],
    ['is:closed', { qualifier: 'state', value: 'done', negated: false }],
    ['-is:unassigned', { qualifier: 'assignee', value: null, negated: true }],
    ['is:assigned', { qualifier: 'assignee', value: null, negated: true }],
    ['is:bug', { qualifier: 'type', value: 'bug', negated: false }],
  ])('%s is a filter', (query, filter) => {
    expect(parseQuery(query, null)).toMatchObject({ filters: [filter], words: [], excluded: [] })
  })

  it('in:title restricts the search to titles', () => {
    expect(parseQuery('dock in:title', null)).toMatchObject({ inTitle: true, opening: ['dock'] })
    expect(parseQuery('dock', null).inTitle).toBe(false)
  })

  it.each(['color:red', 'in:red', 'no:red', 'http://red'])('%s is plain text', (query) => {
    expect(parseQuery(query, null).filters).toEqual([])
    expect(wordsOf(query)).toContain('red')
  })

  it('that are mistyped are plain text, with a suggestion', () => {
    expect(parseQuery('assigne:dana', null)).toMatchObject({
      filters: [],
      hints: [expect.stringContaining('Did you mean "assignee:"?')],
    })
    expect(parseQuery('is:purple', null).hints).toEqual([expect.stringContaining('is:')])
    expect(parseQuery('http://red std::string 12:30 "stat:x"', null).hints).toEqual([])
  })

  it('that are unknown are plain text, which is said once for each name', () => {
    const { hints } = parseQuery('foo:bar -foo:baz dock toString:1', null)
    expect(hints).toEqual([
      '"foo:" is not a qualifier and was searched for as words.',
      '"tostring:" is not a qualifier and was searched for as words.',
    ])
    const many = Array.from({ length: 500 }, (_, i) => `name${'abcdefghij'[i % 10]}:x`).join(' ')
    expect(parseQuery(many, null).hints).toHaveLength(3)
  })

  it('without a value are plain text', () => {
    expect(parseQuery('state: ', null)).toMatchObject({ filters: [], opening: ['state'] })
  })

  it('assignee:@me is the configured user', () => {
    expect(parseQuery('assignee:@me', 'dana@example.com').filters).toEqual([
      { qualifier: 'assignee', value: 'dana@example.com', negated: false, whole: true },
    ])
    expect(() => parseQuery('assignee:@ME', null)).toThrow(
      expect.objectContaining({ code: 'invalid', hint: expect.stringContaining('STUDIO_USER') }),
    )
  })
})

describe('IDs', () => {
  it.each([
    ['204', [204]],
    ['#204', [204]],
    ['204 #311', [204, 311]],
    ['door #204', [204]],
    ['phase 2', []],
    ['"204"', []],
    ['-204', []],
    ['2026-11-20', []],
    ['204 state:Active', [204]],
  ])('%s means %j', (query, ids) => {
    expect(parseQuery(query, null).ids).toEqual(ids)
  })
})

it('accepts any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('"', '-', 'tag:', 'state:x', ' ', 'in:title', '#1', '“', 'no:'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = parseQuery(pieces.join(''), 'dana')
      for (const { forms } of [...query.phrases, ...query.excluded]) expect(forms.length).toBeGreaterThan(0)
    }),
  )
})
