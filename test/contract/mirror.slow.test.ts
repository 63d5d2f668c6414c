import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bigTree } from '../bench/workspace-tree'
import { startTestSandbox } from '../sandbox/test-sandbox'
import { program } from './program'

/** The program over a tracker that is asked for by its address, as a real one would be. */
async function overTracker(options: Parameters<typeof startTestSandbox>[0] = {}) {
  const sandbox = await startTestSandbox(options)
  onTestFinished(() => sandbox.close())
  const studio = await program()
  const env = {
    STUDIO_TRACKER_URL: sandbox.url,
    STUDIO_TRACKER_PROJECT: sandbox.project,
    ...(options.token ? { STUDIO_TRACKER_TOKEN: options.token } : {}),
  }
  return {
    sandbox,
    env,
    run: (args: string[], more: Record<string, string> = {}) => studio.run(args, { env: { ...env, ...more } }),
    json: (args: string[]) => studio.json(args, { env }),
  }
}

describe('the mirror of the tracker, on the command line', () => {
  it('imports, syncs, and reports changes', async () => {
    const { json, run, sandbox } = await overTracker()
    await json(['import', '101'])
    expect(await json(['item', 'sync'])).toMatchObject({ checked: 30, updated: 0, unchanged: 30 })
    await fetch(`${sandbox.url}/_apis/wit/workitems/343?api-version=7.1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify([{ op: 'add', path: '/fields/System.Title', value: 'Another title' }]),
    })
    expect(await json(['item', 'freshness', '343'])).toMatchObject({ isFresh: false, reason: 'revision' })
    const synced = await run(['item', 'sync'])
    expect(synced.out).toMatch(/343 .*Title/)
    expect(synced.out).toContain('30 items checked: 1 updated, 29 unchanged')
    expect((await json(['item', 'history', '343'])).snapshots[0].changes).toMatchObject([{ to: 'Another title' }])
    expect((await run(['item', 'history', '343'])).out).toContain('Another title')
  })

  it('exits 8 where a named item is not here', async () => {
    const { run, json } = await overTracker()
    await json(['import', '--item', '204'])
    expect((await run(['item', 'sync', '204', '9999'])).exitCode).toBe(8)
  })

  it('searches the tracker and describes its process', async () => {
    const { json, run } = await overTracker()
    expect(await json(['item', 'search', 'dock', 'door'])).toMatchObject({ query: 'dock door', source: 'search' })
    expect((await run(['item', 'search', 'door', '--type', 'Bug'])).out).toContain('501')
    expect((await json(['item', 'metadata'])).pointsField.name).toBe('Story Points')
  })

  it('updates a thousand items whose IDs come on standard input', async () => {
    const sandbox = await startTestSandbox({ seed: bigTree(1_000) })
    onTestFinished(() => sandbox.close())
    const studio = await program()
    const ran = await studio.run(['batch-update', '-', '--set', 'Title=Another title', '--yes', '--json'], {
      input: Array.from({ length: 1_000 }, (_, i) => i + 1).join('\n'),
      env: { STUDIO_TRACKER_URL: sandbox.url, STUDIO_TRACKER_PROJECT: sandbox.project },
    })
    expect(ran.exitCode).toBe(0)
    expect(JSON.parse(ran.out)).toMatchObject({ requested: 1_000, applied: 1_000 })
  })

  it('works without a tracker where none is needed, and says how old what it shows is', async () => {
    const { run, json, sandbox } = await overTracker()
    await json(['import', '101'])
    await sandbox.close()
    expect((await run(['item', 'get', '204'])).err).toContain('studio item get 204 --cached')
    expect((await run(['item', 'get', '204', '--cached'])).out).toMatch(/fetched .* \(from the snapshot\)/)
    expect((await run(['item', 'list'])).out).toMatch(/30 items, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect((await run(['item', 'history', '204'])).exitCode).toBe(0)
    expect((await run(['item', 'sync'])).exitCode).toBe(7)
  })

  it('refuses to mix two trackers, and says how to use both', async () => {
    const { run, json } = await overTracker()
    await json(['import', '--item', '204'])
    const other = await startTestSandbox({ seed: bigTree(12) })
    onTestFinished(() => other.close())
    const refused = await run(['import', '1'], { STUDIO_TRACKER_URL: other.url, STUDIO_TRACKER_PROJECT: 'Big' })
    expect(refused.exitCode).toBe(5)
    expect(refused.err).toContain('STUDIO_DB')
    expect(await json(['item', 'list'])).toHaveLength(1)
  })

  it("does not send the user's token where a repository's file says", async () => {
    const { sandbox, run } = await overTracker({ file: null, token: 'the-token' })
    const studio = await program()
    writeFileSync(join(studio.home, 'studio.config.json'), JSON.stringify({ tracker: { url: sandbox.url } }))
    const ran = await studio.run(['item', 'get', '204'], { env: { STUDIO_TRACKER_TOKEN: 'the-token' } })
    expect(ran.exitCode).toBe(2)
    expect(ran.err).toContain('studio config trust')
    expect(sandbox.requests.every(({ headers }) => headers['authorization'] === undefined)).toBe(true)
    expect((await run(['item', 'get', '204'])).exitCode).toBe(0)
  })
})
