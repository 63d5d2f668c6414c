import { describe, expect, it } from 'vitest'
import { escapeQuickActions, unescapeQuickActions } from '../../../src/tracker/gitlab/quick-actions'
import { never as signal } from '../azure-devops/fixtures'
import { openGitLab } from './fixtures'

describe('a line that GitLab could take for a command', () => {
  it.each([
    ['/close', '\\/close'],
    ['/close\n', '\\/close\n'],
    ['Done.\n/label ~gate\n/Close \t\nBye', 'Done.\n\\/label ~gate\n\\/Close \t\nBye'],
    ['a\r\n/close\r\nb', 'a\n\\/close\nb'],
    ['a\n\r/close', 'a\n\n\\/close'],
    ['/promote_to incident', '\\/promote_to incident'],
    ['```\ncode\n```\n/close', '```\ncode\n```\n\\/close'],
    ['```\n```\n/close', '```\n```\n\\/close'],
    ['```\n/close', '```\n\\/close'],
    ['```js `x`\n/close\n```', '```js `x`\n\\/close\n```'],
    ['~~~\n/close\n~~~', '~~~\n\\/close\n~~~'],
    ['> quote\n/close', '> quote\n\\/close'],
  ])('%j is sent as %j, and reads back the same', (text, sent) => {
    expect(escapeQuickActions(text)).toBe(sent)
    expect(unescapeQuickActions(sent)).toBe(text.replace(/\r\n?/g, '\n'))
  })

  it.each([
    '```sh\n/close\n```',
    '````\n```\n/close\n```\n````',
    'See /close',
    ' /close',
    '/usr/local/bin',
    '/',
    '/ close',
    '//close',
    '![x](/uploads/a)',
    '',
  ])('is not in %j', (text) => {
    expect(escapeQuickActions(text)).toBe(text)
    expect(unescapeQuickActions(text)).toBe(text)
  })

  it('is sent once escaped if a person has escaped it', () => {
    expect(escapeQuickActions('\\/close')).toBe('\\/close')
    expect(unescapeQuickActions('\\\\/close')).toBe('\\\\/close')
  })

  it('is found in linear time', () => {
    const many = '```\n'.repeat(200_000)
    expect(escapeQuickActions(many)).toBe(many)
    expect(escapeQuickActions('/'.repeat(1_000_000))).toBe('/'.repeat(1_000_000))
  })
})

describe('a text with a command', () => {
  const text = 'Try it:\n/close\n\n```\n/done\n```'

  it('is the description of a new item and of an edited one, and runs nothing', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }] })
    const item = { type: 'Issue', parentId: null, marker: '0f8fad5b-d9cb-469f-a165-70867728950e', startedAt: 0 }
    const created = await tracker.createItem({ ...item, fields: { title: 'Gate', description: text } }, { signal })
    expect(created).toMatchObject({ status: 'created', item: { state: 'Open' } })
    const { rev } = await tracker.getItem(1, signal)
    const [edited] = await tracker.updateItems([{ id: 1, rev, fields: { description: text } }], { signal })
    expect(edited).toMatchObject({ status: 'applied', item: { state: 'Open', description: { text } } })
    expect(gitlab.items.get(1)!.description).toBe('Try it:\n\\/close\n\n```\n/done\n```')
  })

  it('is a comment that runs nothing, also after an edit', async () => {
    const { tracker, gitlab } = await openGitLab({ items: [{ id: 1 }] })
    const added = await tracker.addComment({ itemId: 1, text: '/close', after: 0 }, signal)
    expect(added).toMatchObject({ status: 'added', comment: { text: { text: '/close' } } })
    const { id } = (await tracker.listComments(1, { limit: 1, signal })).comments[0]!
    const change = { itemId: 1, commentId: id, was: '/close', text }
    expect(await tracker.parts.commentEditing!.edit(change, signal)).toMatchObject({
      status: 'added',
      comment: { text: { text } },
    })
    expect(gitlab.items.get(1)).toMatchObject({ state: 'OPEN', notes: [{ body: escapeQuickActions(text) }] })
  })
})
