import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDraftFile, parseDraftFile } from '../../../src/drafts/rules/draft-file'
import type { Draft } from '../../../src/drafts/schemas'

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '## Description',
    '# acceptance criteria #',
    '## Acceptance Criteria',
    '---',
    '# x',
    '- a',
    '"',
    ': ',
    '{',
    '> q',
    '`',
  ),
)
/** What a save stores: only line feeds, and no blank lines at the ends. */
const text = fc.array(line, { maxLength: 6 }).map((lines) => {
  const joined = lines
    .join('\n')
    .replace(/\r/g, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/\s+$/, '')
  return joined === '' ? null : joined
})
const short = fc.oneof(
  fc.constant(null),
  line.map((value) => value.replace(/\r/g, '') || null),
)

const draft: fc.Arbitrary<Draft> = fc.record({
  id: fc.integer({ min: 1, max: 1e6 }),
  title: line.map((value) => value.replace(/\r/g, '')),
  description: text,
  acceptanceCriteria: text,
  storyPoints: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100 }), fc.constant(0.5)),
  assignedTo: short,
  areaPath: short,
  iterationPath: short,
  tags: short,
  fields: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 10 }),
    fc.oneof(line.filter(Boolean), fc.integer(), fc.boolean(), fc.constant(null)),
    { maxKeys: 3 },
  ),
  folderId: fc.integer({ min: 1, max: 99 }),
  sourceItemId: fc.constant(204),
  sourceRev: fc.constant(3),
  sourceReference: fc.constant('#204'),
  createdAt: fc.constant('2026-11-20T10:00:00.000Z'),
  updatedAt: fc.constant('2026-11-20T11:00:00.000Z'),
})

const { sourceItemId: _item, sourceRev: _rev, sourceReference: _reference, createdAt: _created, ...saved } = {} as Draft
const savable = ({ sourceItemId, sourceRev, sourceReference, createdAt, ...rest }: Draft): typeof saved => rest
/** A file without fields of the tracker leaves those of the draft as they are. */
const inMarkdown = ({ fields, ...rest }: typeof saved) =>
  Object.keys(fields).length === 0 ? rest : { ...rest, fields }

describe('a draft as a file', () => {
  it('is restored from Markdown and from JSON', () => {
    fc.assert(
      fc.property(draft, (some) => {
        const read = parseDraftFile(formatDraftFile(some), 'story.md')
        expect({ ...read, title: read['title'] ?? '' }).toEqual(inMarkdown(savable(some)))
        expect(parseDraftFile(JSON.stringify(some), 'story.json')).toEqual(savable(some))
      }),
      { numRuns: 300 },
    )
  })

  it('has front matter and sections', () => {
    const [sample] = fc.sample(draft, 1) as [Draft]
    const story = { ...sample, id: 3, title: 'Late: trucks', description: 'As a planner', acceptanceCriteria: null }
    const file = {
      ...story,
      storyPoints: 3,
      assignedTo: null,
      areaPath: 'Quayside\\Yard',
      iterationPath: null,
      tags: 'a; b',
      fields: { Customer: 'Contoso', Due: null },
    }
    expect(formatDraftFile({ ...file, folderId: 1 })).toBe(
      [
        '---',
        'id: 3',
        'title: "Late: trucks"',
        'storyPoints: 3',
        'assignedTo:',
        'areaPath: Quayside\\Yard',
        'iterationPath:',
        'tags: a; b',
        'fields:',
        '  Customer: Contoso',
        '  Due:',
        'folderId: 1',
        'updatedAt: 2026-11-20T11:00:00.000Z',
        '---',
        '',
        '## Description',
        '',
        'As a planner',
        '',
        '## Acceptance criteria',
        '',
      ].join('\n'),
    )
  })
})

describe('a file written by hand', () => {
  const read = (text: string) => parseDraftFile(text, 'story.md')

  it.each([
    ['just a text', { description: 'just a text' }],
    [
      '# Title\n\ntext\n\n# Acceptance Criteria\n- a\n',
      { title: 'Title', description: 'text', acceptanceCriteria: '- a' },
    ],
    ['---\ntitle: T\n---\n# H\n\ntext', { title: 'T', description: '# H\n\ntext' }],
    ['---\ntags: [a, b]\nStory Points: 5\ntitle: 12\n---\n', { tags: 'a; b', storyPoints: 5, title: '12' }],
    ['---\npoints: 2\narea: A\\B\n---', { storyPoints: 2, areaPath: 'A\\B' }],
    ['\ufeff---\r\ntitle: T\r\n---\r\n\r\n## Description\r\n\r\na\r\nb\r\n', { title: 'T', description: 'a\nb' }],
    ['## Description\n\n## Acceptance criteria\n', { description: null, acceptanceCriteria: null }],
    ['## Acceptance criteria\n\na', { acceptanceCriteria: 'a' }],
    ['---\n---\ntext', { description: 'text' }],
    ['## Background\n\nx', { description: '## Background\n\nx' }],
    ['', {}],
    ['{"title": "J", "sourceRev": 2}', { title: 'J' }],
  ])('%j', (source, fields) => {
    expect(read(source)).toEqual(fields)
  })

  it.each([
    ['---\ntitle: "a\n---\n', 'not YAML'],
    ['---\n- a\n---\n', 'must consist of fields'],
    ['---\nstate: New\n---\n', '"state" in the front matter is not a field'],
    ['{"title":', 'is not JSON'],
    ['---\na: &a [1]\nb: *a\n---\n', 'is not YAML: Alias'],
  ])('%j is refused by name', (source, message) => {
    expect(() => read(source)).toThrow(message)
  })

  it('must contain one object if it is JSON', () => {
    expect(() => parseDraftFile('[]', 'x.json')).toThrow('must contain one JSON object')
  })
})
