import { beforeEach, describe, expect, it } from 'vitest'
import { createItem } from '../../../src/items/operations/create-item'
import { describeTracker } from '../../../src/items/operations/describe-tracker'
import { getView } from '../../../src/items/operations/filters/get-view'
import { saveView } from '../../../src/items/operations/filters/save-view'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
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
