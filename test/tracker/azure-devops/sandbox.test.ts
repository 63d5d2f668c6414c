import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../../src/sandbox'
import { openTracker, type Tracker } from '../../../src/tracker'
import {
  addRetryAfter,
  cutAfter,
  type FaultRule,
  type Faults,
  failBatchAtomically,
  failWholeBatch,
  insertNullEntries,
  planFaults,
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
import { failureOf, never, quick, stillTiming } from './fixtures'

/** The adapter against a whole tracker that speaks the protocol, with faults where a test wants them. */
async function openSandbox(faults: Faults = []) {
  const sandbox = await startSandbox({ file: null, token: 'sandbox-token', faults: planFaults(faults) })
  onTestFinished(() => sandbox.close())
  const tracker = openTracker({
    url: sandbox.url,
    project: sandbox.project,
    token: 'sandbox-token',
    limits: { ...quick, idleTimeoutMs: 50 },
    timing: stillTiming(),
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

describe('the sandbox, read by the adapter', () => {
  it('has a backlog of several levels, whose states all have a category', async () => {
    const { tracker } = await openSandbox()
    const items = await allItems(tracker)
    expect(new Set(items.map((item) => item.level))).toEqual(new Set([0, 1, 2]))
    expect(items.filter((item) => item.stateCategory === null)).toEqual([])
    expect(items.some((item) => item.storyPoints !== null)).toBe(true)
    expect(items.some((item) => item.predecessorIds.length > 0)).toBe(true)
    expect(items.some((item) => item.description?.format === 'markdown')).toBe(true)
  })

  it('gives the same tree to a query as to a walk', async () => {
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

  it('keeps its fingerprints from one run to the next, whatever its port', async () => {
    const [one, two] = [await openSandbox(), await openSandbox()]
    const prints = async ({ tracker }: typeof one) => (await allItems(tracker)).map((item) => item.relationsFingerprint)
    expect(one.sandbox.url).not.toBe(two.sandbox.url)
    expect(await prints(one)).toEqual(await prints(two))
  })

  it('describes its process, every type on a level', async () => {
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

  it('refuses a wrong token', async () => {
    const { sandbox } = await openSandbox()
    const tracker = openTracker({ url: sandbox.url, project: null, token: 'guessed' })
    onTestFinished(() => tracker.close())
    expect(await failureOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_token' })
  })
})

describe('reading while the sandbox misbehaves', () => {
  it.each([
    ['a sign-in page', respondSignInPage()],
    ['a sign-in page under 200', respondSignInPage(200)],
    ['a redirect', redirectToSignIn()],
    ['401', respondUnauthorized()],
    ['an access check', respondAccessCheck()],
    ['an access check under 200', respondAccessCheck(200)],
  ])('a bad token is told as one: %s', async (_, fault) => {
    const { tracker } = await openSandbox([{ fault }])
    expect(await failureOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_token' })
  })

  it.each([
    ['429', throttle(1)],
    ['503', respondUnavailable()],
    ['a reset', resetBefore()],
    ['a reset after the work', resetAfter()],
    ['a cut', cutAfter(40)],
  ])('a passing fault is ridden out: %s', async (_, fault) => {
    const { tracker } = await openSandbox([{ path: /workitemsbatch/, nth: 1, fault }])
    expect((await tracker.getItems([101], { signal: never })).items).toHaveLength(1)
  })

  it('a plea to slow down on a good answer is heard', async () => {
    const { tracker } = await openSandbox([{ fault: addRetryAfter(2) }])
    expect(await tracker.getItem(101, never)).toMatchObject({ id: 101 })
  })

  it('a body that stops is not waited for', async () => {
    const { tracker } = await openSandbox([{ path: /workitems\/101/, fault: stallAfter(40) }])
    expect(await failureOf(tracker.getItem(101, never))).toMatchObject({ code: 'tracker_timeout' })
  })

  it('entries of null are nothing', async () => {
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

  it('sets, replaces and clears, and gives the items whole', async () => {
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

  it('tells a stale revision from a broken rule from an item that is not there', async () => {
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
  ] satisfies [string, FaultRule][])('leaves no item changed twice, and no outcome in doubt: %s', async (_, rule) => {
    const { tracker } = await openSandbox([rule])
    const before = await someStories(tracker)
    const outcomes = await change(tracker)
    const rejected = rule.fault.respond !== undefined && !('nth' in rule)
    expect(outcomes.map(({ status }) => status)).toEqual([rejected ? 'rejected' : 'applied', 'applied', 'applied'])
    const after = await someStories(tracker)
    expect(after.map((item, i) => item.rev - before[i]!.rev)).toEqual([rejected ? 0 : 1, 1, 1])
  })

  it('is in doubt only where nothing was done and nothing said', async () => {
    const { tracker } = await openSandbox([{ path: /\$batch/, fault: resetBefore() }])
    expect((await change(tracker)).map(({ status }) => status)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  it('applies the good ones of a bulk that is all or nothing', async () => {
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
