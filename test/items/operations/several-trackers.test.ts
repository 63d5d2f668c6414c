import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { createItem } from '../../../src/items/operations/create-item'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { listItems } from '../../../src/items/operations/list-items'
import { resolveReferences } from '../../../src/items/operations/resolve-references'
import { searchTracker } from '../../../src/items/operations/search-tracker'
import { openWithRepository } from './workspace-with-repository'

const FIRST = 1_000_000_001

describe('a workspace with several trackers', () => {
  it('imports from both, and never mixes items of the same number', async () => {
    const { run, idOf } = await openWithRepository()
    await run(importFeature, { featureId: 101 })
    const featureId = await idOf('code:works/harbor#101')
    expect(featureId).toBe(FIRST)
    const answer = await run(importFeature, { featureId })
    expect(answer.feature).toMatchObject({
      id: FIRST,
      title: 'Automate the crane',
      tracker: 'code',
      reference: 'code:works/harbor#101',
    })
    expect(answer.imported).toBe(3)
    expect(await run(getItem, { id: 101, cached: true })).toMatchObject({
      tracker: 'default',
      reference: '#101',
      title: 'Drivers check in at the gate without paper',
    })
    const items = await run(listItems, {})
    const child = items.find(({ title }: { title: string }) => title === 'Mount the sensor')
    const parent = items.find(({ title }: { title: string }) => title === 'Read the position of the crane')
    expect(child.parentId).toBe(parent.id)
    expect(parent.parentId).toBe(FIRST)
  })

  it('finds items by reference: by name, by kind, cached or not', async () => {
    const { run, idOf } = await openWithRepository()
    expect(await idOf('gh:works/harbor#102')).toBe(await idOf('code:works/harbor#102'))
    expect(await idOf('#204')).toBe(204)
    await expect(idOf('code:works/harbor#999')).resolves.toBeGreaterThan(FIRST)
    await expect(idOf('jira:ABC-7')).rejects.toMatchObject({ code: 'not_found' })
    await expect(run(resolveReferences, { references: ['two words'] })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('changes items of both in one call, and answers in the order of the call', async () => {
    const { run, idOf, repository } = await openWithRepository()
    const task = await idOf('code:works/harbor#103')
    await run(importSingle, { ids: [task, 343] })
    const answer = await run(batchUpdate, { itemIds: [task, 343], updates: { Title: 'Another title' } })
    expect(answer.results.map(({ id, status }: any) => [id, status])).toEqual([
      [task, 'applied'],
      [343, 'applied'],
    ])
    expect((await repository.tracker.getItem(103, new AbortController().signal)).title).toBe('Another title')
    expect(await run(getItem, { id: 343, cached: true })).toMatchObject({ title: 'Another title' })
  })

  it('reads the changes of both', async () => {
    const { run, idOf, repository, changeRemotely } = await openWithRepository()
    const task = await idOf('code:works/harbor#103')
    await run(importSingle, { ids: [task, 343] })
    repository.github.change(103, { title: 'Mount two sensors' })
    await changeRemotely(343, { 'System.Title': 'Changed at the tracker' })
    const answer = await run(syncItems, {})
    expect(answer).toMatchObject({ checked: 2, updated: 2, failed: 0 })
    expect(answer.changes.map(({ id }: any) => id)).toEqual([343, task])
  })

  it('reads the changes of one while the other is away, and reports the items of the other', async () => {
    const { run, idOf, changeRemotely, disconnect } = await openWithRepository()
    const task = await idOf('code:works/harbor#103')
    await run(importSingle, { ids: [task, 343] })
    await changeRemotely(343, { 'System.Title': 'Changed at the tracker' })
    disconnect()
    const answer = await run(syncItems, {})
    expect(answer).toMatchObject({ checked: 2, updated: 1, failed: 1, gone: 0 })
    expect(answer.missing).toEqual([
      { id: task, reference: 'code:works/harbor#103', reason: 'The tracker cannot be reached.' },
    ])
  })

  it('refuses a link between trackers, and a tracker that the settings do not name', async () => {
    const { run, idOf } = await openWithRepository()
    const task = await idOf('code:works/harbor#103')
    await expect(run(linkItem, { id: 343, predecessorIds: [task] })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('several trackers'),
    })
    await expect(run(searchTracker, { query: 'crane', tracker: 'other' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('creates an item in the tracker of its parent, or in the one that is named', async () => {
    const { run, idOf } = await openWithRepository()
    const story = await idOf('code:works/harbor#102')
    const below = await run(createItem, { type: 'Task', title: 'Buy cable', parentId: story })
    expect(below.id).toBeGreaterThan(FIRST)
    const inDefault = { type: 'Task', title: 'Buy ink', parentId: 204, dryRun: true }
    expect(await run(createItem, { ...inDefault, tracker: 'default' })).toMatchObject({ parentId: 204 })
    await expect(run(createItem, { ...inDefault, tracker: 'code' })).rejects.toMatchObject({ code: 'invalid' })
    const named = await run(createItem, { type: 'Task', title: 'Buy tape', tracker: 'code' })
    expect(await run(getItem, { id: named.id, cached: true })).toMatchObject({ tracker: 'code', title: 'Buy tape' })
  })
})
