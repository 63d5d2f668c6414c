import { describe, expect, it, onTestFinished } from 'vitest'
import { openTracker, type Tracker } from '../../../src/tracker'
import {
  addRetryAfter,
  cutAfter,
  type FaultRule,
  type Faults,
  failBatchAtomically,
  failWholeBatch,
  insertNullEntries,
  redirectToSignIn,
  refuseWith,
  resetAfter,
  resetBefore,
  respondAccessCheck,
  respondSignInPage,
  respondUnauthorized,
  respondUnavailable,
  stallAfter,
  throttle,
} from '../../sandbox/fault-presets'
import { createFakeTiming, errorOf, never, quick } from './fixtures'
import { startCheckedSandbox } from './published-api/check-calls'

/** The adapter with the sandbox as its tracker, and with faults. */
async function openSandbox(faults: Faults = []) {
  const sandbox = await startCheckedSandbox({ token: 'sandbox-token', faults })
  const tracker = openTracker({
    url: sandbox.url,
    project: sandbox.project,
    token: 'sandbox-token',
    limits: { ...quick, idleTimeoutMs: 50 },
    timing: createFakeTiming(),
  })
  onTestFinished(() => tracker.close())
  return { tracker, sandbox }
}

async function allItems(tracker: Tracker) {
  const ids = Array.from({ length: 600 }, (_, i) => i + 1)
  return (await tracker.getItems(ids, { signal: never })).items
}

async function someStories(tracker: Tracker) {
  return (await allItems(tracker)).filter((item) => item.level === 1).slice(0, 3)
}

describe('reading from the sandbox', () => {
  it('finds a backlog of several levels with categories for all states', async () => {
    const { tracker } = await openSandbox()
    const items = await allItems(tracker)
    expect(new Set(items.map((item) => item.level))).toEqual(new Set([0, 1, 2]))
    expect(items.filter((item) => item.stateCategory === null)).toEqual([])
    expect(items.some((item) => item.storyPoints !== null)).toBe(true)
    expect(items.some((item) => item.predecessorIds.length > 0)).toBe(true)
    expect(items.some((item) => item.description?.format === 'markdown')).toBe(true)
  })

  it('returns the same tree by query and level by level', async () => {
    const tooMany = refuseWith(400, 'WorkItemTrackingQueryResultSizeLimitExceededException', 'VS402337: too many.')
    const queried = await openSandbox()
    const walked = await openSandbox([{ path: /wiql/, fault: tooMany }])
    const feature = (await allItems(queried.tracker)).find((item) => item.level === 2)!
    const tree = await queried.tracker.getTree(feature.id, never)
    expect(tree.length).toBeGreaterThan(10)
    const byChild = (links: typeof tree) => [...links].sort((a, b) => a.childId - b.childId)
    expect(byChild(await walked.tracker.getTree(feature.id, never))).toEqual(byChild(tree))
    const above = new Set([feature.id])
    for (const { parentId, childId } of tree) {
      expect(above.has(parentId)).toBe(true)
      above.add(childId)
    }
  })

  it('finds the same fingerprints after a restart on another port', async () => {
    const [one, two] = [await openSandbox(), await openSandbox()]
    const prints = async ({ tracker }: typeof one) => (await allItems(tracker)).map((item) => item.relationsFingerprint)
    expect(one.sandbox.url).not.toBe(two.sandbox.url)
    expect(await prints(one)).toEqual(await prints(two))
  })

  it('describes the process with a level for every type', async () => {
    const { tracker } = await openSandbox()
    const process = await tracker.describeProcess(never)
    expect(process.types.map((type) => [type.name, type.level])).toContainEqual(['Bug', 1])
    expect(process.areaPaths.length).toBeGreaterThan(1)
    expect(process.iterations.some((iteration) => iteration.startDate !== null)).toBe(true)
    const properties = process.fields.flatMap((field) => field.property ?? [])
    expect(properties.sort()).toEqual([
      'acceptanceCriteria',
      'areaPath',
      'assignedTo',
      'description',
      'iterationPath',
      'priority',
      'state',
      'storyPoints',
      'tags',
      'title',
    ])
  })

  it('reports a wrong token', async () => {
    const { sandbox } = await openSandbox()
    const tracker = openTracker({ url: sandbox.url, project: null, token: 'guessed' })
    onTestFinished(() => tracker.close())
    expect(await errorOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_token' })
  })
})

describe('reading with faults', () => {
  it.each([
    ['a sign-in page', respondSignInPage()],
    ['a sign-in page under 200', respondSignInPage(200)],
    ['a redirect', redirectToSignIn()],
    ['401', respondUnauthorized()],
    ['an access check', respondAccessCheck()],
    ['an access check under 200', respondAccessCheck(200)],
  ])('reports a bad token: %s', async (_, fault) => {
    const { tracker } = await openSandbox([{ fault }])
    expect(await errorOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_token' })
  })

  it.each([
    ['429', throttle(1)],
    ['503', respondUnavailable()],
    ['a reset', resetBefore()],
    ['a reset after the work', resetAfter()],
    ['a cut', cutAfter(40)],
  ])('survives a transient fault: %s', async (_, fault) => {
    const { tracker } = await openSandbox([{ path: /workitemsbatch/, nth: 1, fault }])
    expect((await tracker.getItems([101], { signal: never })).items).toHaveLength(1)
  })

  it('respects Retry-After on a successful response', async () => {
    const { tracker } = await openSandbox([{ fault: addRetryAfter(2) }])
    expect(await tracker.getItem(101, never)).toMatchObject({ id: 101 })
  })

  it('does not wait for a body that stops', async () => {
    const { tracker } = await openSandbox([{ path: /workitems\/101/, fault: stallAfter(40) }])
    expect(await errorOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_timeout' })
  })

  it('ignores null entries', async () => {
    const { tracker } = await openSandbox([{ path: /workitemsbatch/, fault: insertNullEntries() }])
    const { items, missing } = await tracker.getItems([101, 7], { signal: never })
    expect([items.map(({ id }) => id), missing.map(({ id }) => id)]).toEqual([[101], [7]])
  })
})

describe('changing items of the sandbox', () => {
  const cleared = {
    'System.AssignedTo': null,
    'System.Tags': 'one; two',
    'Microsoft.VSTS.Scheduling.StoryPoints': null,
    'Microsoft.VSTS.Common.Priority': 1,
  }

  async function change(tracker: Tracker) {
    const stories = await someStories(tracker)
    return tracker.updateItems(
      stories.map(({ id, rev }) => ({ id, rev, fields: cleared })),
      { signal: never },
    )
  }

  it('sets, replaces and clears fields, and returns complete items', async () => {
    const { tracker } = await openSandbox()
    const before = await someStories(tracker)
    const outcomes = await change(tracker)
    for (const [i, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject({
        status: 'applied',
        item: { assignedTo: null, tags: ['one', 'two'], storyPoints: null, priority: 1 },
      })
      if (outcome.status !== 'applied') continue
      expect(outcome.item.relationsFingerprint).toBe(before[i]!.relationsFingerprint)
      expect(outcome.item).toEqual(await tracker.getItem(outcome.id, never))
    }
  })

  it('distinguishes a stale revision, a violated rule and a missing item', async () => {
    const { tracker } = await openSandbox()
    const [one, two] = await someStories(tracker)
    const outcomes = await tracker.updateItems(
      [
        { id: one!.id, rev: one!.rev - 1, fields: { 'System.Title': 'New' } },
        { id: two!.id, rev: two!.rev, fields: { 'System.State': 'Nowhere' } },
        { id: 999_999, rev: 1, fields: { 'System.Title': 'New' } },
      ],
      { signal: never },
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['conflict', 'rejected', 'rejected'])
  })

  it.each([
    ['a bulk that fails for one', { path: /\$batch/, fault: failWholeBatch() }],
    ['a reset after the work', { path: /\$batch/, fault: resetAfter() }],
    ['a cut answer', { path: /\$batch/, fault: cutAfter(30) }],
    ['503, once', { path: /\$batch/, nth: 1, fault: respondUnavailable() }],
    ['429, once', { path: /\$batch/, nth: 1, fault: throttle(1) }],
  ] satisfies [string, FaultRule][])('changes no item twice, and leaves no outcome unknown: %s', async (_, rule) => {
    const { tracker } = await openSandbox([rule])
    const before = await someStories(tracker)
    const outcomes = await change(tracker)
    const rejected = rule.fault.respond !== undefined && !('nth' in rule)
    expect(outcomes.map(({ status }) => status)).toEqual([rejected ? 'rejected' : 'applied', 'applied', 'applied'])
    const after = await someStories(tracker)
    expect(after.map((item, i) => item.rev - before[i]!.rev)).toEqual([rejected ? 0 : 1, 1, 1])
  })

  it('reports an unknown outcome only if there was no response and no change', async () => {
    const { tracker } = await openSandbox([{ path: /\$batch/, fault: resetBefore() }])
    expect((await change(tracker)).map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  it('applies the valid changes of an atomic batch', async () => {
    const { tracker } = await openSandbox([{ path: /\$batch/, fault: failBatchAtomically() }])
    const [one, two, three] = await someStories(tracker)
    const outcomes = await tracker.updateItems(
      [
        { id: one!.id, rev: one!.rev, fields: { 'System.Title': 'New' } },
        { id: two!.id, rev: two!.rev, fields: { 'System.State': 'Nowhere' } },
        { id: three!.id, rev: three!.rev, fields: { 'System.Title': 'New' } },
      ],
      { signal: never },
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'rejected', 'applied'])
  })
})
