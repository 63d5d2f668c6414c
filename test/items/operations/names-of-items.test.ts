import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../../src/drafts/operations/copy-sanitize'
import { getDraft } from '../../../src/drafts/operations/get-draft'
import { listDrafts } from '../../../src/drafts/operations/list-drafts'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { createItem } from '../../../src/items/operations/create-item'
import { saveFilter } from '../../../src/items/operations/filters/save-filter'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { linkItem } from '../../../src/items/operations/links/link-item'
import { listFeatures } from '../../../src/items/operations/list-features'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { listItems } from '../../../src/items/operations/list-items'
import { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { reportHierarchy } from '../../../src/reports/operations/report-hierarchy'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import { searchWorkspace } from '../../../src/search/operations/search-workspace'
import { openWithRepository } from './workspace-with-repository'

const FEATURE = 'code:works/harbor#101'
const STORY = 'code:works/harbor#102'
const TASK = 'code:works/harbor#103'
type Named = { reference: string }
const LOCAL_NUMBER = /\b1\d{9}\b/

describe('items of a further tracker', () => {
  it('can be named by reference wherever an operation takes an ID', async () => {
    const { run, idOf } = await openWithRepository()
    const { feature } = await run(importFeature, { featureId: FEATURE })
    expect(feature.id).toBe(await idOf(FEATURE))
    expect(await run(listItemHistory, { id: TASK })).toMatchObject({ id: await idOf(TASK), reference: TASK })
    const { results } = await run(batchUpdate, { itemIds: [TASK, 343], updates: { Title: 'Other' }, dryRun: true })
    expect(results.map(({ reference }: { reference: string }) => reference)).toEqual([TASK, '#343'])
    await expect(run(getItem, { id: 'two words' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(run(getItem, { id: 'jira:ABC-7' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('can be named by reference as the parents that a list or a saved filter asks for', async () => {
    const { run, idOf } = await openWithRepository()
    await run(importFeature, { featureId: 101 })
    await run(importFeature, { featureId: FEATURE })
    const list = async (input: object) => (await run(listItems, input)).map(({ reference }: Named) => reference)
    expect(await list({ parent: FEATURE })).toEqual([STORY])
    const ofDefault = await list({ parent: 101 })
    expect(ofDefault.length).toBeGreaterThan(0)
    expect(await list({ parent: `#101, ${FEATURE},${STORY}` })).toEqual([...ofDefault, STORY, TASK])
    expect(await list({ parent: ['101', FEATURE] })).toEqual([...ofDefault, STORY])
    const { criteria } = await run(saveFilter, { name: 'Sensors', criteria: { parent: STORY } })
    expect(criteria.parent).toBe(String(await idOf(STORY)))
    expect(await list({ filter: 'Sensors' })).toEqual([TASK])
    await expect(run(listItems, { parent: 'code:works/harbor#999x' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(run(listItems, { parent: `${STORY},crane` })).rejects.toMatchObject({
      details: [{ path: 'parent', message: 'must be IDs or references separated by commas' }],
    })
  })

  it('are named in errors and in their hints', async () => {
    const { run } = await openWithRepository()
    await expect(run(getItem, { id: 'code:works/harbor#999' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'The tracker has no work item code:works/harbor#999, or your token cannot read it.',
    })
    await expect(run(listItemHistory, { id: STORY })).rejects.toMatchObject({
      message: `There is no snapshot of work item ${STORY}.`,
      hint: ['Fetch it: ', { operation: 'items.get', input: { id: STORY } }],
    })
    await run(importFeature, { featureId: FEATURE })
    await expect(run(createItem, { type: 'Feature', title: 'Cranes', parentId: TASK })).rejects.toMatchObject({
      details: [{ message: expect.stringMatching(/^works\/harbor#103 \(Task\) cannot be the parent/) }],
    })
    await expect(run(linkItem, { id: FEATURE, parentId: STORY })).rejects.not.toMatchObject({
      message: expect.stringMatching(LOCAL_NUMBER),
    })
  })

  it('are named in the answers of reading and changing them', async () => {
    const { run } = await openWithRepository()
    await run(importFeature, { featureId: FEATURE })
    const item = await run(getItem, { id: STORY, cached: true })
    expect(item).toMatchObject({ parentReference: FEATURE, children: [{ reference: TASK }] })
    const { failed } = await run(importSingle, { ids: [TASK, 'code:works/harbor#999'] })
    expect(failed).toMatchObject([{ reference: 'code:works/harbor#999' }])
    const { features } = await run(listFeatures, { tracker: 'code' })
    expect(features).toMatchObject([{ reference: FEATURE }])
    const created = await run(createItem, { type: 'Task', title: 'Buy cable', parentId: STORY })
    expect(created).toMatchObject({ reference: 'code:works/harbor#104', parentReference: STORY })
  })

  it('are found by their tracker, in searches and in lists', async () => {
    const { run } = await openWithRepository()
    await run(importFeature, { featureId: 101 })
    await run(importFeature, { featureId: FEATURE })
    const names = async (q: string) =>
      (await run(searchWorkspace, { q, limit: 200 })).results.map(({ reference }: Named) => reference)
    expect((await names('tracker:code')).sort()).toEqual([FEATURE, STORY, TASK])
    expect(await names('tracker:code sensor')).toEqual([TASK])
    expect(await names('sensor -tracker:code')).not.toContain(TASK)
    expect((await run(searchWorkspace, { q: 'tracker:cod' })).hints[0]).toContain('Did you mean tracker:code?')
    const listed = await run(listItems, { tracker: 'code' })
    expect(listed.map(({ reference }: Named) => reference)).toEqual([FEATURE, STORY, TASK])
  })

  it('are named in drafts', async () => {
    const { run } = await openWithRepository()
    await run(importFeature, { featureId: FEATURE })
    const { id } = await run(copySanitize, { id: STORY })
    expect(await run(getDraft, { id })).toMatchObject({ sourceReference: STORY, publications: [] })
    expect(await run(listDrafts, {})).toMatchObject([{ id, sourceReference: STORY }])
  })

  it('are named in reports, which give the figures of each tracker', async () => {
    const { run } = await openWithRepository()
    await run(importFeature, { featureId: 101 })
    await run(importFeature, { featureId: FEATURE })
    const { features } = await run(reportHierarchy, { featureId: FEATURE })
    expect(features).toMatchObject([{ reference: FEATURE, tracker: 'code', children: [{ reference: STORY }] }])
    const { byTracker, totals } = await run(reportSummary, {})
    expect(byTracker).toMatchObject([{ name: 'default' }, { name: 'code', totals: { items: 3 } }])
    expect(byTracker[0].totals.items + byTracker[1].totals.items).toBe(totals.items)
    const onlyCode = await run(reportSummary, { tracker: 'code' })
    expect(onlyCode).toMatchObject({ totals: { items: 3 }, byTracker: [{ name: 'code' }] })
    await expect(run(reportSummary, { tracker: 'other' })).rejects.toMatchObject({
      details: [{ path: 'tracker', message: expect.stringContaining('use one of code, default') }],
    })
    const { markdown } = await run(generateBriefing, { mode: 'deterministic' })
    expect(markdown).toContain(`| ${FEATURE} Automate the crane |`)
    expect(markdown).toContain('| code |')
    expect(markdown).toContain('read from 2 trackers')
    expect(markdown).not.toMatch(LOCAL_NUMBER)
  })
})
