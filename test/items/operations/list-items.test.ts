import { beforeEach, describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { execute, formatHint } from '../../../src/kernel'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

interface Item {
  id: number
  type: string
  state: string
  stateCategory: string
  storyPoints: number | null
  assignedTo: { displayName: string } | null
  iterationPath: string
  areaPath: string
  tags: string[]
  parentId: number | null
}

let workspace: TestWorkspace
let all: Item[]
let notices: string[]

async function list(input: object): Promise<Item[]> {
  notices = []
  const context = workspace.studio.context({
    actor: { kind: 'terminal', tenant: 'default' },
    notice: async (text) => notices.push(await formatHint(text, ({ operation }) => operation)),
  })
  return (await execute(listItems, input, context)) as Item[]
}

/** Lists with the filter, and compares with what the predicate selects of all items, which must be some of them. */
async function expectSelects(input: object, selects: (item: Item) => boolean): Promise<void> {
  const wanted = all.filter(selects)
  expect(wanted.length).toBeGreaterThan(0)
  expect(wanted.length).toBeLessThan(all.length)
  expect((await list(input)).map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
  expect(notices).toEqual([])
}

describe('the list of items', () => {
  beforeEach(async () => {
    workspace = await openTestWorkspace({ clock: { now: () => Date.parse('2026-11-18T12:00:00Z') } })
    await workspace.run(importFeature, { featureId: 101 })
    all = await list({})
  })

  it('has the items that pass each filter', async () => {
    await expectSelects({ state: 'active' }, ({ state }) => state === 'Active')
    await expectSelects({ state: 'New,Active' }, ({ state }) => ['New', 'Active'].includes(state))
    await expectSelects({ state: 'open' }, (item) =>
      ['Proposed', 'InProgress', 'Resolved'].includes(item.stateCategory),
    )
    await expectSelects({ state: ['done', 'New'] }, (item) => ['Closed', 'New'].includes(item.state))
    await expectSelects({ type: 'story' }, ({ type }) => type === 'User Story')
    await expectSelects({ type: 'bug,Task' }, ({ type }) => ['Bug', 'Task'].includes(type))
    await expectSelects({ iteration: '@current' }, (item) => item.iterationPath.endsWith('Sprint 24'))
    await expectSelects({ iteration: 'Sprint 22,Sprint 24' }, (item) => /Sprint 2[24]$/.test(item.iterationPath))
    await expectSelects({ assignedTo: 'tanak' }, (item) => item.assignedTo?.displayName === 'Mei Tanaka')
    await expectSelects({ parent: 204 }, ({ parentId }) => parentId === 204)
    await expectSelects({ parent: '204,205' }, ({ parentId }) => parentId === 204 || parentId === 205)
    await expectSelects({ tag: 'GATE' }, ({ tags }) => tags.includes('gate'))
  })

  it('has only items with all tags, and that pass all filters', async () => {
    const tagged = all.find(({ tags }) => tags.length > 1)!
    const both = await list({ tag: tagged.tags.slice(0, 2).join(',') })
    expect(both.map(({ id }) => id)).toContain(tagged.id)
    expect(both.every(({ tags }) => tags.includes(tagged.tags[0]!) && tags.includes(tagged.tags[1]!))).toBe(true)
    await expectSelects({ type: 'task', state: 'New', search: 'photos' }, ({ id }) => id === 353)
  })

  it('is sorted by several fields, absent values last', async () => {
    const sorted = await list({ type: 'story,bug', sort: 'state,-points' })
    expect(sorted.map(({ state, storyPoints }) => [state, storyPoints]).slice(0, 3)).toEqual([
      ['Active', 8],
      ['Active', 5],
      ['Active', 2],
    ])
    expect((await list({ sort: 'points' })).at(-1)!.storyPoints).toBeNull()
    await expect(list({ sort: 'state,nope' })).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'sort' }] })
  })

  it('suggests the nearest known value for one that no item has', async () => {
    expect(await list({ state: 'Activ' })).toEqual([])
    expect(notices).toEqual(['No cached work item has the state "Activ". Did you mean "Active"?'])
    expect(await list({ state: 'Activ,New' })).not.toEqual([])
    expect(notices).toHaveLength(1)
    await list({ assignedTo: 'Tanka' })
    expect(notices).toEqual([expect.stringContaining('Did you mean "Mei Tanaka"?')])
    await list({ state: 'Resolved' })
    expect(notices).toEqual([])
  })

  it('says so if no iteration is current', async () => {
    const later = await openTestWorkspace({ clock: { now: () => Date.parse('2027-06-01T12:00:00Z') } })
    await later.run(importFeature, { featureId: 101 })
    workspace = later
    expect(await list({ iteration: '@current' })).toEqual([])
    expect(notices).toEqual(['No iteration of the tracker includes today, 2027-06-01.'])
  })

  it('advises an import only where nothing is cached', async () => {
    workspace = await openTestWorkspace()
    expect(await list({})).toEqual([])
    expect(notices).toEqual(['No work items are cached. Import some: features.import'])
  })

  it('reads no more than the window of a page, with the length of the whole list', async () => {
    const windowed = async (input: object, from: number | null, count: number) => {
      const readWindow: typeof listItems.run = async (ctx, given) => {
        const found = await listItems.readWindow!(ctx, given, { from: from === null ? null : [from], count })
        expect(found.total).toBe((await list(input)).length)
        return found.entries
      }
      return workspace.run({ ...listItems, run: readWindow }, input)
    }
    expect(await windowed({}, null, 3)).toEqual(all.slice(0, 3))
    expect(await windowed({}, all[4]!.id, 2)).toEqual(all.slice(4, 6))
    expect(await windowed({}, all.at(-1)!.id + 1, 2)).toEqual([])
    const bugs = all.filter(({ type }) => type === 'Bug')
    expect(await windowed({ type: 'Bug' }, null, 1)).toEqual(bugs.slice(0, 1))
  })

  it('finds a value among thousands of alternatives, and takes hostile ones as text', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `x${i}`).join(',')
    expect(await list({ type: `${many},Bug` })).toHaveLength(2)
    for (const hostile of ['%', '_', `'); drop table work_item; --`, '"', '\\', '[]', '*'])
      expect(
        await list({ tag: hostile, area: hostile, iteration: hostile, assignedTo: hostile, type: hostile }),
      ).toEqual([])
    expect(await list({})).toHaveLength(all.length)
  })
})
