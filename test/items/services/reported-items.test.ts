import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { listReportedItems, removeReports, saveReportedItems } from '../../../src/items/queries'
import { ReportedItems } from '../../../src/items/services/hooks/read-reported-items'
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/time'
import { type Fault, refuseWith, throttle } from '../../sandbox/fault-presets'
import { openGitHubWorkspace } from '../../tracker/github/fixtures'
import { openTestWorkspace } from '../test-workspace'

/** A workspace with two items, and a clock that the test moves. */
async function open({ fault = () => null }: { fault?(path: string): Fault | null } = {}) {
  const clock = { at: Date.now(), now: () => clock.at }
  let isImported = false
  const workspace = await openTestWorkspace({ clock, faults: ({ path }) => (isImported ? fault(path) : null) })
  await workspace.run(importSingle, { ids: [202, 204] })
  isImported = true
  workspace.asked()
  const { db } = workspace.studio
  const report = (...ids: number[]) =>
    db.write((tx) => saveReportedItems(tx, 'default', ids.map(String), new Date(clock.at).toISOString()))
  const waiting = async () => (await db.read((tx) => listReportedItems(tx, 'default', 10_000))).map(({ key }) => key)
  /** Another process on the same database. */
  const start = (signal = new AbortController().signal) =>
    new ReportedItems(workspace.studio.context({ actor: { kind: 'local' }, signal }))
  const titleOf = async (id: number) => (await workspace.run(getItem, { id, cached: true })).title
  const reads = () => workspace.asked().filter((request) => request.includes('workitemsbatch')).length
  return { ...workspace, clock, report, waiting, start, titleOf, reads }
}

describe('items that a tracker reports', () => {
  it('are read together, each once, at once', async () => {
    const { report, start, changeRemotely, titleOf, waiting, asked } = await open()
    await changeRemotely(204, { 'System.Title': 'Renamed by another user' })
    for (let times = 0; times < 100; times++) await report(202, 204)
    await start().readDue()
    expect(await titleOf(204)).toBe('Renamed by another user')
    expect(await waiting()).toEqual([])
    expect(asked().length).toBeLessThanOrEqual(4)
  })

  it('cost a few requests in a minute, however often they are reported without a change', async () => {
    const { report, start, clock, reads } = await open()
    const reader = start()
    const end = clock.at + MINUTE_MS
    while (clock.at < end) {
      await report(202, 204, 1_000_000 + (clock.at % 1000))
      const waitMs = await reader.readDue()
      expect(waitMs).toBeGreaterThan(0)
      clock.at += Math.min(waitMs, 200)
    }
    expect(reads()).toBeLessThanOrEqual(16)
  })

  it('are read without a pause again when there was quiet', async () => {
    const { report, start, clock, changeRemotely, titleOf } = await open()
    const reader = start()
    for (let times = 0; times < 6; times++) {
      await report(204)
      clock.at += await reader.readDue()
    }
    clock.at += MINUTE_MS
    await changeRemotely(204, { 'System.Title': 'Renamed later' })
    await report(204)
    await reader.readDue()
    expect(await titleOf(204)).toBe('Renamed later')
  })

  it('of the workspace do not wait for reports of others, of which a large tracker has many', async () => {
    const { report, start, clock, changeRemotely, titleOf, reads } = await open()
    const reader = start()
    const from = clock.at
    let others = 1_000_000
    const pass = async (ms: number) => {
      for (const end = clock.at + ms; clock.at < end; clock.at += 200) {
        if (others % 5 === 0) await report(others)
        others += 1
        await reader.readDue()
      }
    }
    await pass(130 * SECOND_MS)
    for (const title of ['Renamed once', 'Renamed twice']) {
      await changeRemotely(204, { 'System.Title': title })
      await report(204)
      await pass(2 * SECOND_MS)
      expect(await titleOf(204)).toBe(title)
      await pass(MINUTE_MS)
    }
    // What is not in the workspace is still asked for rarely.
    expect(reads()).toBeLessThanOrEqual(10 + ((clock.at - from) / MINUTE_MS) * 4)
  })

  it('are read although the clock was set back during a pause', async () => {
    const { report, start, clock, changeRemotely, titleOf } = await open()
    const reader = start()
    await report(204)
    await reader.readDue()
    clock.at -= 60 * MINUTE_MS
    await changeRemotely(204, { 'System.Title': 'Renamed after that' })
    await report(204)
    await reader.readDue()
    expect(await titleOf(204)).toBe('Renamed after that')
  })

  it('are not forgotten by a process that slept while another one read them and they were reported again', async () => {
    const { report, clock, waiting, studio } = await open()
    const { db } = studio
    await report(204)
    const asRead = await db.read((tx) => listReportedItems(tx, 'default', 10))
    await db.write((tx) => removeReports(tx, 'default', asRead))
    clock.at += MINUTE_MS
    await report(204)
    await db.write((tx) => removeReports(tx, 'default', asRead))
    expect(await waiting()).toEqual(['204'])
  })

  it('are read again if they were reported while they were read', async () => {
    let isReported = false
    const { report, start, waiting } = await open({
      fault: (path) => {
        if (!path.includes('workitemsbatch') || isReported) return null
        isReported = true
        return { hold: () => report(204) }
      },
    })
    await report(202, 204)
    await start().readDue()
    expect(await waiting()).toEqual(['204'])
  })

  it('wait while the tracker refuses, longer each time', async () => {
    const refused = refuseWith(401, 'UnauthorizedRequestException', 'TF400813: no')
    const { report, start, clock, asked } = await open({ fault: () => refused })
    const reader = start()
    await report(204)
    let last = 0
    for (let times = 0; times < 4; times++) {
      await reader.readDue()
      asked()
      const from = clock.at
      while (asked().length === 0) {
        clock.at += SECOND_MS
        await reader.readDue()
      }
      expect(clock.at - from).toBeGreaterThan(last)
      last = clock.at - from
    }
  })

  it('wait as long as the tracker asks for', async () => {
    const { report, start, clock, waiting, asked } = await open({ fault: () => throttle(3_000) })
    const reader = start()
    await report(204)
    await reader.readDue()
    asked()
    clock.at += 49 * MINUTE_MS
    await reader.readDue()
    expect(asked()).toEqual([])
    expect(await waiting()).toEqual(['204'])
  })

  it('are read by one process at a time, and by another one after a kill', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let hangs = true
    const { report, start, clock, waiting, asked } = await open({
      fault: (path) => (hangs && path.includes('workitemsbatch') ? { hold: () => held } : null),
    })
    await report(204)
    const first = start().readDue()
    while (!asked().some((request) => request.includes('workitemsbatch'))) await new Promise(setImmediate)
    hangs = false
    const second = start()
    expect(await second.readDue()).toBeLessThan(SECOND_MS)
    expect(asked()).toEqual([])
    clock.at += 46 * SECOND_MS
    await second.readDue()
    expect(await waiting()).toEqual([])
    letGo()
    await first
  })

  it('are forgotten if their tracker is no longer in the settings', async () => {
    const { studio, start } = await open()
    await studio.db.write((tx) => saveReportedItems(tx, 'gone', ['1'], new Date().toISOString()))
    await start().readDue()
    expect(await studio.db.read((tx) => listReportedItems(tx, 'gone', 10))).toEqual([])
  })

  it('are of the repository of the tracker: those of another one are not read', async () => {
    const { studio, github, run } = await openGitHubWorkspace({ issues: [{ number: 1 }, { number: 2 }], types: [] })
    await run(importSingle, { ids: [1, 2] })
    github.change(1, { title: 'Changed' })
    github.change(2, { title: 'Changed' })
    const { name } = await studio.context({ actor: { kind: 'local' } }).tracker()
    const repository = name.split('/').slice(1).join('/')
    const keys = [`${repository.toUpperCase()}#1`, 'someone/else#2']
    await studio.db.write((tx) => saveReportedItems(tx, 'default', keys, new Date().toISOString()))
    await new ReportedItems(studio.context({ actor: { kind: 'local' } })).readDue()
    const titles = await Promise.all([1, 2].map(async (id) => (await run(getItem, { id, cached: true })).title))
    expect(titles).toEqual(['Changed', expect.not.stringContaining('Changed')])
  })
})
