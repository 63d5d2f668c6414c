import { describe, expect, it } from 'vitest'
import { clearWorkingFilter } from '../../../src/items/operations/filters/clear-working-filter'
import { deleteFilter } from '../../../src/items/operations/filters/delete-filter'
import { deleteView } from '../../../src/items/operations/filters/delete-view'
import { getView } from '../../../src/items/operations/filters/get-view'
import { getWorkingFilter } from '../../../src/items/operations/filters/get-working-filter'
import { listFilters } from '../../../src/items/operations/filters/list-filters'
import { listViews } from '../../../src/items/operations/filters/list-views'
import { saveFilter } from '../../../src/items/operations/filters/save-filter'
import { saveView } from '../../../src/items/operations/filters/save-view'
import { setWorkingFilter } from '../../../src/items/operations/filters/set-working-filter'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { openTestWorkspace } from '../test-workspace'

const none = {
  state: null,
  assignedTo: null,
  search: null,
  type: null,
  area: null,
  iteration: null,
  tag: null,
  parent: null,
}

async function openWorkspaceWithItems(user?: string) {
  const workspace = await openTestWorkspace({ env: user === undefined ? {} : { STUDIO_USER: user } })
  await workspace.run(importFeature, { featureId: 101 })
  const items = (await workspace.run(listItems, {})) as {
    id: number
    type: string
    state: string
    assignedTo: { displayName: string } | null
  }[]
  const [someone = ''] = items.flatMap(({ assignedTo }) => assignedTo?.displayName ?? [])
  return { workspace, items, someone }
}

describe('saved filters', () => {
  it('are saved by name, and listed', async () => {
    const workspace = await openTestWorkspace()
    const saved = await workspace.run(saveFilter, { name: 'Open', criteria: { state: 'Active', assignedTo: '@me' } })
    expect(saved).toEqual({
      id: 1,
      name: 'Open',
      criteria: { ...none, state: 'Active', assignedTo: '@me' },
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await workspace.run(listFilters, {})).toEqual([saved])
    await expect(workspace.run(saveFilter, { name: 'OPEN', criteria: { state: 'New' } })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('without criteria copy the working filter, which must exist', async () => {
    const workspace = await openTestWorkspace()
    await expect(workspace.run(saveFilter, { name: 'a' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(workspace.run(saveFilter, { name: 'a', criteria: {} })).rejects.toMatchObject({ code: 'invalid' })
    await workspace.run(setWorkingFilter, { criteria: { search: 'dock' } })
    expect(await workspace.run(saveFilter, { name: 'a' })).toMatchObject({ criteria: { ...none, search: 'dock' } })
  })

  it('are deleted by ID, after a dry run', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveFilter, { name: 'a', criteria: { state: 'New' } })
    expect(await workspace.run(deleteFilter, { id: 1, dryRun: true })).toMatchObject({ id: 1, deleted: false })
    expect(await workspace.run(deleteFilter, { id: 1 })).toEqual({ id: 1, name: 'a', deleted: true })
    expect(await workspace.run(listFilters, {})).toEqual([])
    await expect(workspace.run(deleteFilter, { id: 1 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the working filter', () => {
  it('is empty until it is set, and counts the items that pass it', async () => {
    const { workspace, items } = await openWorkspaceWithItems()
    expect(await workspace.run(getWorkingFilter, {})).toEqual({
      criteria: none,
      itemCount: items.length,
      updatedAt: null,
    })
    const state = items[0]!.state
    const stored = await workspace.run(setWorkingFilter, { criteria: { state } })
    expect(stored).toEqual({
      criteria: { ...none, state },
      itemCount: items.filter((item) => item.state === state).length,
      updatedAt: expect.any(String),
    })
    expect(await workspace.run(getWorkingFilter, {})).toEqual(stored)
    expect(await workspace.run(clearWorkingFilter, {})).toMatchObject({ criteria: none, updatedAt: null })
  })

  it('replaces the previous one entirely, and can start from a saved one', async () => {
    const { workspace } = await openWorkspaceWithItems()
    await workspace.run(saveFilter, { name: 'mine', criteria: { state: 'Active', search: 'door' } })
    await workspace.run(setWorkingFilter, { criteria: { assignedTo: 'Nobody' } })
    const { criteria } = await workspace.run(setWorkingFilter, { saved: 'mine', criteria: { search: 'gate' } })
    expect(criteria).toEqual({ ...none, state: 'Active', search: 'gate' })
    await expect(workspace.run(setWorkingFilter, { saved: 'theirs' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(workspace.run(setWorkingFilter, {})).rejects.toMatchObject({ code: 'invalid' })
  })

  it('resolves @me only if a user is configured', async () => {
    const { workspace, someone } = await openWorkspaceWithItems()
    const mine = { criteria: { assignedTo: '@me' } }
    await expect(workspace.run(setWorkingFilter, mine)).rejects.toMatchObject({ details: [{ path: 'assignedTo' }] })
    const { workspace: hers, items } = await openWorkspaceWithItems(someone)
    const count = items.filter(({ assignedTo }) => assignedTo?.displayName === someone).length
    expect(count).toBeGreaterThan(0)
    expect(await hers.run(setWorkingFilter, mine)).toMatchObject({ itemCount: count })
  })
})

describe('the list of items', () => {
  it('applies a saved or the working filter, whose criteria other criteria override', async () => {
    const { workspace, items } = await openWorkspaceWithItems()
    const states = [...new Set(items.map(({ state }) => state))] as [string, string]
    expect(states.length).toBeGreaterThan(1)
    const idsOf = (wanted: string) => items.filter(({ state }) => state === wanted).map(({ id }) => id)
    const listed = async (input: object) => (await workspace.run(listItems, input)).map(({ id }: { id: number }) => id)
    await workspace.run(saveFilter, { name: 'First', criteria: { state: states[0] } })
    await workspace.run(setWorkingFilter, { criteria: { state: states[1] } })
    expect(await listed({ filter: '1' })).toEqual(idsOf(states[0]))
    expect(await listed({ filter: 'first' })).toEqual(idsOf(states[0]))
    expect(await listed({ filter: 'working' })).toEqual(idsOf(states[1]))
    expect(await listed({ filter: 'working', state: states[0] })).toEqual(idsOf(states[0]))
    expect(await listed({})).toHaveLength(items.length)
    await workspace.run(clearWorkingFilter, {})
    expect(await listed({ filter: 'working' })).toHaveLength(items.length)
    await expect(listed({ filter: 'other' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('saved views', () => {
  it('have a filter, columns and an order, are listed, and are found by name or ID', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveFilter, { name: 'mine', criteria: { state: 'Active', assignedTo: 'Mei' } })
    const saved = await workspace.run(saveView, {
      name: 'Sprint',
      filter: 'mine',
      criteria: { state: 'open', iteration: '@current' },
      columns: 'id, points,Title',
      sort: 'state,-changed',
    })
    expect(saved).toEqual({
      id: 2,
      name: 'Sprint',
      criteria: { ...none, state: 'open', assignedTo: 'Mei', iteration: '@current' },
      columns: ['id', 'storyPoints', 'title'],
      sort: 'state,-changed',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await workspace.run(listViews, {})).toEqual([saved])
    expect(await workspace.run(getView, { view: 'sprint' })).toEqual(saved)
    expect(await workspace.run(getView, { view: '2' })).toEqual(saved)
    expect(await workspace.run(listFilters, {})).toMatchObject([{ id: 1, name: 'mine' }])
  })

  it('share their names with filters, and can be used as filters', async () => {
    const { workspace, items } = await openWorkspaceWithItems()
    await workspace.run(saveView, { name: 'Bugs', criteria: { type: 'bug' } })
    const bugs = items.filter(({ type }) => type === 'Bug').map(({ id }) => id)
    const listed = await workspace.run(listItems, { filter: 'bugs' })
    expect(listed.map(({ id }: { id: number }) => id)).toEqual(bugs)
    for (const save of [saveFilter, saveView])
      await expect(workspace.run(save, { name: 'BUGS', criteria: { state: 'New' } })).rejects.toMatchObject({
        code: 'conflict',
      })
  })

  it('are deleted after a dry run, and only as views', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(saveView, { name: 'all' })
    await expect(workspace.run(deleteFilter, { id: 1 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await workspace.run(deleteView, { view: 'all', dryRun: true })).toMatchObject({ id: 1, deleted: false })
    expect(await workspace.run(deleteView, { view: 'all' })).toEqual({ id: 1, name: 'all', deleted: true })
    await expect(workspace.run(getView, { view: 'all' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('refuse columns, orders and criteria that no list understands', async () => {
    const workspace = await openTestWorkspace()
    for (const [field, value] of [
      ['columns', ['id', 'nope']],
      ['columns', []],
      ['sort', '-nope'],
      ['criteria', { parent: 'x' }],
    ] as const) {
      const refused = workspace.run(saveView, { name: 'v', [field]: value })
      await expect(refused).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})
