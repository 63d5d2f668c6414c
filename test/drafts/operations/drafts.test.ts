import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { createFolder } from '../../../src/drafts/operations/create-folder'
import { deleteDraft } from '../../../src/drafts/operations/delete-draft'
import { deleteFolder } from '../../../src/drafts/operations/delete-folder'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listDraftHistory } from '../../../src/drafts/operations/list-draft-history'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { moveDraft } from '../../../src/drafts/operations/move-draft'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { undoDraft } from '../../../src/drafts/operations/undo-draft'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'

const history = async (workspace: TestWorkspace, id: number) =>
  (await workspace.run(listDraftHistory, { id })).versions.map(({ version, restored, changed, content }: any) => ({
    version,
    restored,
    changed,
    title: content.title,
  }))

describe('saving a draft', () => {
  it('loses the values that a command line empties, but never its title', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'a', tags: 'c; d', storyPoints: 5 })
    const emptied = saveDraft.cli!.toInput!({ id: 1, title: '', tags: '', storyPoints: '' })
    expect(await workspace.run(saveDraft, emptied)).toMatchObject({ title: '', tags: null, storyPoints: null })
  })

  it('creates one without an ID, with only the given fields', async () => {
    const workspace = await openTestWorkspace()
    const draft = await workspace.run(saveDraft, { title: 'Show late trucks', storyPoints: 3 })
    expect(draft).toEqual({
      id: 1,
      title: 'Show late trucks',
      description: null,
      acceptanceCriteria: null,
      storyPoints: 3,
      assignedTo: null,
      areaPath: null,
      iterationPath: null,
      tags: null,
      fields: {},
      folderId: 1,
      sourceItemId: null,
      sourceRev: null,
      sourceReference: null,
      createdAt: draft.updatedAt,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await workspace.run(saveDraft, {})).toMatchObject({ id: 2, title: '' })
    expect(await workspace.run(getDraft, { id: 1 })).toEqual({ ...draft, publications: [], files: [] })
  })

  it('changes only the fields that are sent, and null clears one', async () => {
    const workspace = await openTestWorkspace()
    const made = await workspace.run(saveDraft, { title: 'a', description: 'b', tags: 'c; d', storyPoints: 5 })
    const saved = await workspace.run(saveDraft, { id: 1, description: 'e', storyPoints: null })
    expect(saved).toEqual({ ...made, description: 'e', storyPoints: null, updatedAt: saved.updatedAt })
    expect(saved.updatedAt > made.updatedAt).toBe(true)
  })

  it('with equal values changes nothing', async () => {
    const workspace = await openTestWorkspace()
    const made = await workspace.run(saveDraft, { title: 'a', tags: 'b' })
    expect(await workspace.run(saveDraft, { id: 1, title: 'a', description: null })).toEqual(made)
    expect(await history(workspace, 1)).toHaveLength(1)
  })

  it.each([
    [{ id: 9, title: 'x' }, 'not_found'],
    [{ id: 1, folderId: 9 }, 'not_found'],
    [{ folderId: 9 }, 'not_found'],
    [{ id: 1, state: 'New' }, 'invalid'],
    [{ id: 1, createdAt: '2026-01-01T00:00:00.000Z' }, 'invalid'],
    [{ id: 1, title: null }, 'invalid'],
    [{ id: 1, storyPoints: -1 }, 'invalid'],
    [{ id: 1, storyPoints: Number.NaN }, 'invalid'],
    [{ id: 1, description: 'a\0b' }, 'invalid'],
    [{ id: 1, description: '🚚'.slice(0, 1) }, 'invalid'],
    [{ id: 1, updatedAt: 'yesterday' }, 'invalid'],
  ])('refuses %j as %s, and does not change the draft', async (input, code) => {
    const workspace = await openTestWorkspace()
    const made = await workspace.run(saveDraft, { title: 'a' })
    await expect(workspace.run(saveDraft, input)).rejects.toMatchObject({ code })
    expect(await workspace.run(listDrafts, {})).toEqual([made])
  })
})

describe('two people editing a draft', () => {
  it('refuses a save that did not see the previous one, and lists what that one changed', async () => {
    const workspace = await openTestWorkspace()
    const seen = await workspace.run(saveDraft, { title: 'Doors', description: 'one' })
    const hers = await workspace.run(saveDraft, { id: 1, description: 'two', updatedAt: seen.updatedAt })
    const his = workspace.run(saveDraft, { id: 1, title: 'Gates', updatedAt: seen.updatedAt })
    await expect(his).rejects.toMatchObject({
      code: 'stale_revision',
      message: expect.stringContaining('(description)'),
      details: [
        { path: 'updatedAt', was: seen.updatedAt, now: hers.updatedAt },
        { path: 'description', was: 'one', now: 'two' },
      ],
    })
    expect(await workspace.run(getDraft, { id: 1 })).toEqual({ ...hers, publications: [], files: [] })
    expect(await workspace.run(saveDraft, { id: 1, title: 'Gates', updatedAt: hers.updatedAt })).toMatchObject({
      title: 'Gates',
      description: 'two',
    })
  })

  it('accepts exactly one of many concurrent saves', async () => {
    const workspace = await openTestWorkspace()
    const { updatedAt } = await workspace.run(saveDraft, { title: 'a' })
    const saves = Array.from({ length: 12 }, (_, n) => workspace.run(saveDraft, { id: 1, title: `by ${n}`, updatedAt }))
    const settled = await Promise.allSettled(saves)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await history(workspace, 1)).toHaveLength(2)
  })

  it('treats a time that no version has as stale, and lists every field', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'a' })
    const save = workspace.run(saveDraft, { id: 1, title: 'b', updatedAt: '2020-01-01T00:00:00.000Z' })
    await expect(save).rejects.toMatchObject({ code: 'stale_revision' })
    const { details } = await save.catch((error: unknown) => error as { details: unknown[] })
    expect(details).toContainEqual(expect.objectContaining({ path: 'title', was: null, now: 'a' }))
  })

  it('distinguishes two saves within one millisecond', async () => {
    const workspace = await openTestWorkspace()
    const times = new Set<string>()
    for (let n = 0; n < 20; n++)
      times.add((await workspace.run(saveDraft, { id: n === 0 ? undefined : 1, title: `${n}` })).updatedAt)
    expect(times.size).toBe(20)
  })
})

describe('the history of a draft', () => {
  it('has every version, newest first, with the changes of each save', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'one' })
    await workspace.run(saveDraft, { id: 1, title: 'two' })
    await workspace.run(saveDraft, { id: 1, title: 'three', tags: 'x' })
    expect(await history(workspace, 1)).toEqual([
      { version: 3, restored: null, changed: ['title', 'tags'], title: 'three' },
      { version: 2, restored: null, changed: ['title'], title: 'two' },
      { version: 1, restored: null, changed: [], title: 'one' },
    ])
  })

  it('undo goes back step by step, to any version, and can be undone itself', async () => {
    const workspace = await openTestWorkspace()
    for (const title of ['one', 'two', 'three']) {
      await workspace.run(saveDraft, { id: title === 'one' ? undefined : 1, title })
    }
    expect(await workspace.run(undoDraft, { id: 1 })).toMatchObject({ title: 'two' })
    expect(await workspace.run(undoDraft, { id: 1 })).toMatchObject({ title: 'one' })
    await expect(workspace.run(undoDraft, { id: 1 })).rejects.toMatchObject({ code: 'conflict' })
    expect(await workspace.run(undoDraft, { id: 1, to: 3 })).toMatchObject({ title: 'three' })
    expect(await workspace.run(undoDraft, { id: 1 })).toMatchObject({ title: 'two' })
    const titles = (await history(workspace, 1)).map((version: { title: string }) => version.title)
    expect(titles).toEqual(['two', 'three', 'one', 'two', 'three', 'two', 'one'])
  })

  it.each([
    [{ id: 9 }, 'not_found'],
    [{ id: 1 }, 'conflict'],
    [{ id: 1, to: 2 }, 'invalid'],
  ])('undo of %j is refused as %s', async (input, code) => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'one' })
    await expect(workspace.run(undoDraft, input)).rejects.toMatchObject({ code })
  })

  it('undo leaves the draft in its folder if the former folder was deleted', async () => {
    const workspace = await openTestWorkspace()
    const folder = await workspace.run(createFolder, { name: 'vendor' })
    await workspace.run(saveDraft, { title: 'a', folderId: folder.id })
    await workspace.run(saveDraft, { id: 1, title: 'b' })
    await workspace.run(deleteFolder, { id: folder.id, moveTo: 1 })
    expect(await workspace.run(undoDraft, { id: 1, to: 1 })).toMatchObject({ title: 'a', folderId: 1 })
  })
})

describe('moving and deleting', () => {
  it('a move is a change that can be undone', async () => {
    const workspace = await openTestWorkspace()
    const folder = await workspace.run(createFolder, { name: 'vendor' })
    const draft = await workspace.run(saveDraft, { title: 'a' })
    const moved = await workspace.run(moveDraft, { id: 1, folderId: folder.id })
    expect(moved).toEqual({ ...draft, folderId: folder.id, updatedAt: moved.updatedAt })
    expect(await workspace.run(moveDraft, { id: 1, folderId: folder.id })).toEqual(moved)
    expect(await workspace.run(undoDraft, { id: 1 })).toMatchObject({ folderId: 1 })
  })

  it.each([
    [{ id: 9, folderId: 1 }, 'not_found'],
    [{ id: 1, folderId: 9 }, 'not_found'],
    [{ id: 1 }, 'invalid'],
  ])('a move of %j is refused as %s', async (input, code) => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'a' })
    await expect(workspace.run(moveDraft, input)).rejects.toMatchObject({ code })
  })

  it('a dry run shows what would be deleted, and a deletion includes the history', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveDraft, { title: 'a' })
    await workspace.run(saveDraft, { id: 1, title: 'b' })
    const deletion = { id: 1, title: 'b', versions: 2 }
    expect(await workspace.run(deleteDraft, { id: 1, dryRun: true })).toMatchObject({ ...deletion, deleted: false })
    expect(await workspace.run(getDraft, { id: 1 })).toMatchObject({ title: 'b' })
    expect(await workspace.run(deleteDraft, { id: 1 })).toEqual({ ...deletion, deleted: true })
    for (const op of [getDraft, listDraftHistory, deleteDraft, undoDraft]) {
      await expect(workspace.run(op, { id: 1 })).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await workspace.run(saveDraft, { title: 'c' })).toMatchObject({ id: 2 })
  })
})

describe('the list of drafts', () => {
  const titles = async (workspace: TestWorkspace, input: object) =>
    (await workspace.run(listDrafts, input)).map((draft: { title: string }) => draft.title)

  it('filters by folder and by words in any text, and sorts in any order', async () => {
    let now = Date.parse('2026-11-20T10:00:00Z')
    const workspace = await openTestWorkspace({ clock: { now: () => now++ } })
    const folder = await workspace.run(createFolder, { name: 'vendor' })
    await workspace.run(saveDraft, { title: 'Beta', storyPoints: 8, description: 'about the north gate' })
    await workspace.run(saveDraft, { title: 'alpha', storyPoints: 2, folderId: folder.id, tags: 'Gate; yard' })
    await workspace.run(saveDraft, { title: 'Gamma', acceptanceCriteria: 'the gate opens' })
    await workspace.run(saveDraft, { id: 1, assignedTo: 'Mei' })
    expect(await titles(workspace, {})).toEqual(['Beta', 'Gamma', 'alpha'])
    expect(await titles(workspace, { sort: 'created' })).toEqual(['Gamma', 'alpha', 'Beta'])
    expect(await titles(workspace, { sort: '-created' })).toEqual(['Beta', 'alpha', 'Gamma'])
    expect(await titles(workspace, { sort: 'title' })).toEqual(['alpha', 'Beta', 'Gamma'])
    expect(await titles(workspace, { sort: 'points' })).toEqual(['Beta', 'alpha', 'Gamma'])
    expect(await titles(workspace, { folderId: folder.id })).toEqual(['alpha'])
    expect(await titles(workspace, { folderId: 99 })).toEqual([])
    expect(await titles(workspace, { search: 'GATE' })).toEqual(['Beta', 'Gamma', 'alpha'])
    expect(await titles(workspace, { search: 'gate north' })).toEqual(['Beta'])
    await expect(workspace.run(listDrafts, { sort: 'size' })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('a dry run of copy-sanitize', () => {
  it('shows the draft and what would be removed, and saves nothing', async () => {
    const workspace = await openTestWorkspace()
    const tried = await workspace.run(copySanitize, { id: 204, dryRun: true })
    expect(tried).toMatchObject({ id: null, sourceItemId: 204 })
    expect(await workspace.run(listDrafts, {})).toEqual([])
    const made = await workspace.run(copySanitize, { id: 204 })
    const withoutTimes = { createdAt: '', updatedAt: '', source: { fetchedAt: '', stale: false } }
    expect({ ...made, id: null, ...withoutTimes, planId: tried.planId }).toEqual({ ...tried, ...withoutTimes })
  })

  it('shows only words of the draft around each mark', async () => {
    const workspace = await openTestWorkspace()
    const { sanitization, ...draft } = await workspace.run(copySanitize, { id: 204, dryRun: true })
    expect(sanitization.excerpts.length).toBeGreaterThan(2)
    for (const { field, text } of sanitization.excerpts) {
      expect(String(draft[field]).replace(/\s+/g, ' ')).toContain(text.replace(/^… | …$/g, ''))
    }
  })
})
