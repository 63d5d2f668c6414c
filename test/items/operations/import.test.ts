import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { listItems } from '../../../src/items/operations/list-items'
import { suggest } from '../../../src/kernel'
import { addRetryAfter, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

describe('importing a feature', () => {
  it('imports the whole tree and counts the feature', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(importFeature, { featureId: 101 })
    expect(answer).toMatchObject({
      feature: { id: 101, type: 'Feature' },
      imported: 30,
      updated: 0,
      unchanged: 0,
      skipped: [],
    })
    expect(await workspace.run(listItems, {})).toHaveLength(30)
  })

  it('writes nothing the second time, and only changes the third time', async () => {
    const workspace = await openTestWorkspace()
    const first = await workspace.run(importFeature, { featureId: 101 })
    expect(await workspace.run(importFeature, { featureId: 101 })).toMatchObject({
      imported: 0,
      updated: 0,
      unchanged: first.imported,
    })
    await workspace.changeRemotely(343, { 'System.Title': 'Texts in three languages' })
    expect(await workspace.run(importFeature, { featureId: 101 })).toMatchObject({
      updated: 1,
      unchanged: first.imported - 1,
    })
    expect(await workspace.run(getItem, { id: 343, cached: true })).toMatchObject({
      title: 'Texts in three languages',
      stale: true,
    })
  })

  it('finds blockers, also if the predecessor is in another feature', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFeature, { featureId: 101 })
    const { blocked } = await workspace.run(getItem, { id: 205, cached: true })
    expect(blocked.map(({ by, itemId }: any) => [by, itemId])).toEqual([
      ['field', null],
      ['predecessor', 215],
    ])
  })

  it('saves nothing if the feature does not exist', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(importFeature, { featureId: 99999 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await workspace.run(listItems, {})).toEqual([])
  })

  it('saves nothing if the tracker fails in the middle', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 201 })
    await workspace.sandbox.close()
    await expect(workspace.run(importFeature, { featureId: 101 })).rejects.toMatchObject({
      code: 'tracker_unavailable',
    })
    expect(await workspace.run(listItems, {})).toHaveLength(1)
  })
})

describe('importing single items', () => {
  it('returns the imported items and those that failed', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(importSingle, { ids: [204, 99999, 204], id: 501 })
    expect(answer.imported.map((item: any) => item.id)).toEqual([204, 501])
    expect(answer.failed).toMatchObject([{ id: 99999, reason: expect.any(String) }])
  })

  it('requires an ID', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(importSingle, {})).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('getting an item', () => {
  it('saves a snapshot, which is returned on request', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(getItem, { id: 204, cached: true })).rejects.toMatchObject({ code: 'not_found' })
    const fresh = await workspace.run(getItem, { id: 204 })
    expect(fresh).toMatchObject({ id: 204, stale: false, localRev: fresh.rev, remoteRev: fresh.rev })
    expect(await workspace.run(getItem, { id: 204, cached: true })).toEqual({
      ...fresh,
      stale: true,
      attachments: null,
    })
  })

  it('adds the fields as the tracker returned them on request', async () => {
    const workspace = await openTestWorkspace()
    const { fields } = await workspace.run(getItem, { id: 204, raw: true })
    expect(fields).toMatchObject({ 'System.WorkItemType': 'User Story' })
  })

  it('suggests the snapshot if the tracker cannot be reached', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(getItem, { id: 204 })
    await workspace.sandbox.close()
    await expect(workspace.run(getItem, { id: 204 })).rejects.toMatchObject({
      code: 'tracker_unavailable',
      hint: expect.arrayContaining([suggest('items.get', { id: 204, cached: true })]),
    })
  })
})

describe('a tracker that throttles requests', () => {
  it('is reported together with the snapshot', async () => {
    let isDown = false
    const workspace = await openTestWorkspace({
      faults: () => (isDown ? { ...respondUnavailable(), ...addRetryAfter(3_600) } : null),
    })
    await workspace.run(getItem, { id: 204 })
    isDown = true
    await expect(workspace.run(getItem, { id: 204 })).rejects.toMatchObject({
      code: 'tracker_unavailable',
      hint: expect.arrayContaining([suggest('items.get', { id: 204, cached: true })]),
      retryAfterSeconds: 3_600,
    })
  })
})

describe('listing items', () => {
  it('resolves @me if a user is configured', async () => {
    const workspace = await openTestWorkspace({ env: { STUDIO_USER: 'Priya Nair' } })
    await workspace.run(importFeature, { featureId: 101 })
    const mine = await workspace.run(listItems, { assignedTo: '@me', state: 'Active' })
    expect(mine.length).toBeGreaterThan(0)
    for (const item of mine) expect(item.assignedTo.displayName).toBe('Priya Nair')
    const anonymous = await openTestWorkspace()
    await expect(anonymous.run(listItems, { assignedTo: '@me' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
