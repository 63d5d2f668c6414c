import { describe, expect, it } from 'vitest'
import { createFolder } from '../../../src/drafts/operations/create-folder'
import { deleteFolder } from '../../../src/drafts/operations/delete-folder'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listFolders } from '../../../src/drafts/operations/list-folders'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { updateFolder } from '../../../src/drafts/operations/update-folder'
import { openTestWorkspace } from '../../items/test-workspace'

const drafts = { id: 1, name: 'Drafts', parentId: null, draftCount: 0 }

describe('folders', () => {
  it('can be nested, renamed and moved', async () => {
    const workspace = await openTestWorkspace()
    const vendor = await workspace.run(createFolder, { name: '  For the vendor ' })
    expect(vendor).toEqual({ id: 2, name: 'For the vendor', parentId: null, draftCount: 0 })
    const inner = await workspace.run(createFolder, { name: 'Doors', parentId: 2 })
    expect(await workspace.run(updateFolder, { id: 3, name: 'Gates' })).toEqual({ ...inner, name: 'Gates' })
    expect(await workspace.run(updateFolder, { id: 3, parentId: 1 })).toMatchObject({ name: 'Gates', parentId: 1 })
    expect(await workspace.run(updateFolder, { id: 3, parentId: null })).toMatchObject({ parentId: null })
    expect(await workspace.run(listFolders, {})).toEqual([drafts, vendor, { ...inner, name: 'Gates', parentId: null }])
  })

  it('count their own drafts', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(createFolder, { name: 'a' })
    await workspace.run(createFolder, { name: 'b', parentId: 2 })
    for (const folderId of [2, 3, 3]) await workspace.run(saveDraft, { folderId })
    const counts = (await workspace.run(listFolders, {})).map((folder: { draftCount: number }) => folder.draftCount)
    expect(counts).toEqual([0, 1, 2])
  })

  it('cannot be moved into themselves, at any depth', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(createFolder, { name: 'a' })
    await workspace.run(createFolder, { name: 'b', parentId: 2 })
    await workspace.run(createFolder, { name: 'c', parentId: 3 })
    for (const parentId of [2, 3, 4]) {
      await expect(workspace.run(updateFolder, { id: 2, parentId })).rejects.toMatchObject({
        code: 'invalid',
        details: [{ path: 'parentId' }],
      })
    }
  })

  it.each([
    [createFolder.id, { name: '' }, 'invalid', createFolder],
    [createFolder.id, { name: '   ' }, 'invalid', createFolder],
    [createFolder.id, { name: 'a\0' }, 'invalid', createFolder],
    [createFolder.id, { name: 'a', parentId: 9 }, 'not_found', createFolder],
    [createFolder.id, { name: 'a', color: 'red' }, 'invalid', createFolder],
    [updateFolder.id, { id: 9, name: 'a' }, 'not_found', updateFolder],
    [updateFolder.id, { id: 1, parentId: 9 }, 'not_found', updateFolder],
    [deleteFolder.id, { id: 9 }, 'not_found', deleteFolder],
    [deleteFolder.id, { id: 1 }, 'conflict', deleteFolder],
    [deleteFolder.id, { id: 1, moveTo: 1 }, 'conflict', deleteFolder],
  ] as const)('%s refuses %j as %s', async (_id, input, code, op) => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(op, input)).rejects.toMatchObject({ code })
    expect(await workspace.run(listFolders, {})).toEqual([drafts])
  })
})

describe('deleting a folder', () => {
  it('requires a folder to move its drafts to', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(createFolder, { name: 'a' })
    await workspace.run(saveDraft, { title: 'in a', folderId: 2 })
    await expect(workspace.run(deleteFolder, { id: 2 })).rejects.toMatchObject({ code: 'conflict' })
    await expect(workspace.run(deleteFolder, { id: 2, moveTo: 2 })).rejects.toMatchObject({ code: 'invalid' })
    await expect(workspace.run(deleteFolder, { id: 2, moveTo: 9 })).rejects.toMatchObject({ code: 'not_found' })
    const planned = { id: 2, name: 'a', movedDrafts: [1], movedFolders: [] }
    expect(await workspace.run(deleteFolder, { id: 2, moveTo: 1, dryRun: true })).toEqual({
      ...planned,
      deleted: false,
      planId: expect.any(String),
    })
    expect(await workspace.run(listFolders, {})).toHaveLength(2)
    expect(await workspace.run(deleteFolder, { id: 2, moveTo: 1 })).toEqual({ ...planned, deleted: true })
    expect(await workspace.run(getDraft, { id: 1 })).toMatchObject({ title: 'in a', folderId: 1 })
    expect(await workspace.run(listFolders, {})).toEqual([{ ...drafts, draftCount: 1 }])
  })

  it('moves its subfolders one level up, also if its drafts move to one of them', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(createFolder, { name: 'a' })
    await workspace.run(createFolder, { name: 'b', parentId: 2 })
    await workspace.run(createFolder, { name: 'c', parentId: 3 })
    await workspace.run(saveDraft, { folderId: 3 })
    expect(await workspace.run(deleteFolder, { id: 3, moveTo: 4 })).toMatchObject({
      movedFolders: [4],
      movedDrafts: [1],
    })
    expect(await workspace.run(listFolders, {})).toEqual([
      drafts,
      { id: 2, name: 'a', parentId: null, draftCount: 0 },
      { id: 4, name: 'c', parentId: 2, draftCount: 1 },
    ])
  })
})
