import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { listFolders } from '../../../src/drafts/operations/list-folders'
import { getItem } from '../../../src/items/operations/get-item'
import { importFile } from '../../../src/items/operations/import/import-file'
import { execute } from '../../../src/kernel'
import { openTestWorkspace } from '../../items/test-workspace'

describe('copySanitize', () => {
  it('copies the story without people, secrets and state', async () => {
    const workspace = await openTestWorkspace()
    const source = await workspace.run(getItem, { id: 204 })
    const { sanitization, source: original, ...draft } = await workspace.run(copySanitize, { id: 204 })
    const attachments = ['door-message.png', 'gate-messages.txt']
    expect(original).toEqual({ stale: false, fetchedAt: expect.any(String), attachments })
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
    expect(await workspace.run(getDraft, { id: 1 })).toEqual({ ...draft, publications: [], files: [] })
  })

  it('does not change the source', async () => {
    const workspace = await openTestWorkspace()
    const before = await workspace.run(getItem, { id: 204 })
    await workspace.run(copySanitize, { id: 204 })
    const after = await workspace.run(getItem, { id: 204 })
    expect({ ...after, fetchedAt: before.fetchedAt }).toEqual(before)
    expect(workspace.sandbox.requests.every(({ method }) => method === 'GET' || method === 'POST')).toBe(true)
  })

  it('removes the names of people in the workspace and in related items, and no others', async () => {
    const workspace = await openTestWorkspace()
    const { parentId } = await workspace.run(getItem, { id: 204 })
    const { assignedTo } = await workspace.run(getItem, { id: 501 })
    const relative = { 'System.AssignedTo': '', 'System.Description': mentionOf('Wanda Sand') }
    await workspace.changeRemotely(parentId, relative)
    await workspace.run(getItem, { id: parentId })
    const text = `<p>${assignedTo.displayName}, Wanda Sand and Nora Unknown agreed.</p>`
    await workspace.changeRemotely(204, { 'System.Title': 'Ask Wanda Sand', 'System.Description': text })
    const draft = await workspace.run(copySanitize, { id: 204 })
    expect(draft.title).toBe('Ask @someone - Copy')
    expect(draft.description).toBe('@someone, @someone and Nora Unknown agreed.')
  })

  it('removes optional kinds where the call or the settings name them', async () => {
    const text = '<p>Gate 10.0.0.1, account DE89 3704 0044 0532 0130 00</p>'
    const copy = async (env: Record<string, string>, also?: readonly string[]) => {
      const workspace = await openTestWorkspace({ env })
      await workspace.changeRemotely(204, { 'System.Description': text })
      return (await workspace.run(copySanitize, { id: 204, also })).description
    }
    expect(await copy({})).toBe('Gate 10.0.0.1, account DE89 3704 0044 0532 0130 00')
    expect(await copy({}, ['ip'])).toBe('Gate [IP address removed], account DE89 3704 0044 0532 0130 00')
    const env = { STUDIO_SANITIZE_ALSO: 'iban' }
    expect(await copy(env, ['ip'])).toBe('Gate [IP address removed], account [IBAN removed]')
  })

  it('copies the cached revision without the tracker, and says so', async () => {
    const workspace = await openTestWorkspace()
    const { rev, fetchedAt } = await workspace.run(getItem, { id: 204 })
    const { sanitization, ...online } = await workspace.run(copySanitize, { id: 204, dryRun: true })
    await workspace.sandbox.close()
    const notices: unknown[] = []
    const context = workspace.studio.context({
      actor: { kind: 'terminal', tenant: 'default' },
      notice: (text) => notices.push(text),
    })
    const offline = await execute(copySanitize, { id: 204 }, context)
    expect(offline).toMatchObject({
      ...{ title: online.title, description: online.description, sourceItemId: 204, sourceRev: rev, sanitization },
      source: { stale: true, fetchedAt },
    })
    expect(notices).toEqual([
      expect.stringMatching(
        `Copied the cached revision ${rev} of ${fetchedAt}.*, because the tracker did not return the item\\. .* cannot be reached`,
      ),
    ])
    await expect(workspace.run(copySanitize, { id: 205 })).rejects.toMatchObject({ code: 'tracker_unavailable' })
  })

  it('copies the cached revision if it is asked for it, without a call', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(copySanitize, { id: 204, cached: true })).rejects.toMatchObject({ code: 'not_found' })
    const { title } = await workspace.run(getItem, { id: 204 })
    await workspace.changeRemotely(204, { 'System.Title': 'Changed' })
    workspace.asked()
    const copied = await workspace.run(copySanitize, { id: 204, cached: true, titleSuffix: '' })
    expect(copied).toMatchObject({ title, source: { stale: true } })
    expect(workspace.asked()).toEqual([])
    await workspace.removeRemotely(204)
    await expect(workspace.run(copySanitize, { id: 204 })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.arrayContaining([expect.objectContaining({ input: { id: 204, cached: true } })]),
    })
  })

  it('copies an item of a file that has no tracker here', async () => {
    const workspace = await openTestWorkspace()
    const file = {
      name: 'plan.csv',
      text: 'ID,Work Item Type,Title,State,Description\n7,Task,One,New,Mail ana@x.example\n',
    }
    await workspace.run(importFile, { ...file })
    expect(await workspace.run(copySanitize, { id: 7 })).toMatchObject({
      description: 'Mail [email removed]',
      sourceItemId: 7,
      source: { stale: true },
    })
  })

  it('accepts another suffix, or none', async () => {
    const workspace = await openTestWorkspace()
    const { title } = await workspace.run(getItem, { id: 204 })
    expect((await workspace.run(copySanitize, { id: 204, titleSuffix: 'for the vendor' })).title).toBe(
      `${title} - for the vendor`,
    )
    expect((await workspace.run(copySanitize, { id: 204, titleSuffix: '' })).title).toBe(title)
  })

  it.each([
    [{ id: 99999 }, 'not_found'],
    [{ id: 204, folderId: 9 }, 'not_found'],
    [{ id: 0 }, 'invalid'],
  ])('refuses %j and creates no draft', async (input, code) => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(copySanitize, input)).rejects.toMatchObject({ code })
    expect(await workspace.run(listDrafts, {})).toEqual([])
  })

  it('works for every item of the sandbox', async () => {
    const workspace = await openTestWorkspace()
    for (const id of [101, 204, 205, 210, 217, 218, 501, 506]) await workspace.run(copySanitize, { id })
    expect(await workspace.run(listFolders, {})).toEqual([{ id: 1, name: 'Drafts', parentId: null, draftCount: 8 }])
    expect(await workspace.run(listDrafts, { search: 'copy', sort: 'created' })).toHaveLength(8)
  })
})

function mentionOf(name: string): string {
  return `<a href="#" data-vss-mention="version:2.0,8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d">@${name}</a>`
}
