import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstJsonLine, program } from './program'

const SANDBOX_NOTICE = /No tracker is set/

describe('the story studio on the command line', () => {
  it('imports a tree, finds it, copies it clean, updates it and briefs', async () => {
    const studio = await program()
    const imported = await studio.json(['import', '101'])
    expect(imported).toMatchObject({ feature: { id: 101 }, updated: 0, unchanged: 0, skipped: [] })
    expect(imported.imported).toBeGreaterThan(20)
    expect(Object.values<number>(imported.byType).reduce((sum, n) => sum + n, 0)).toBe(imported.imported)

    const again = await studio.json(['import', '101'])
    expect(again).toMatchObject({ imported: 0, updated: 0, unchanged: imported.imported })

    const items = await studio.json(['item', 'list'])
    expect(items).toHaveLength(imported.imported)

    const found = await studio.json(['search', 'door', '--limit', '2'])
    expect(found.results.length).toBe(2)
    expect(found.total).toBeGreaterThanOrEqual(2)
    expect(found.results[0]).toMatchObject({ type: 'devops', score: expect.any(Number), highlights: expect.any(Array) })

    const draft = await studio.json(['copy-sanitize', '204'])
    expect(draft).toMatchObject({ id: 1, folderId: 1, sourceItemId: 204, assignedTo: null })
    expect(draft.title).toMatch(/ - Copy$/)
    expect(draft.sanitization.removed.length).toBeGreaterThan(0)
    expect(await studio.json(['draft', 'get', '1'])).toMatchObject({
      id: 1,
      title: draft.title,
      description: draft.description,
    })

    const updated = await studio.json(['batch-update', '343', '344', '--set', 'priority=1', '--yes'])
    expect(updated).toMatchObject({ requested: 2, applied: 2, conflicts: 0, rejected: 0, notAttempted: 0, unknown: 0 })
    expect(await studio.json(['item', 'get', '343'])).toMatchObject({
      id: 343,
      priority: 1,
      localRev: updated.results[0].rev,
    })

    const brief = await studio.json(['brief', '--mode', 'deterministic'])
    expect(brief.markdown).toContain('#101')
    expect((await studio.json(['brief'])).markdown).toBe(brief.markdown)
  })

  it('says that it works on the sandbox, on standard error alone', async () => {
    const studio = await program()
    const { out, err } = await studio.run(['item', 'get', '101', '--json'])
    expect(err).toMatch(SANDBOX_NOTICE)
    expect(out).not.toMatch(SANDBOX_NOTICE)
    expect((await studio.run(['item', 'get', '101', '--quiet'])).err).toBe('')
  })

  it('shows what a batch would do, and asks before it does it', async () => {
    const studio = await program()
    const dry = await studio.json(['batch-update', '343', '344', '--set', 'Priority=1', '--dry-run'])
    expect(dry).toMatchObject({ dryRun: true, applied: 0, notAttempted: 2 })
    expect(dry.results[0].changes[0]).toMatchObject({ field: 'Priority', to: 1 })
    const unasked = await studio.run(['batch-update', '343', '344', '--set', 'Priority=1'])
    expect(unasked.exitCode).toBe(2)
    expect(unasked.err).toContain('--yes')
    expect(await studio.json(['item', 'get', '343'])).toMatchObject({ priority: dry.results[0].changes[0].from })
  })

  it('links items, and refuses a circle before anything is sent', async () => {
    const studio = await program()
    const linked = await studio.json(['item', 'link', '217', '--predecessor', '219', '--related', '501'])
    expect(linked).toMatchObject({ applied: 1, linked: [{ id: 219 }, { id: 501 }] })
    const refused = await studio.run(['item', 'link', '219', '--predecessor', '217', '--json'])
    expect(refused.exitCode).toBe(2)
    expect(JSON.parse(refused.err.trim().split('\n').at(-1)!)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('(#217 → #219)'),
    })
    await studio.json(['item', 'unlink', '217', '--predecessor', '219'])
    expect(await studio.json(['item', 'link', '219', '--predecessor', '217'])).toMatchObject({ applied: 1 })
    expect(await studio.json(['batch-update', '343', '--set', 'Parent=205'])).toMatchObject({ applied: 1 })
    expect(await studio.json(['item', 'get', '343'])).toMatchObject({ parentId: 205 })
  })

  it('takes item IDs from standard input', async () => {
    const studio = await program()
    const answer = await studio.json(['batch-update', '-', '--set', 'Priority=2', '--dry-run'], {
      input: '343\n312, 342\n',
    })
    expect(answer.requested).toBe(3)
  })

  it('refuses a value that the process does not allow before anything is sent', async () => {
    const studio = await program()
    const { exitCode, err } = await studio.run(['batch-update', '343', '--set', 'State=Nowhere', '--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(err.trim().split('\n').at(-1)!)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Nowhere'),
    })
  })

  it('ends a batch of which a part could not be applied with exit 8 and an entry for every input', async () => {
    const studio = await program()
    const { exitCode, out } = await studio.run([
      'batch-update',
      '343',
      '99999',
      '--set',
      'Priority=1',
      '--yes',
      '--json',
    ])
    expect(exitCode).toBe(8)
    expect(JSON.parse(out)).toMatchObject({
      requested: 2,
      applied: 1,
      rejected: 1,
      results: [{ id: 343 }, { id: 99999 }],
    })
  })

  it('imports single items and says which it could not', async () => {
    const studio = await program()
    const { exitCode, out } = await studio.run(['import', '--item', '204', '99999', '--json'])
    expect(exitCode).toBe(8)
    expect(JSON.parse(out)).toMatchObject({ imported: [{ id: 204 }], failed: [{ id: 99999 }] })
  })

  it('writes a briefing to a file, whole', async () => {
    const studio = await program()
    await studio.run(['import', '101'])
    expect((await studio.run(['brief', '--out', 'brief.md'])).exitCode).toBe(0)
    const text = await readFile(join(studio.home, 'brief.md'), 'utf8')
    expect(text).toBe((await studio.run(['brief'])).out)
  })

  it('answers from the snapshot when asked, and says so', async () => {
    const studio = await program()
    await studio.run(['item', 'get', '204'])
    const down = { STUDIO_TRACKER_URL: 'http://127.0.0.1:9/none', STUDIO_TRACKER_PROJECT: 'Harbor' }
    expect(await studio.json(['item', 'get', '204', '--cached'], { env: down })).toMatchObject({ id: 204, stale: true })
  })

  it('says what to do when the tracker is down, with exit 7, and stores no partial result', async () => {
    const studio = await program()
    const tracker = studio.start(['sandbox', '--port', '0', '--json'])
    const { url } = await firstJsonLine(tracker)
    const env = { STUDIO_TRACKER_URL: url, STUDIO_TRACKER_PROJECT: 'Harbor' }
    expect((await studio.run(['item', 'get', '204'], { env })).exitCode).toBe(0)
    tracker.kill()
    await tracker
    const { exitCode, err } = await studio.run(['item', 'get', '204'], { env })
    expect(exitCode).toBe(7)
    expect(err).toContain('studio item get 204 --cached')
    expect((await studio.run(['import', '101'], { env })).exitCode).toBe(7)
    expect(await studio.json(['item', 'list'])).toHaveLength(1)
  })

  it('refuses to touch a file that is no database', async () => {
    const studio = await program()
    await writeFile(join(studio.home, 'studio.db'), 'not a database at all')
    const { exitCode, err } = await studio.run(['draft', 'list'])
    expect(exitCode).toBe(1)
    expect(err).toContain('studio.db')
    expect(await readFile(join(studio.home, 'studio.db'), 'utf8')).toBe('not a database at all')
  })
})
