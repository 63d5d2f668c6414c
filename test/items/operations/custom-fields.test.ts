import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createItem } from '../../../src/items/operations/create-item'
import { describeTracker } from '../../../src/items/operations/describe-tracker'
import { getView } from '../../../src/items/operations/filters/get-view'
import { saveView } from '../../../src/items/operations/filters/save-view'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { createItemOrder } from '../../../src/items/rules/item-columns'
import { searchWorkspace } from '../../../src/search/operations/search-workspace'
import { selectItems } from '../../../src/search/operations/select-items'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

let workspace: TestWorkspace

beforeEach(async () => {
  workspace = await openTestWorkspace()
  await workspace.changeRemotely(204, { 'Microsoft.VSTS.Common.Risk': '1 - High' })
  await workspace.changeRemotely(205, { 'Microsoft.VSTS.Common.Risk': '3 - Low' })
  await workspace.run(importFeature, { featureId: 101 })
  workspace.asked()
})

const find = async (q: string): Promise<number[]> =>
  (await workspace.run(searchWorkspace, { q, limit: 200 })).results.map(({ id }: { id: number }) => id).sort()

describe('fields of the tracker by their display names', () => {
  it('are shown with an item, without a request', async () => {
    const { customFields } = await workspace.run(getItem, { id: 204, cached: true })
    expect(customFields).toMatchObject({ Risk: '1 - High', 'Value Area': 'Business' })
    // Not what only the tracker sets, the properties of every item, and long texts.
    for (const name of ['Created By', 'Title', 'State', 'Description']) expect(customFields).not.toHaveProperty(name)
    expect(workspace.asked()).toEqual([])
  })

  it('are added to a list, also those that the tracker sets, for every item', async () => {
    const items = await workspace.run(listItems, { customFields: 'risk, Created By' })
    const of = (wanted: number) => items.find(({ id }: { id: number }) => id === wanted).customFields
    expect(of(204)).toEqual({ Risk: '1 - High', 'Created By': expect.stringMatching(/\w+ \w+/) })
    expect(of(101)).toMatchObject({ Risk: null })
    expect(workspace.asked()).toEqual([])
    const [without] = await workspace.run(listItems, {})
    expect(without).not.toHaveProperty('customFields')
  })

  it('name what may be meant by an unknown one', async () => {
    const details = [{ path: 'customFields', message: expect.stringContaining('did you mean "Risk"?') }]
    await expect(workspace.run(listItems, { customFields: 'Rsik' })).rejects.toMatchObject({ code: 'invalid', details })
  })

  it('are columns of views', async () => {
    await workspace.run(saveView, { name: 'risks', columns: ['id', 'value-area', 'RISK', 'points'] })
    expect((await workspace.run(getView, { view: 'risks' })).columns).toEqual([
      'id',
      'Value Area',
      'Risk',
      'storyPoints',
    ])
    const details = [{ path: 'columns', message: expect.stringContaining('"Nope" is not a field of the tracker') }]
    await expect(workspace.run(saveView, { name: 'x', columns: 'id,Nope' })).rejects.toMatchObject({ details })
  })

  it('are set when an item is created', async () => {
    const updates = { Risk: '2 - medium' }
    const { id } = await workspace.run(createItem, { type: 'User Story', title: 'x', parentId: 101, updates })
    expect(await workspace.run(getItem, { id })).toMatchObject({ customFields: { Risk: '2 - Medium' } })
  })

  it('are listed with their kinds and the values that they may have', async () => {
    const { fields, allowedValues } = await workspace.run(describeTracker, { type: 'user story', field: 'risk' })
    expect(allowedValues).toEqual(['1 - High', '2 - Medium', '3 - Low'])
    expect(fields).toContainEqual({
      name: 'Risk',
      referenceName: 'Microsoft.VSTS.Common.Risk',
      kind: 'string',
      readOnly: false,
    })
    await expect(workspace.run(describeTracker, { type: 'Stroy', field: 'Rsik' })).rejects.toMatchObject({
      details: [{ path: 'type' }, { path: 'field' }],
    })
    await expect(workspace.run(describeTracker, { type: 'Bug' })).rejects.toMatchObject({
      details: [{ path: 'field' }],
    })
  })
})

describe('a list that is sorted by fields of the tracker', () => {
  it('has the items by their values, those without one last, and names the values', async () => {
    const items = await workspace.run(listItems, { sort: 'risk' })
    expect(items.slice(0, 2)).toMatchObject([
      { id: 204, customFields: { Risk: '1 - High' } },
      { id: 205, customFields: { Risk: '3 - Low' } },
    ])
    expect(items[2].customFields).toEqual({ Risk: null })
  })

  it('compares numbers and dates by what they mean', async () => {
    const order = createItemOrder('Size,-Due')
    const item = (id: number, Size: number | null, Due: string | null) => ({ id, customFields: { Size, Due } }) as never
    const keys = [
      item(1, 10, null),
      item(2, 9, '2026-12-01T10:00:00+02:00'),
      item(3, 9, '2026-12-01T09:00:00Z'),
      item(4, null, null),
    ].map(order.key)
    expect(keys.toSorted(order.compare).map((key) => key.at(-1))).toEqual([3, 2, 1, 4])
  })

  it('has numbers before texts, in one order for all, where trackers have both', () => {
    const { compare, key } = createItemOrder('Size')
    const value = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer().map(String))
    const item = (id: number, Size: unknown) => key({ id, customFields: { Size } } as never)
    fc.assert(
      fc.property(value, value, value, (...values) => {
        const [a, b, c] = values.map((one, at) => item(at, one)).sort(compare) as [never, never, never]
        expect(Math.max(compare(a, b), compare(b, c), compare(a, c))).toBeLessThanOrEqual(0)
      }),
    )
    expect([item(1, '5'), item(2, 6), item(3, null)].sort(compare).map((one) => one.at(-1))).toEqual([2, 1, 3])
  })

  it.each(['-', 'title,-', '_', '- -'])('names what is wrong with %j', async (sort) => {
    await expect(workspace.run(listItems, { sort })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'sort', message: expect.stringContaining('no such field') }],
    })
  })

  it('goes on with a cursor over pages', async () => {
    const whole = await workspace.run(listItems, { sort: '-Risk,title' })
    const { key, compare } = createItemOrder('-Risk,title')
    expect(whole.map(key).toSorted(compare)).toEqual(whole.map(key))
  })

  it('is a view, and names what no item has', async () => {
    await workspace.run(saveView, { name: 'By risk', sort: '-Risk', columns: 'id,Risk' })
    expect(await workspace.run(getView, { view: 'By risk' })).toMatchObject({ sort: '-Risk' })
    for (const call of [
      workspace.run(listItems, { sort: 'Rsik' }),
      workspace.run(saveView, { name: 'x', sort: 'Rsik' }),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'invalid',
        details: [{ path: 'sort', message: expect.stringContaining('did you mean "Risk"?') }],
      })
    await expect(workspace.run(listItems, { sort: 'Microsoft.VSTS.Common.Risk' })).rejects.toMatchObject({
      details: [{ message: 'sort by the display name of the field: Risk' }],
    })
  })
})

describe('a search by fields of the tracker', () => {
  it.each([
    ['field:Risk="1 - High"', [204]],
    ['field:"risk"="1 - high"', [204]],
    ['field:"Risk=1 - High"', [204]],
    ['field:Risk', [204, 205]],
    ['field:Risk -field:Risk="1 - High"', [205]],
    ['field:Risk field:Risk!="1 - High"', [205]],
    ['field:Risk="1 - High" field:Risk="3 - Low"', [204, 205]],
    ['field:Risk="1 - High" field:"Value Area"=Business', [204]],
    ['field:Risk="1 - High" field:"Value Area"=Architectural', []],
    ['field:Risk id:205 id:204', [204, 205]],
    ['field:Risk id:205', [205]],
    ['NOT field:Risk id:205', []],
  ])('%s finds %j', async (q, ids) => {
    expect(await find(q)).toEqual(ids)
  })

  it('finds empty fields, in work items alone', async () => {
    const empty = await find('field:Risk=')
    expect(await find('no:Risk')).toEqual(empty)
    expect(await find('no:"risk" id:101')).toEqual([101])
    expect(await find('-no:Risk')).toEqual([204, 205])
    // What is no field is a word.
    expect(await find('no:Rsik')).toEqual([])
    expect(empty).toContain(101)
    expect(empty).not.toContain(204)
    expect(await find('-field:Risk')).toEqual(empty)
    const { results } = await workspace.run(searchWorkspace, { q: 'field:Risk=', type: 'folder' })
    expect(results).toEqual([])
  })

  it('selects items for an update', async () => {
    const { itemIds } = await workspace.run(selectItems, { query: 'field:Risk' })
    expect(itemIds).toEqual([204, 205])
  })

  it('says what may be meant', async () => {
    const { hints } = await workspace.run(searchWorkspace, { q: 'field:Risk="1 - Hgih"' })
    expect(hints).toContainEqual('No cached work item has the Risk "1 - Hgih". Did you mean "1 - High"?')
    await expect(workspace.run(searchWorkspace, { q: 'field:Rsik=1' })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'q', message: expect.stringContaining('did you mean "Risk"?') }],
    })
  })
})
