import { expect, it } from 'vitest'
import { readableText } from '../../src/mcp/readable-text'

const read = (value: unknown) => readableText(value, { cutsTexts: true })

it('shows a list of similar entries as a table, without columns that are empty', () => {
  const person = { displayName: 'Ann', uniqueName: 'ann@example.com' }
  const entries = [
    { id: 1, title: 'One | two', assignedTo: person, parentId: null, tags: ['a', 'b'] },
    { id: 2, title: 'Three', assignedTo: null, parentId: null, tags: [] },
  ]
  expect(read(entries)).toBe(
    [
      'id | title | assignedTo.displayName | assignedTo.uniqueName | tags',
      '1 | One \\| two | Ann | ann@example.com | a, b',
      '2 | Three |  |  | ',
    ].join('\n'),
  )
})

it('shows entries with more than a line as a list', () => {
  expect(
    read([
      { id: 1, text: 'first\nsecond' },
      { id: 2, children: [{ id: 3 }] },
    ]),
  ).toBe(['- id: 1', '  text:', '    first', '    second', '- id: 2', '  children (1):', '    id', '    3'].join('\n'))
})

it('shows an object as a line for each field, also for false and zero', () => {
  expect(
    read({ query: 'door', total: 0, done: false, basis: { at: 'now', none: null }, ids: [1, 2], results: [] }),
  ).toBe(['query: door', 'total: 0', 'done: false', 'basis:', '  at: now', 'ids: 1, 2'].join('\n'))
})

it('shows the positions of hits on the line of their entry', () => {
  expect(
    read({
      results: [
        {
          id: 1,
          highlights: [
            [22, 26],
            [98, 102],
          ],
        },
        { id: 2, highlights: [] },
      ],
    }),
  ).toBe(['results (2):', '  id | highlights', '  1 | [[22,26],[98,102]]', '  2 | '].join('\n'))
})

it('says once what is the same in all of several rows', () => {
  const entries = [1, 2, 3].map((id) => ({ id, tracker: 'default', blocked: id === 2 ? [{ by: 7 }] : [] }))
  expect(read(entries)).toBe(
    ['the same for all: tracker: default', 'id | blocked', '1 | ', '2 | [{"by":7}]', '3 | '].join('\n'),
  )
})

it('shows an empty list as such', () => {
  expect(read([])).toBe('(none)')
})
