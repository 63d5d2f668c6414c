import { describe, expect, it } from 'vitest'
import { getItem } from '../../../src/items/operations/get-item'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { listItems } from '../../../src/items/operations/list-items'
import { BackgroundSync, type SyncContext } from '../../../src/items/services/import/background-sync'
import type { AnyOperation } from '../../../src/kernel'
import { bigTree } from '../../bench/workspace-tree'
import { createBacklog as createGitHubBacklog, openGitHubWorkspace } from '../../tracker/github/fixtures'
import { createBacklog as createJiraBacklog, openJiraWorkspace } from '../../tracker/jira/fixtures'
import { openTestWorkspace } from '../test-workspace'

/** A tracker with 1,000 items, all imported. */
interface Site {
  run(op: AnyOperation, input: unknown): Promise<any>
  context(): SyncContext
  ids: readonly number[]
  /** Another user gives an item a title, some minutes after the last sync. */
  rename(id: number, title: string): Promise<void> | void
}

/** Called with each request to the tracker. */
type OnRequest = () => void

const ITEMS = 1_000

const sites: Record<string, (onRequest: OnRequest) => Promise<Site>> = {
  async 'Azure DevOps'(onRequest) {
    const counted = () => {
      onRequest()
      return null
    }
    const { run, studio, changeRemotely } = await openTestWorkspace({ seed: bigTree(ITEMS), faults: counted })
    return {
      run,
      context: () => studio.context({ actor: { kind: 'local' } }),
      ids: Array.from({ length: ITEMS }, (_, i) => i + 1),
      rename: (id, title) => changeRemotely(id, { 'System.Title': title }),
    }
  },
  async GitHub(onRequest) {
    const issues = createGitHubBacklog(90, 10)
    const answer = () => {
      onRequest()
      return null
    }
    const options = { issues, types: ['Feature', 'Story', 'Task'] }
    const { run, studio, github } = await openGitHubWorkspace(options, { answer })
    return {
      run,
      context: () => studio.context({ actor: { kind: 'local' } }),
      ids: issues.map(({ number }) => number),
      rename: (id, title) => github.change(id, { title }),
    }
  },
  async Jira(onRequest) {
    const issues = createJiraBacklog(90, 10)
    const answer = () => {
      onRequest()
      return null
    }
    const { run, openProcess, site, change } = await openJiraWorkspace({ deployment: 'cloud', issues, answer })
    const openContext = openProcess()
    return {
      run,
      context: openContext,
      ids: issues.map(({ id }) => id),
      rename(id, summary) {
        // Its search knows minutes.
        for (let ticks = 0; ticks < 12; ticks++) site.tick()
        change(id, { summary })
      },
    }
  },
}

/** Synchronizes after every few of 1,000 random changes, and kills every fourth of 200 syncs at a random request. Returns how many requests it took. */
async function follow(open: (onRequest: OnRequest) => Promise<Site>, { kills }: { kills: boolean }): Promise<number> {
  let requests = 0
  let killAt = Number.POSITIVE_INFINITY
  let killed = new AbortController()
  const { run, context, ids, rename } = await open(() => {
    requests += 1
    if (requests === killAt) killed.abort()
  })
  await run(importFeature, { featureId: ids[0] })
  const titles = new Map<number, string>()
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const sync = () => {
    const signal = AbortSignal.any([killed.signal])
    return new BackgroundSync({ ...context(), signal }, { everyMs: 0, hasDefault: true }).syncDue()
  }
  await sync()
  requests = 0
  let renaming = 0
  for (let round = 0; round < 200; round++) {
    for (let change = 0; change < 5; change++) {
      const id = ids[random(ids.length)]!
      titles.set(id, `Title ${round} ${change}`)
      const before = requests
      await rename(id, titles.get(id)!)
      renaming += requests - before
    }
    const isKilled = round % 4 === 1
    const after = 1 + random(4)
    killed = new AbortController()
    killAt = kills && isKilled ? requests + after : Number.POSITIVE_INFINITY
    await sync()
  }
  killed = new AbortController()
  killAt = Number.POSITIVE_INFINITY
  await sync()
  const taken = requests - renaming
  const cached = new Map((await run(listItems, {})).map(({ id, title }: { id: number; title: string }) => [id, title]))
  for (const [id, title] of titles) expect([id, cached.get(id)]).toEqual([id, title])
  for (const id of ids.filter((_, i) => i % 50 === 0))
    expect((await run(getItem, { id, cached: true })).title).toBe((await run(getItem, { id })).title)
  return taken
}

describe.each(Object.entries(sites))('the sync with %s', (_, open) => {
  it('ends with the items of the tracker after 1,000 changes and 50 kills, with few more requests than without kills', async () => {
    const ideal = await follow(open, { kills: false })
    const taken = await follow(open, { kills: true })
    expect(taken / ideal).toBeLessThanOrEqual(1.2)
  })
})
