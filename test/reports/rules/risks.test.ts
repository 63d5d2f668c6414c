import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderBriefing } from '../../../src/reports/rules/render-briefing'
import { isOpen, type ReportItem } from '../../../src/reports/rules/report-item'
import { AT_RISK_THRESHOLD } from '../../../src/reports/rules/risks'
import type { FeatureFigures } from '../../../src/reports/schemas'
import { buildFigures } from '../at-once'
import { anyTrees, shuffled } from '../random-workspace'
import { item } from '../sample-workspace'

const active = { stateCategory: 'InProgress' } as const
const done = { stateCategory: 'Completed' } as const
const fresh = { changedAt: '2026-11-17T08:00:00.000Z' }
const old = { changedAt: '2026-10-20T08:00:00.000Z' }
const tag = { by: 'tag', itemId: null, evidence: 'tagged Blocked' } as const
const wait = (itemId: number) => ({ by: 'predecessor', itemId, evidence: `waits for #${itemId}` }) as const

const feature = (overrides: Partial<ReportItem> = {}) => item(1, { level: 2, ...active, ...fresh, ...overrides })
const story = (id: number, overrides: Partial<ReportItem> = {}) =>
  item(id, { parentId: 1, storyPoints: 4, ...fresh, ...overrides })

function riskOf(items: readonly ReportItem[], iterationEnds = new Map<string, string>()): FeatureFigures {
  return buildFigures(items, { iterationEnds }).features.find(({ id }) => id === 1)!
}
const weightOf = (...items: ReportItem[]) => riskOf(items).riskWeight
const evidenceOf = (...items: ReportItem[]) => riskOf(items).risks.map(({ signal, evidence }) => [signal, evidence])

describe('the share of open points that is in trouble', () => {
  it('counts blocked points in full', () => {
    expect(weightOf(feature(), story(2, { blocked: [tag] }), story(3, { storyPoints: 12 }))).toBe(0.25)
    expect(evidenceOf(feature(), story(2, { blocked: [tag] }), story(3))).toEqual([['blocked', '#2 is blocked']])
  })

  it('counts a quarter for each predecessor, and for each blocked task below', () => {
    expect(weightOf(feature(), story(2, { blocked: [wait(8)] }))).toBe(0.25)
    expect(weightOf(feature(), story(2, { blocked: [wait(8), wait(9)] }))).toBe(0.5)
    expect(weightOf(feature(), story(2), item(3, { level: 0, parentId: 2, ...fresh, blocked: [tag] }))).toBe(0.25)
  })

  it('counts points in full from the day after the end of their iteration', () => {
    const sprint = 'Shop\\Sprint 7'
    const items = [feature(), story(2, { iterationPath: sprint }), story(3, { iterationPath: 'Shop' })]
    const ending = (day: string) => riskOf(items, new Map([[sprint, `${day}T00:00:00.000Z`]]))
    expect(ending('2026-11-18').riskWeight).toBe(0)
    expect(ending('2026-11-17').riskWeight).toBe(0.5)
    expect(ending('2026-11-17').risks.map(({ signal }) => signal)).toEqual(['late'])
  })

  it('counts half for stale work in progress, unless one of its descendants changes', () => {
    const stale = story(2, { ...active, ...old })
    expect(weightOf(feature(), stale)).toBe(0.5)
    expect(weightOf(feature(), stale, item(3, { level: 0, parentId: 2, ...fresh }))).toBe(0)
    expect(weightOf(feature(old), story(2, old))).toBe(0.5)
  })

  it('counts a quarter for a missing estimate once the feature has started, at the average of the others', () => {
    expect(weightOf(feature(), story(2), story(3, { storyPoints: null }))).toBe(0.125)
    expect(weightOf(feature({ stateCategory: 'Proposed' }), story(2), story(3, { storyPoints: null }))).toBe(0)
  })

  it('counts all open work when the feature itself is blocked', () => {
    expect(weightOf(feature({ blocked: [tag] }), story(2), story(3))).toBe(1)
  })

  it('names five items at most', () => {
    const stories = [2, 3, 4, 5, 6, 7, 8].map((id) => story(id, { blocked: [tag] }))
    expect(evidenceOf(feature(), ...stories)).toEqual([['blocked', '#2, #3, #4, #5, #6 and 2 more are blocked']])
  })
})

describe('a feature', () => {
  it('is at risk if it is closed while work below it is open', () => {
    expect(riskOf([feature(done), story(2)])).toMatchObject({ atRisk: true, risks: [{ signal: 'closed-early' }] })
  })

  it('is not at risk because a single item waits for one predecessor', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(13), { minLength: 1, maxLength: 8 }), (points) => {
        const stories = points.map((storyPoints, index) => story(index + 2, { storyPoints }))
        const waiting = { ...stories[0]!, blocked: [wait(99)] }
        expect(riskOf([feature(), waiting, ...stories.slice(1)]).atRisk).toBe(false)
      }),
    )
  })

  it('is at risk exactly if its weight reaches the threshold or it is closed early, and never if all its items are done', () => {
    fc.assert(
      fc.property(anyTrees, (items) => {
        for (const { atRisk, riskWeight, risks, items: all, doneItems } of buildFigures(items).features) {
          expect(riskWeight).toBeGreaterThanOrEqual(0)
          expect(riskWeight).toBeLessThanOrEqual(1)
          expect(atRisk).toBe(riskWeight >= AT_RISK_THRESHOLD || risks.some(({ signal }) => signal === 'closed-early'))
          if (riskWeight > 0) expect(risks).not.toEqual([])
          if (all === doneItems) expect(atRisk).toBe(false)
        }
      }),
    )
  })

  it('has no lower weight if one more open item is blocked', () => {
    fc.assert(
      fc.property(anyTrees, fc.nat(), (items, choice) => {
        const open = items.filter(isOpen)
        fc.pre(open.length > 0)
        const chosen = open[choice % open.length]!
        const after = items.map((one) => (one === chosen ? { ...one, blocked: [...one.blocked, tag] } : one))
        const before = new Map(buildFigures(items).features.map(({ id, riskWeight }) => [id, riskWeight]))
        for (const { id, riskWeight } of buildFigures(after).features)
          expect(riskWeight).toBeGreaterThanOrEqual(before.get(id)!)
      }),
    )
  })

  it('has the same risks for any order of the rows', () => {
    fc.assert(
      fc.property(
        anyTrees.chain((items) => fc.tuple(fc.constant(items), shuffled(items))),
        ([items, mixed]) => {
          expect(buildFigures(mixed).features).toEqual(buildFigures(items).features)
        },
      ),
    )
  })
})

describe('the decisions that a briefing asks for', () => {
  it('are one line per feature at risk, or none', () => {
    const sprint = 'Shop\\Sprint 7'
    const items = [
      feature({ title: 'Returns' }),
      story(2, { blocked: [tag] }),
      story(3, { iterationPath: sprint, ...active, ...old }),
      story(4, { blocked: [wait(2)], iterationPath: 'Shop' }),
    ]
    const iterationEnds = new Map([[sprint, '2026-11-13T00:00:00.000Z']])
    const moved = items.map((one) => (one.id === 2 ? { ...one, iterationPath: 'Shop' } : one))
    expect(renderBriefing(buildFigures(moved, { iterationEnds }))).toContain(
      '- **#1 Returns**: Who unblocks #2, and by when? Should #3 move to a later iteration, or be removed from the scope?\n',
    )
    expect(renderBriefing(buildFigures([feature(), story(2)]))).toContain('## Decisions needed\n\nNone.\n')
  })
})

describe('what changed since the last briefing', () => {
  const span = (overrides: { startedAt?: string; completedAt?: string; createdAt?: string }) => ({
    startedAt: null,
    completedAt: null,
    createdAt: null,
    ...overrides,
  })
  const items = [story(2, done), story(3, active), story(4), story(5, done)]
  const spans = new Map([
    [2, span({ createdAt: '2026-11-10T00:00:00.000Z', completedAt: '2026-11-16T00:00:00.000Z' })],
    [3, span({ createdAt: '2026-10-01T00:00:00.000Z', startedAt: '2026-11-12T00:00:00.000Z' })],
    [4, span({ createdAt: '2026-11-17T00:00:00.000Z' })],
    [5, span({ completedAt: '2026-10-16T00:00:00.000Z' })],
  ])

  it('lists each backlog item once: completed, started or added', () => {
    const text = renderBriefing(buildFigures(items, { spans, since: '2026-11-09T00:00:00.000Z' }))
    expect(text).toContain(
      [
        '## Changes since 9 Nov 2026',
        '',
        '- 1 backlog item (4 points) was completed: #2 Item 2.',
        '- 1 backlog item (4 points) was started: #3 Item 3.',
        '- 1 backlog item (4 points) was added: #4 Item 4.',
      ].join('\n'),
    )
  })

  it('looks 14 days back unless a date is given', () => {
    expect(buildFigures(items, { spans }).changes!.since).toBe('2026-11-04T09:30:00.000Z')
    expect(renderBriefing(buildFigures(items, { spans, since: '2026-11-18T00:00:00.000Z' }))).toContain(
      'No backlog item was completed, started or added.',
    )
  })
})
