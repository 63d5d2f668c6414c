import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { execute, hint, suggest } from '../../../src/kernel'
import { reportHierarchy } from '../../../src/reports/operations/report-hierarchy'
import { buildHierarchy } from '../at-once'
import { createContext, NOW } from '../report-context'
import { item, shop } from '../sample-workspace'

describe('reports.hierarchy', () => {
  it('returns the trees of the cached items', async () => {
    const answer = await execute(reportHierarchy, {}, await createContext(shop))
    expect(answer).toEqual({ ...buildHierarchy(shop), generatedAt: NOW })
  })

  it('covers only the requested feature', async () => {
    const { features, unparented } = await execute(reportHierarchy, { featureId: 102 }, await createContext(shop))
    expect([features.map(({ id }) => id), unparented]).toEqual([[102], []])
  })

  it('rejects a feature that is not cached', async () => {
    const refused = execute(reportHierarchy, { featureId: 7 }, await createContext(shop))
    await expect(refused).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not in the workspace: #7.',
      hint: hint`Import it with its tree: ${suggest('features.import', { featureId: 7 })}`,
      details: [{ path: 'featureId', message: '#7 is not in the workspace' }],
    })
  })

  it('is empty for an empty workspace', async () => {
    const answer = await execute(reportHierarchy, {}, await createContext([]))
    expect(answer).toEqual({ features: [], unparented: [], generatedAt: NOW })
  })

  it('returns a tree of any depth', async () => {
    const chain = Array.from({ length: 2_000 }, (_, i) => item(i + 1, { level: i === 0 ? 2 : 1, parentId: i || null }))
    const { features } = await execute(reportHierarchy, {}, await createContext(chain))
    expect(features[0]!.totals.items).toBe(2_000)
  })

  it('can be described as a JSON schema that refers to itself', () => {
    const described = JSON.stringify(z.toJSONSchema(reportHierarchy.output))
    expect(described).toMatch(/"children":\{"type":"array","items":\{"\$ref":/)
  })
})
