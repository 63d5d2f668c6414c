import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/kernel'
import { generateBriefing } from '../../../src/reports/operations/generate-briefing'
import { getPriorities } from '../../../src/reports/operations/get-priorities'
import { reportHierarchy } from '../../../src/reports/operations/report-hierarchy'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import { setPriorities } from '../../../src/reports/operations/set-priorities'
import { createContext } from '../report-context'
import { shop } from '../sample-workspace'

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

describe('priorities', () => {
  it('are empty at first, with all features available', async () => {
    const { designated, available } = await execute(getPriorities, {}, await createContext(shop))
    expect(designated).toEqual([])
    expect(available).toEqual([
      {
        id: 101,
        tracker: 'default',
        reference: '#101',
        title: 'Self-service returns',
        state: 'Active',
        completion: 5 / 13,
      },
      {
        id: 102,
        tracker: 'default',
        reference: '#102',
        title: 'Carrier onboarding',
        state: 'Active',
        completion: 2 / 5,
      },
      { id: 103, tracker: 'default', reference: '#103', title: 'Order history', state: 'Closed', completion: 1 },
    ])
  })

  it('are stored in the given order and replace the previous ones', async () => {
    const ctx = await createContext(shop)
    await execute(setPriorities, { designated: [101] }, ctx)
    const answer = await execute(setPriorities, { designated: [103, 102] }, ctx)
    expect([answer.designated, ids(answer.available)]).toEqual([
      [103, 102],
      [103, 102, 101],
    ])
    expect(await execute(getPriorities, {}, ctx)).toEqual(answer)
    await execute(setPriorities, { designated: [] }, ctx)
    expect((await execute(getPriorities, {}, ctx)).designated).toEqual([])
  })

  it('order the features in every report', async () => {
    const ctx = await createContext(shop)
    await execute(setPriorities, { designated: [103, 102] }, ctx)
    const { features } = await execute(reportSummary, {}, ctx)
    expect(features.map(({ id, priority }) => [id, priority])).toEqual([
      [103, 1],
      [102, 2],
      [101, null],
    ])
    expect(ids((await execute(reportHierarchy, {}, ctx)).features)).toEqual([103, 102, 101])
    const { markdown, basis } = await execute(generateBriefing, { mode: 'deterministic' }, ctx)
    expect(ids(basis.features)).toEqual([103, 102, 101])
    expect(markdown.indexOf('| #103')).toBeLessThan(markdown.indexOf('| #102'))
    expect(markdown.indexOf('| #102')).toBeLessThan(markdown.indexOf('| #101'))
  })

  it.each([
    [{ designated: [101, 111] }, 'designated.1', '#111 is not a feature of the workspace'],
    [{ designated: [7] }, 'designated.0', '#7 is not a feature of the workspace'],
    [{ designated: [101, 102, 101] }, 'designated.2', '#101 is listed twice'],
    [{}, 'designated', 'is required'],
  ])('reject %j and do not change', async (input, path, message) => {
    const ctx = await createContext(shop)
    await execute(setPriorities, { designated: [102] }, ctx)
    await expect(execute(setPriorities, input, ctx)).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path, message }],
    })
    expect((await execute(getPriorities, {}, ctx)).designated).toEqual([102])
  })

  it('set by two callers at once are those of one caller', async () => {
    const ctx = await createContext(shop)
    const [one, other] = [
      [101, 102],
      [103, 101],
    ]
    await Promise.all([one, other].map((designated) => execute(setPriorities, { designated }, ctx)))
    expect([one, other]).toContainEqual((await execute(getPriorities, {}, ctx)).designated)
  })
})
