import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { listFolders } from '../../../src/drafts/operations/list-folders'
import { getItem } from '../../../src/items/operations/get-item'
import { openDesk } from '../../items/operations/desk'

describe('copySanitize', () => {
  it('copies the story without people, secrets and state', async () => {
    const desk = await openDesk()
    const source = await desk.run(getItem, { id: 204 })
    const { sanitization, ...draft } = await desk.run(copySanitize, { id: 204 })
    expect(draft).toMatchObject({
      id: 1,
      title: `${source.title} - Copy`,
      storyPoints: source.storyPoints,
      areaPath: source.areaPath,
      iterationPath: source.iterationPath,
      tags: source.tags.join('; '),
      assignedTo: null,
      folderId: 1,
      sourceItemId: 204,
      sourceRev: source.rev,
    })
    const text = `${draft.description}\n${draft.acceptanceCriteria}`
    expect(text).not.toMatch(/<[a-z]|Mso|style=|@[^s\s]*quayside|ghp_/i)
    expect(text).not.toContain('555')
    expect(text).toContain('@someone')
    expect(text).toContain('[secret removed]')
    expect(sanitization.removed).toEqual(expect.arrayContaining([{ kind: 'assignee', field: 'assignedTo', count: 1 }]))
    expect(await desk.run(getDraft, { id: 1 })).toEqual(draft)
  })

  it('does not change the source', async () => {
    const desk = await openDesk()
    const before = await desk.run(getItem, { id: 204 })
    await desk.run(copySanitize, { id: 204 })
    const after = await desk.run(getItem, { id: 204 })
    expect({ ...after, fetchedAt: before.fetchedAt }).toEqual(before)
    expect(desk.sandbox.requests.every(({ method }) => method === 'GET' || method === 'POST')).toBe(true)
  })

  it('removes the names of people in the workspace and in related items, and no others', async () => {
    const desk = await openDesk()
    const { parentId } = await desk.run(getItem, { id: 204 })
    const { assignedTo } = await desk.run(getItem, { id: 501 })
    const relative = { 'System.AssignedTo': '', 'System.Description': mentionOf('Wanda Sand') }
    await desk.changeRemotely(parentId, relative)
    await desk.run(getItem, { id: parentId })
    const text = `<p>${assignedTo.displayName}, Wanda Sand and Nora Unknown agreed.</p>`
    await desk.changeRemotely(204, { 'System.Title': 'Ask Wanda Sand', 'System.Description': text })
    const draft = await desk.run(copySanitize, { id: 204 })
    expect(draft.title).toBe('Ask @someone - Copy')
    expect(draft.description).toBe('@someone, @someone and Nora Unknown agreed.')
  })

  it('accepts another suffix, or none', async () => {
    const desk = await openDesk()
    const { title } = await desk.run(getItem, { id: 204 })
    expect((await desk.run(copySanitize, { id: 204, titleSuffix: 'for the vendor' })).title).toBe(
      `${title} - for the vendor`,
    )
    expect((await desk.run(copySanitize, { id: 204, titleSuffix: '' })).title).toBe(title)
  })

  it.each([
    [{ id: 99999 }, 'not_found'],
    [{ id: 204, folderId: 9 }, 'not_found'],
    [{ id: 0 }, 'invalid'],
  ])('refuses %j and makes no draft', async (input, code) => {
    const desk = await openDesk()
    await expect(desk.run(copySanitize, input)).rejects.toMatchObject({ code })
    expect(await desk.run(listDrafts, {})).toEqual([])
  })

  it('works for every item of the sandbox', async () => {
    const desk = await openDesk()
    for (const id of [101, 204, 205, 210, 217, 218, 501, 506]) await desk.run(copySanitize, { id })
    expect(await desk.run(listFolders, {})).toEqual([{ id: 1, name: 'Drafts', parentId: null, draftCount: 8 }])
    expect(await desk.run(listDrafts, { search: 'copy', sort: 'created' })).toHaveLength(8)
  })
})

function mentionOf(name: string): string {
  return `<a href="#" data-vss-mention="version:2.0,8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d">@${name}</a>`
}
