import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { reportSync } from '../../../src/items/operations/import/report-sync'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { listItems } from '../../../src/items/operations/list-items'
import { BackgroundSync, type BackgroundSyncOptions } from '../../../src/items/services/import/background-sync'
import { inspectSync } from '../../../src/items/services/import/sync-status'
import { type Context, execute } from '../../../src/kernel'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/time'
import { reportHealth } from '../../../src/system/operations/report-health'
import type { Tracker } from '../../../src/tracker'
import { type Fault, refuseWith, throttle } from '../../sandbox/fault-presets'
import { openTestWorkspace } from '../test-workspace'

const EVERY_MS = 5 * MINUTE_MS
const MIDDLE = () => 0.5

/** A workspace with two items, and a clock that the test moves. */
async function open({ fault = () => null }: { fault?(path: string): Fault | null } = {}) {
  const clock = { at: Date.now(), now: () => clock.at }
  let isImported = false
  const workspace = await openTestWorkspace({ clock, faults: ({ path }) => (isImported ? fault(path) : null) })
  await workspace.run(importSingle, { ids: [202, 204] })
  isImported = true
  workspace.asked()
  /** Another process on the same database. */
  const start = (signal = new AbortController().signal, options: Partial<BackgroundSyncOptions> = {}) =>
    new BackgroundSync(workspace.studio.context({ actor: { kind: 'local' }, signal }), {
      everyMs: EVERY_MS,
      hasDefault: true,
      random: MIDDLE,
      ...options,
    })
  const status = async () => (await workspace.run(reportSync, {}))[0]
  const titleOf = async (id: number) => (await workspace.run(getItem, { id, cached: true })).title
  return { ...workspace, clock, start, status, titleOf }
}

describe('the sync of a service', () => {
  it('reads changes when it is due, and asks nothing before', async () => {
    const { start, clock, changeRemotely, titleOf, asked } = await open()
    const sync = start()
    await sync.syncDue()
    await changeRemotely(204, { 'System.Title': 'Renamed by another user' })
    clock.at += EVERY_MS - 1
    await sync.syncDue()
    expect(asked()).toEqual([])
    clock.at += 1
    await sync.syncDue()
    expect(await titleOf(204)).toBe('Renamed by another user')
  })

  it('takes at most three requests, and changes no row of an item, while nothing changes', async () => {
    const { start, clock, asked, status, run } = await open()
    const sync = start()
    await sync.syncDue()
    const before = await run(listItems, {})
    asked()
    clock.at += EVERY_MS
    await sync.syncDue()
    expect(asked().length).toBeLessThanOrEqual(3)
    const now = new Date(clock.at).toISOString()
    expect(await status()).toMatchObject({ checkedAt: now, ageSeconds: 0, failure: null })
    // Lists say that the items are as new as the sync.
    expect(await run(listItems, {})).toEqual(before.map((item: object) => ({ ...item, fetchedAt: now })))
  })

  it('reads no item again that has not changed, however often it has run', async () => {
    const { start, clock, asked, run } = await open()
    await run(importFeature, { featureId: 101 })
    const sync = start()
    await sync.syncDue()
    asked()
    for (let times = 0; times < 3; times++) {
      clock.at += EVERY_MS
      await sync.syncDue()
    }
    expect(asked().filter((request) => request.includes('workitemsbatch'))).toEqual([])
  })

  it('reads an item again that an import read before the sync and saved after it', async () => {
    const { start, clock, studio, changeRemotely, titleOf } = await open()
    const sync = start()
    await sync.syncDue()
    const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
    const tracker = await context.tracker()
    const getItems: Tracker['getItems'] = async (ids, options) => {
      const read = await tracker.getItems(ids, options)
      await changeRemotely(205, { 'System.Title': 'Renamed after it was read' })
      clock.at += EVERY_MS
      await sync.syncDue()
      return read
    }
    await execute(importSingle, { id: 205 }, { ...context, tracker: async () => ({ ...tracker, getItems }) } as Context)
    expect(await titleOf(205)).not.toBe('Renamed after it was read')
    clock.at += EVERY_MS
    await sync.syncDue()
    expect(await titleOf(205)).toBe('Renamed after it was read')
  })

  it('is done by one process at a time, and taken over within a minute of a kill', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let hangs = true
    const { start, clock, changeRemotely, titleOf, asked } = await open({
      fault: (path) => (hangs && path.includes('workitemrevisions') ? { hold: () => held } : null),
    })
    await changeRemotely(204, { 'System.Title': 'Renamed' })
    // The first process never ends its sync, like one that was killed.
    const first = start().syncDue()
    while (!asked().some((request) => request.includes('workitemrevisions'))) await new Promise(setImmediate)
    hangs = false
    const second = start()
    await second.syncDue()
    expect(asked()).toEqual([])
    clock.at += 46 * SECOND_MS
    await second.syncDue()
    expect(await titleOf(204)).toBe('Renamed')
    letGo()
    await first
  })

  it('says why it failed, waits longer each time, and forgets it after a success', async () => {
    let fails = true
    const { start, clock, status, asked, run, studio } = await open({
      fault: () => (fails ? refuseWith(401, 'UnauthorizedRequestException', 'TF400813: no') : null),
    })
    const sync = start()
    const waits: number[] = []
    for (let i = 0; i < 6; i++) {
      await sync.syncDue()
      const { nextAt } = await status()
      waits.push((Date.parse(nextAt) - clock.at) / MINUTE_MS)
      clock.at = Date.parse(nextAt)
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60])
    expect(await status()).toMatchObject({ failures: 6, failure: { code: 'tracker_token' } })
    expect(await run(reportHealth, {})).toMatchObject({ workItems: { failure: 'tracker_token' } })
    const message = expect.stringMatching(/^The work items were never synchronized, because the last sync failed: ./)
    expect(await inspectSync(studio.db, clock.at)).toMatchObject([{ about: 'sync', level: 'warning', message }])
    fails = false
    asked()
    await sync.syncDue()
    expect(await status()).toMatchObject({ failures: 0, failure: null })
    expect(await inspectSync(studio.db, clock.at + 3 * HOUR_MS)).toMatchObject([
      { about: 'sync', level: 'ok', message: 'The work items are 3 hours old.' },
    ])
  })

  it('waits as long as the tracker asks', async () => {
    const { start, clock, status } = await open({ fault: () => throttle(3_000) })
    await start().syncDue()
    const { nextAt, failure } = await status()
    expect(failure.code).toBe('tracker_throttled')
    expect(Date.parse(nextAt) - clock.at).toBe(3_000 * SECOND_MS)
  })

  it('asks again after a day if the tracker asks for a longer pause', async () => {
    const { start, clock, status } = await open({ fault: () => throttle(1e15) })
    await start().syncDue()
    expect(Date.parse((await status()).nextAt) - clock.at).toBe(24 * HOUR_MS)
  })

  it('does not wait for a time that was stored with a longer interval', async () => {
    const { start, clock, status } = await open()
    const signal = new AbortController().signal
    await start(signal, { everyMs: 24 * HOUR_MS }).syncDue()
    expect(Date.parse((await status()).nextAt) - clock.at).toBe(24 * HOUR_MS)
    await start().syncDue()
    expect(Date.parse((await status()).nextAt) - clock.at).toBe(EVERY_MS)
  })

  it('goes on at once after somebody has synchronized the items by hand', async () => {
    let fails = true
    const { start, clock, status, run } = await open({
      fault: () => (fails ? refuseWith(401, 'UnauthorizedRequestException', 'TF400813: no') : null),
    })
    const sync = start()
    for (let times = 0; times < 4; times++) {
      await sync.syncDue()
      clock.at = Date.parse((await status()).nextAt)
    }
    clock.at -= 30 * MINUTE_MS
    fails = false
    await run(syncItems, {})
    await sync.syncDue()
    expect(Date.parse((await status()).nextAt) - clock.at).toBe(EVERY_MS)
  })

  it('says nothing of the items of a sandbox that the settings have replaced', async () => {
    const { start, run } = await open()
    await start(new AbortController().signal, { hasDefault: false }).syncDue()
    expect(await run(reportHealth, {})).toMatchObject({ workItems: null })
  })

  it('says so of items that the tracker answers in a form that cannot be read', async () => {
    const { start, status, changeRemotely } = await open({
      fault: (path) =>
        path.includes('workitemsbatch')
          ? { editResponse: (answer) => ({ ...answer, body: answer.body.replace(/"rev":\d+/, '"rev":"none"') }) }
          : null,
    })
    await changeRemotely(204, { 'System.Title': 'Renamed' })
    await start().syncDue()
    expect(await status()).toMatchObject({ failures: 1, failure: { code: 'tracker_answer' } })
  })

  it('ends with the items of the tracker, however often it is killed while they change', async () => {
    const { start, clock, run, changeRemotely, removeRemotely } = await open()
    await run(importFeature, { featureId: 101 })
    const ids: number[] = (await run(listItems, {})).map(({ id }: { id: number }) => id)
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 50; round++) {
      const id = ids[random(ids.length)]!
      if (round % 25 === 24) await removeRemotely(ids.pop()!)
      else await changeRemotely(id, { 'System.Title': `Title ${round}` }).catch(() => {})
      const killed = new AbortController()
      const running = start(killed.signal).syncDue()
      for (let turn = random(60); turn > 0; turn--) await new Promise(setImmediate)
      killed.abort()
      await running
      clock.at += EVERY_MS
    }
    await start().syncDue()
    for (const id of ids) {
      const { title: cached } = await run(getItem, { id, cached: true })
      expect(cached).toBe((await run(getItem, { id })).title)
    }
    const gone = (
      await Promise.all([...(await run(listItems, {}))].map(({ id }) => run(getItem, { id, cached: true })))
    ).filter(({ goneSince }) => goneSince !== null)
    expect(gone).toHaveLength(2)
  })
})
