import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { suggest } from '../../../src/kernel'
import { type Fault, refuseWith } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

const cached = (id: number) => ({ id, cached: true })

async function importedDesk(options: Parameters<typeof openTestWorkspace>[0] = {}) {
  const workspace = await openTestWorkspace(options)
  await workspace.run(importFeature, { featureId: 101 })
  workspace.asked()
  return workspace
}

/** A tracker that does not return an item: queries and pages omit it. */
const without =
  (id: number): NonNullable<Fault['editResponse']> =>
  (answer) => {
    const json = JSON.parse(answer.body)
    for (const list of ['value', 'workItems'] as const) {
      if (Array.isArray(json[list])) json[list] = json[list].filter((item: { id?: number }) => item.id !== id)
    }
    return { ...answer, body: JSON.stringify(json) }
  }

describe('syncItems', () => {
  it('reads no item if nothing has changed', async () => {
    const workspace = await importedDesk()
    const answer = await workspace.run(syncItems, {})
    expect(answer).toMatchObject({
      checked: 30,
      updated: 0,
      unchanged: 30,
      gone: 0,
      failed: 0,
      changes: [],
      missing: [],
    })
    expect(workspace.asked().filter((one) => one.includes('workitemsbatch'))).toEqual([])
  })

  it('saves changed items once, and reports the changes', async () => {
    const workspace = await importedDesk()
    await workspace.run(syncItems, {})
    await workspace.changeRemotely(343, {
      'System.Title': 'Texts in three languages',
      'Microsoft.VSTS.Common.Priority': 1,
    })
    const before = await workspace.run(getItem, cached(343))
    expect(await workspace.run(syncItems, {})).toMatchObject({
      checked: 30,
      updated: 1,
      unchanged: 29,
      changes: [
        {
          id: 343,
          fromRev: before.rev,
          toRev: before.rev + 1,
          fields: ['Microsoft.VSTS.Common.Priority', 'System.Title'],
        },
      ],
    })
    expect(await workspace.run(getItem, cached(343))).toMatchObject({ title: 'Texts in three languages', priority: 1 })
    expect(await workspace.run(syncItems, {})).toMatchObject({ updated: 0, unchanged: 30 })
  })

  it('finds a change of links, which makes no new revision', async () => {
    const workspace = await importedDesk()
    await workspace.run(syncItems, {})
    await workspace.linkRemotely(202, 'System.LinkTypes.Dependency-Reverse', 204)
    const { changes } = await workspace.run(syncItems, {})
    expect(changes.map(({ id }: any) => id)).toEqual([202, 204])
    for (const change of changes) expect(change.fields).toContain('relations')
    expect((await workspace.run(getItem, cached(204))).rev).toBe(changes[1].toRev)
  })

  it('retains the snapshot of an item that is gone, and reports it each time', async () => {
    const workspace = await importedDesk()
    await workspace.removeRemotely(344)
    // Those at the other ends of its links have changed.
    expect(await workspace.run(syncItems, {})).toMatchObject({
      checked: 30,
      gone: 1,
      updated: 2,
      unchanged: 27,
      missing: [{ id: 344 }],
    })
    expect(await workspace.run(syncItems, {})).toMatchObject({ gone: 1, missing: [{ id: 344 }] })
    const stored = await workspace.run(getItem, cached(344))
    expect(stored).toMatchObject({ id: 344, goneSince: expect.stringMatching(/Z$/) })
    expect((await workspace.run(listItemHistory, { id: 344 })).goneSince).toBe(stored.goneSince)
    await expect(workspace.run(getItem, { id: 344 })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.arrayContaining([suggest('items.get', { id: 344, cached: true })]),
    })
  })

  it('finds an item that the token can no longer read, which no feed lists', async () => {
    let isHidden = false
    const workspace = await importedDesk({ faults: () => (isHidden ? { editResponse: without(344) } : null) })
    expect(await workspace.run(syncItems, {})).toMatchObject({ gone: 0, accessChecked: true })
    isHidden = true
    expect(await workspace.run(syncItems, {})).toMatchObject({
      checked: 30,
      gone: 1,
      unchanged: 29,
      missing: [{ id: 344 }],
    })
    expect(await workspace.run(getItem, cached(344))).toMatchObject({ goneSince: expect.stringMatching(/Z$/) })
    isHidden = false
    expect(await workspace.run(syncItems, {})).toMatchObject({ gone: 0, unchanged: 30, missing: [] })
    expect(await workspace.run(getItem, cached(344))).toMatchObject({ goneSince: null })
  })

  it('reports that access was not checked if the tracker refuses the query', async () => {
    let fault: Fault | null = null
    const workspace = await importedDesk({ faults: ({ path }) => (path.includes('wiql') ? fault : null) })
    fault = refuseWith(403, 'AccessDeniedException', 'TF50309: not for you.')
    expect(await workspace.run(syncItems, {})).toMatchObject({ gone: 0, unchanged: 30, accessChecked: false })
    expect(await workspace.run(syncItems, { full: true })).toMatchObject({ accessChecked: true })
  })

  it('reads only the named items, and reports those that are not cached', async () => {
    const workspace = await importedDesk()
    await workspace.changeRemotely(343, { 'System.Title': 'One' })
    await workspace.changeRemotely(344, { 'System.Title': 'Two' })
    const answer = await workspace.run(syncItems, { itemIds: [343, 9_999] })
    expect(answer).toMatchObject({ checked: 2, updated: 1, unchanged: 0, gone: 0, failed: 1, missing: [{ id: 9_999 }] })
    expect(syncItems.isPartial!(answer)).toBe(true)
    expect(workspace.asked().filter((one) => one.includes('reporting'))).toEqual([])
    expect(await workspace.run(syncItems, {})).toMatchObject({ updated: 1, changes: [{ id: 344 }] })
  })

  it('reads nothing for an empty list', async () => {
    const workspace = await importedDesk()
    expect(await workspace.run(syncItems, { itemIds: [] })).toMatchObject({ checked: 0, unchanged: 0, changes: [] })
    expect(workspace.asked()).toEqual([])
  })

  it('finds items that changed while an import was running', async () => {
    let now = Date.now()
    let isHeld = false
    let release = () => {}
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    const workspace = await openTestWorkspace({
      clock: { now: () => now++ },
      faults: ({ path, body }) =>
        !isHeld && path.includes('workitemsbatch') && body.includes('343')
          ? {
              editResponse(answer) {
                isHeld = true
                return answer
              },
              hold: () => until,
            }
          : null,
    })
    await workspace.run(importSingle, { ids: [201] })
    const importing = workspace.run(importSingle, { ids: [343] })
    await expect.poll(() => isHeld).toBe(true)
    await workspace.changeRemotely(343, { 'System.Title': 'Another title' })
    expect(await workspace.run(syncItems, {})).toMatchObject({ checked: 1 })
    release()
    await importing
    expect(await workspace.run(getItem, cached(343))).not.toMatchObject({ title: 'Another title' })
    expect(await workspace.run(syncItems, {})).toMatchObject({ checked: 2, updated: 1, changes: [{ id: 343 }] })
  })

  it('refreshes the state of a predecessor that is not cached', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { ids: [206] })
    const waitsFor = async () => (await workspace.run(getItem, cached(206))).blocked.map(({ itemId }: any) => itemId)
    expect(await waitsFor()).toEqual([204])
    await workspace.changeRemotely(204, { 'System.State': 'Closed' })
    expect(await workspace.run(syncItems, {})).toMatchObject({ checked: 1, updated: 0 })
    expect(await waitsFor()).toEqual([])
  })

  it('updates the age of unchanged items', async () => {
    const workspace = await importedDesk()
    const before = await workspace.run(getItem, cached(343))
    await workspace.run(syncItems, {})
    expect((await workspace.run(getItem, cached(343))).fetchedAt >= before.fetchedAt).toBe(true)
  })

  it('checks nothing if nothing is cached', async () => {
    const workspace = await openTestWorkspace()
    expect(await workspace.run(syncItems, {})).toMatchObject({ checked: 0, updated: 0, unchanged: 0 })
    expect(workspace.asked()).toEqual([])
  })
})

describe('a change without a new revision', () => {
  it('such as a renamed area is found by a full sync or by reading the item', async () => {
    const renamed = (answer: any) => ({
      ...answer,
      body: answer.body.replaceAll('Harbor\\\\Yard', 'Harbor\\\\Gates'),
    })
    let isRenamed = false
    const workspace = await importedDesk({ faults: () => (isRenamed ? { editResponse: renamed } : null) })
    const before = await workspace.run(getItem, cached(204))
    expect(before.areaPath).toBe('Harbor\\Yard')
    isRenamed = true
    expect(await workspace.run(syncItems, { full: true })).toMatchObject({ updated: 0, unchanged: 30, changes: [] })
    expect(await workspace.run(getItem, cached(204))).toMatchObject({ rev: before.rev, areaPath: 'Harbor\\Gates' })
    expect((await workspace.run(listItemHistory, { id: 204 })).snapshots).toHaveLength(1)
    isRenamed = false
    expect(await workspace.run(getItem, { id: 204 })).toMatchObject({ rev: before.rev, areaPath: 'Harbor\\Yard' })
  })
})

describe('syncItems without a feed of changes', () => {
  const noFeed = refuseWith(403, 'AccessDeniedException', 'TF50309: not for you.')

  it('reads the items in batches', async () => {
    const workspace = await importedDesk({ faults: [{ path: /reporting/, fault: noFeed }] })
    await workspace.changeRemotely(343, { 'System.Title': 'Another title' })
    await workspace.removeRemotely(344)
    expect(await workspace.run(syncItems, {})).toMatchObject({ checked: 30, updated: 2, unchanged: 27, gone: 1 })
    expect(workspace.asked().filter((one) => one.includes('workitemsbatch')).length).toBeGreaterThan(0)
  })

  it('also does so in a full sync', async () => {
    const workspace = await importedDesk()
    expect(await workspace.run(syncItems, { full: true })).toMatchObject({ checked: 30, unchanged: 30 })
    expect(workspace.asked().filter((one) => one.includes('workitemsbatch')).length).toBeGreaterThan(0)
  })
})
