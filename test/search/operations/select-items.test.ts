import { beforeEach, describe, expect, it } from 'vitest'
import { saveView } from '../../../src/items/operations/filters/save-view'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { selectItems } from '../../../src/search/operations/select-items'
import { bigTree } from '../../bench/workspace-tree'
import { openTestWorkspace, type TestWorkspace } from '../../items/test-workspace'

describe('selecting items for an update', () => {
  let workspace: TestWorkspace
  /** In the last iteration of the sample backlog. */
  const clock = { now: () => Date.UTC(2026, 10, 18, 12) }
  beforeEach(async () => {
    workspace = await openTestWorkspace({ clock })
    await workspace.run(importFeature, { featureId: 101 })
  })
  const idsOf = async (input: object) => (await workspace.run(listItems, input)).map(({ id }: { id: number }) => id)

  it('returns all items that a query or a saved view finds, by ID', async () => {
    const wanted = await idsOf({ state: 'New', type: 'task' })
    expect(wanted.length).toBeGreaterThan(1)
    const query = 'state:New type:task'
    expect(await workspace.run(selectItems, { query })).toEqual({ itemIds: wanted, hints: [] })
    await workspace.run(saveView, { name: 'new tasks', criteria: { state: 'New', type: 'task' } })
    expect(await workspace.run(selectItems, { filter: 'new tasks' })).toEqual({ itemIds: wanted, hints: [] })
  })

  it('finds the items of the iteration of today', async () => {
    const itemIds = await idsOf({ iteration: '@current', state: 'open' })
    expect(itemIds.length).toBeGreaterThan(1)
    expect(await workspace.run(selectItems, { query: 'iteration:@Current is:open' })).toEqual({ itemIds, hints: [] })
    const inSprint = new Set(await idsOf({ iteration: '@current' }))
    const others = await workspace.run(selectItems, { query: '-sprint:@current type:task' })
    expect(others.itemIds).toEqual((await idsOf({ type: 'task' })).filter((id: number) => !inSprint.has(id)))
  })

  it('suggests a value where nothing is found', async () => {
    const { itemIds, hints } = await workspace.run(selectItems, { query: 'state:Newt' })
    expect(itemIds).toEqual([])
    expect(hints).toEqual([expect.stringContaining('state:New')])
  })

  it.each([[{}], [{ query: 'a', filter: 'b' }], [{ query: ' ' }]])('refuses %j', async (input) => {
    await expect(workspace.run(selectItems, input)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('refuses more items than one update takes, and never leaves some out', async () => {
    workspace = await openTestWorkspace({ seed: bigTree(1_002) })
    await workspace.run(importFeature, { featureId: 1 })
    await workspace.run(saveView, { name: 'all' })
    for (const input of [{ query: 'type:task type:story type:feature' }, { filter: 'all' }])
      await expect(workspace.run(selectItems, input)).rejects.toMatchObject({
        code: 'invalid',
        message: '1002 work items were found. One update takes at most 1000.',
      })
    const { itemIds } = await workspace.run(selectItems, { query: 'type:task' })
    expect(itemIds).toEqual(await idsOf({ type: 'task' }))
    expect(itemIds.length).toBeGreaterThan(800)
  })
})
