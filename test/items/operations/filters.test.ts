import { describe, expect, it } from 'vitest'
import { clearWorkingFilter } from '../../../src/items/operations/clear-working-filter'
import { deleteFilter } from '../../../src/items/operations/delete-filter'
import { getWorkingFilter } from '../../../src/items/operations/get-working-filter'
import { importFeature } from '../../../src/items/operations/import-feature'
import { listFilters } from '../../../src/items/operations/list-filters'
import { listItems } from '../../../src/items/operations/list-items'
import { saveFilter } from '../../../src/items/operations/save-filter'
import { setWorkingFilter } from '../../../src/items/operations/set-working-filter'
import { openDesk } from './desk'

const none = { state: null, assignedTo: null, search: null }

async function deskWithItems(user?: string) {
  const desk = await openDesk({ env: user === undefined ? {} : { STUDIO_USER: user } })
  await desk.run(importFeature, { featureId: 101 })
  const items = (await desk.run(listItems, {})) as {
    id: number
    state: string
    assignedTo: { displayName: string } | null
  }[]
  const [someone = ''] = items.flatMap(({ assignedTo }) => assignedTo?.displayName ?? [])
  return { desk, items, someone }
}

describe('saved filters', () => {
  it('are saved by name, and listed', async () => {
    const desk = await openDesk()
    const saved = await desk.run(saveFilter, { name: 'Open', criteria: { state: 'Active', assignedTo: '@me' } })
    expect(saved).toEqual({
      id: 1,
      name: 'Open',
      criteria: { state: 'Active', assignedTo: '@me', search: null },
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await desk.run(listFilters, {})).toEqual([saved])
    await expect(desk.run(saveFilter, { name: 'OPEN', criteria: { state: 'New' } })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('without criteria copy the working filter, which must exist', async () => {
    const desk = await openDesk()
    await expect(desk.run(saveFilter, { name: 'a' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(desk.run(saveFilter, { name: 'a', criteria: {} })).rejects.toMatchObject({ code: 'invalid' })
    await desk.run(setWorkingFilter, { criteria: { search: 'dock' } })
    expect(await desk.run(saveFilter, { name: 'a' })).toMatchObject({ criteria: { ...none, search: 'dock' } })
  })

  it('are deleted by ID, after a dry run', async () => {
    const desk = await openDesk()
    await desk.run(saveFilter, { name: 'a', criteria: { state: 'New' } })
    expect(await desk.run(deleteFilter, { id: 1, dryRun: true })).toEqual({ id: 1, name: 'a', deleted: false })
    expect(await desk.run(deleteFilter, { id: 1 })).toEqual({ id: 1, name: 'a', deleted: true })
    expect(await desk.run(listFilters, {})).toEqual([])
    await expect(desk.run(deleteFilter, { id: 1 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the working filter', () => {
  it('is empty until it is set, and counts the items that pass it', async () => {
    const { desk, items } = await deskWithItems()
    expect(await desk.run(getWorkingFilter, {})).toEqual({ criteria: none, itemCount: items.length, updatedAt: null })
    const state = items[0]!.state
    const kept = await desk.run(setWorkingFilter, { criteria: { state } })
    expect(kept).toEqual({
      criteria: { ...none, state },
      itemCount: items.filter((item) => item.state === state).length,
      updatedAt: expect.any(String),
    })
    expect(await desk.run(getWorkingFilter, {})).toEqual(kept)
    expect(await desk.run(clearWorkingFilter, {})).toMatchObject({ criteria: none, updatedAt: null })
  })

  it('replaces the previous one entirely, and can start from a saved one', async () => {
    const { desk } = await deskWithItems()
    await desk.run(saveFilter, { name: 'mine', criteria: { state: 'Active', search: 'door' } })
    await desk.run(setWorkingFilter, { criteria: { assignedTo: 'Nobody' } })
    const { criteria } = await desk.run(setWorkingFilter, { saved: 'mine', criteria: { search: 'gate' } })
    expect(criteria).toEqual({ state: 'Active', assignedTo: null, search: 'gate' })
    await expect(desk.run(setWorkingFilter, { saved: 'theirs' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(desk.run(setWorkingFilter, {})).rejects.toMatchObject({ code: 'invalid' })
  })

  it('resolves @me only if a user is configured', async () => {
    const { desk, someone } = await deskWithItems()
    const mine = { criteria: { assignedTo: '@me' } }
    await expect(desk.run(setWorkingFilter, mine)).rejects.toMatchObject({ details: [{ path: 'assignedTo' }] })
    const { desk: hers, items } = await deskWithItems(someone)
    const count = items.filter(({ assignedTo }) => assignedTo?.displayName === someone).length
    expect(count).toBeGreaterThan(0)
    expect(await hers.run(setWorkingFilter, mine)).toMatchObject({ itemCount: count })
  })
})

describe('the list of items', () => {
  it('applies a saved or the working filter, whose criteria other criteria override', async () => {
    const { desk, items } = await deskWithItems()
    const states = [...new Set(items.map(({ state }) => state))] as [string, string]
    expect(states.length).toBeGreaterThan(1)
    const idsOf = (wanted: string) => items.filter(({ state }) => state === wanted).map(({ id }) => id)
    const listed = async (input: object) => (await desk.run(listItems, input)).map(({ id }: { id: number }) => id)
    await desk.run(saveFilter, { name: 'First', criteria: { state: states[0] } })
    await desk.run(setWorkingFilter, { criteria: { state: states[1] } })
    expect(await listed({ filter: '1' })).toEqual(idsOf(states[0]))
    expect(await listed({ filter: 'first' })).toEqual(idsOf(states[0]))
    expect(await listed({ filter: 'working' })).toEqual(idsOf(states[1]))
    expect(await listed({ filter: 'working', state: states[0] })).toEqual(idsOf(states[0]))
    expect(await listed({})).toHaveLength(items.length)
    await desk.run(clearWorkingFilter, {})
    expect(await listed({ filter: 'working' })).toHaveLength(items.length)
    await expect(listed({ filter: 'other' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
