import { describe, expect, it } from 'vitest'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importFeatures } from '../../../src/items/operations/import/import-features'
import { listFeatures } from '../../../src/items/operations/list-features'
import { bigTree } from '../../bench/workspace-tree'
import { refuseWith, respondUnavailable } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

describe('importing several features', () => {
  it('saves what the imports of each would save, and reports each', async () => {
    const apart = await openTestWorkspace()
    const first = await apart.run(importFeature, { featureId: 101 })
    const second = await apart.run(importFeature, { featureId: 102 })
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(importFeatures, { featureIds: [101, 102, 101] })
    expect(answer).toMatchObject({
      features: [
        { id: 101, title: first.feature.title, items: first.imported, problem: null },
        { id: 102, title: second.feature.title, items: second.imported, problem: null },
      ],
      imported: first.imported + second.imported,
      notes: [],
      skipped: [],
    })
    expect(await workspace.run(importFeatures, { featureIds: [101, 102] })).toMatchObject({ imported: 0, updated: 0 })
  })

  it('reads all trees with one query, and the items in pages', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFeature, { featureId: 101 })
    const forOne = workspace.asked().length
    const other = await openTestWorkspace()
    await other.run(importFeatures, { featureIds: [101, 102] })
    expect(other.asked().length).toBeLessThanOrEqual(forOne)
  })

  it('imports the others if one cannot be read', async () => {
    const workspace = await openTestWorkspace()
    const { features, imported } = await workspace.run(importFeatures, { featureIds: [101, 99999] })
    expect(features).toMatchObject([
      { id: 101, problem: null },
      { id: 99999, title: null, items: 0, problem: expect.stringContaining('not exist') },
    ])
    expect(imported).toBe(features[0].items)
  })

  it('walks the trees if the tracker refuses the query', async () => {
    const fault = refuseWith(403, 'AccessCheckException', 'No queries.')
    const workspace = await openTestWorkspace({ faults: [{ path: /wiql/, fault }] })
    const { features } = await workspace.run(importFeatures, { featureIds: [101, 102] })
    expect(features).toMatchObject([
      { id: 101, items: 30 },
      { id: 102, items: 28 },
    ])
  })

  it('continues after an interruption', async () => {
    let isDown = true
    let pages = 0
    const workspace = await openTestWorkspace({
      seed: bigTree(900),
      faults: ({ path }) => (isDown && path.includes('workitemsbatch') && ++pages > 1 ? respondUnavailable() : null),
    })
    await expect(workspace.run(importFeatures, { featureIds: [1] })).rejects.toThrow()
    isDown = false
    const { imported, unchanged } = await workspace.run(importFeatures, { featureIds: [1] })
    expect(unchanged).toBe(200)
    expect(imported + unchanged).toBe(900)
  })
})

describe('the features of the tracker', () => {
  it('are listed with their state, and whether they are imported', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFeature, { featureId: 101 })
    const { total, features } = await workspace.run(listFeatures, {})
    expect(features.length).toBe(total)
    expect(features.every(({ type }: { type: string }) => type === 'Feature')).toBe(true)
    expect(features.find(({ id }: { id: number }) => id === 101)).toMatchObject({ cached: true })
    expect(features.find(({ id }: { id: number }) => id === 102)).toMatchObject({ cached: false })
  })

  it('are found by a part of the title, which may have an apostrophe', async () => {
    const workspace = await openTestWorkspace()
    await workspace.changeRemotely(102, { 'System.Title': "The driver's day" })
    const { features } = await workspace.run(listFeatures, { title: "driver's" })
    expect(features).toMatchObject([{ id: 102 }])
  })
})
