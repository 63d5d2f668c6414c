import { expect, it, onTestFinished } from 'vitest'
import { listAudit } from '../../src/audit/operations/list-audit'
import { removeOldEntries } from '../../src/audit/services/remove-old-entries'
import { loadOperation } from '../../src/catalog'
import { type Actor, execute, executePage } from '../../src/kernel'
import { DAY_MS } from '../../src/kernel/time'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { DC1, load } from '../docks/dock-fixtures'
import { describeWithPostgres } from '../storage/postgres/server'

describeWithPostgres('the audit on PostgreSQL', (server) => {
  async function openOffice() {
    const db = await openDatabase(await server().createDatabase(), migrations)
    let now = Date.parse('2026-11-16T14:00:00Z')
    const studio = openStudio({ env: { STUDIO_HOME: '/nowhere' }, cwd: '/', db, clock: { now: () => now } })
    onTestFinished(() => studio.close())
    const as = (actor: Actor) => studio.context({ actor, origin: 'cli' })
    const terminal = as({ kind: 'terminal', tenant: 'default' })
    return {
      context: terminal,
      pass: (ms: number) => {
        now += ms
      },
      run: async (id: string, input: object, ctx = terminal): Promise<any> =>
        execute(await loadOperation(id), input, ctx),
      as,
    }
  }

  it('has one entry of each of many calls at once, whatever became of them', async () => {
    const { run } = await openOffice()
    await run('facilities.create', DC1)
    const calls = Array.from({ length: 40 }, (_, i) =>
      run('appointments.book', load({ referenceNumber: `PO-${Math.floor(i / 2)}` })).then(
        () => 'done',
        () => 'failed',
      ),
    )
    const outcomes = await Promise.all(calls)
    const entries = await run('audit.list', { operation: 'appointments.book' })
    const count = (list: string[], outcome: string) => list.filter((each) => each === outcome).length
    const stored = entries.map(({ outcome }: { outcome: string }) => outcome)
    expect(count(stored, 'done')).toBe(count(outcomes, 'done'))
    // Failures of a flood share entries.
    expect(count(stored, 'failed')).toBeGreaterThan(0)
    for (const { id, times } of entries) expect([typeof id, typeof times]).toEqual(['number', 'number'])
  })

  it('is filtered, read in pages and shortened', async () => {
    const { run, as, context, pass } = await openOffice()
    const { token: _, id } = await run('tokens.create', { name: 'Ana', role: 'publisher' })
    const ana = as({ kind: 'user', name: `An\0a\ud800`, role: 'publisher', tokenId: id })
    for (let i = 0; i < 5; i++) await run('drafts.save', { title: `${i}` }, ana)
    await run('tokens.revoke', { id }, ana).catch(() => {})
    expect(await run('audit.list', { who: id })).toHaveLength(6)
    expect(await run('audit.list', { target: 'draft:3' })).toHaveLength(1)
    expect(await run('audit.list', { target: '3', operation: 'drafts' })).toHaveLength(1)
    expect(await run('audit.list', { outcome: 'refused' })).toMatchObject([{ code: 'forbidden', who: 'An a\ufffd' }])
    const page = (cursor: string | null) =>
      executePage(listAudit, { input: { operation: 'drafts' }, source: 'x' }, context, { limit: 3, cursor })
    const first = await page(null)
    const second = await page(first.nextCursor)
    expect([first.entries.length, second.entries.length, first.total, second.nextCursor]).toEqual([3, 2, 5, null])
    pass(40 * DAY_MS)
    expect(await removeOldEntries(context, 30)).toBe(7)
    expect(await run('audit.list', {})).toMatchObject([{ operation: 'audit.remove-old' }])
  })

  it('has the beginning and the end of a call that changes something elsewhere', async () => {
    const { run } = await openOffice()
    await run('waitlist.offer', {})
    expect(await run('audit.list', {})).toMatchObject([{ operation: 'waitlist.offer', outcome: 'done' }])
  })
})
