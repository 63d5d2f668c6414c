import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loadAllOperations, loadOperation } from '../src/catalog'
import { tables } from '../src/storage'
import { openTestWorkspace, type TestWorkspace } from './items/test-workspace'

const operations = await loadAllOperations()
const planned = operations.filter((op) => 'dryRun' in op.input.shape)

const DATE = '2027-03-01'
/** Hours of it are blocked, with an appointment in them. */
const BLOCKED = '2027-05-04'
const booking = {
  facilityCode: 'DC1',
  carrierName: 'Acme',
  palletCount: 4,
  type: 'delivery',
  targetDate: DATE,
}
const item = { id: 900, type: 'Bug', title: 'From a file', state: 'New' }

/** What each operation would do in the workspace of `openPrepared`. Those for a PostgreSQL server are tested with one. */
const calls: Record<string, (ids: { appointment: string; comment: number }) => Record<string, unknown>> = {
  'items.batch-update': () => ({ itemIds: [204, 205], updates: { State: 'Active', Priority: 1 } }),
  'items.link': () => ({ id: 204, relatedIds: [101] }),
  'items.unlink': () => ({ id: 204, parentId: 101 }),
  'items.create': () => ({ type: 'Bug', title: 'Planned' }),
  'items.attach': () => ({ id: 204, name: 'plan.txt', content: 'UGxhbm5lZA==' }),
  'items.attach-files': () => {
    const file = join(mkdtempSync(join(tmpdir(), 'plan-')), 'plan.txt')
    writeFileSync(file, 'Planned')
    return { id: 204, files: [file] }
  },
  'items.comment': () => ({ id: 204, text: 'Planned' }),
  'items.edit-comment': ({ comment }) => ({ id: 204, commentId: comment, text: 'Planned' }),
  'items.delete-comment': ({ comment }) => ({ id: 204, commentId: comment }),
  'items.move': () => ({ id: 204, state: 'Resolved' }),
  'items.assign': () => ({ id: 204, assignedTo: '' }),
  'items.delete': () => ({ id: 344 }),
  'items.add-web-link': () => ({ id: 204, url: 'https://example.com/plan' }),
  'items.remove-web-link': () => ({ id: 204, url: 'https://example.com/existing' }),
  'items.import-file': () => ({ text: JSON.stringify([item]), name: 'items.json', modifiedAt: '2026-01-01T00:00:00Z' }),
  'views.delete': () => ({ view: 'mine' }),
  'filters.delete': () => ({ id: 1 }),
  'drafts.copy-sanitize': () => ({ id: 204 }),
  'drafts.delete': () => ({ id: 1 }),
  'folders.delete': () => ({ id: 2, moveTo: 1 }),
  'items.publish-draft': () => ({ id: 1, type: 'Bug' }),
  'items.publish-tree': () => ({ files: [{ name: 'plan.md', text: '# Planned\n- [ ] Planned too' }] }),
  'appointments.book': () => ({ ...booking, referenceNumber: 'R-10' }),
  'appointments.complete': ({ appointment }) => ({ id: appointment }),
  'appointments.clear': () => ({ facilityCode: 'DC1', date: DATE, policy: 'next-open-day' }),
  'facilities.accept-plan': () => ({ id: 'DC1', date: BLOCKED }),
  'appointments.archive': () => ({ file: join(mkdtempSync(join(tmpdir(), 'plan-')), 'a.gz'), before: '2026-12-01' }),
  'appointments.import': () => ({ text: JSON.stringify({ ...booking, referenceNumber: 'R-9' }), facilityCode: 'DC1' }),
  'yard.import': () => ({ text: 'number,carrier\nTR-1,Acme', facilityCode: 'DC1' }),
  'facilities.update': () => ({ id: 'DC1', name: 'Another name' }),
  'facilities.close': () => ({ id: 'DC1', from: '2027-03-08' }),
  'facilities.reopen': () => ({ id: 'DC1', from: '2027-05-03' }),
  'facilities.block': () => ({ id: 'DC1', from: '2027-03-08T08:00', to: '09:00' }),
  'facilities.unblock': () => ({ id: 'DC1', from: `${BLOCKED}T08:00`, to: '09:00' }),
  'doors.add': () => ({ facilityCode: 'DC1', name: 'Ramp' }),
  'doors.update': () => ({ facilityCode: 'DC1', name: 'Door 2', active: false }),
  'doors.remove': () => ({ facilityCode: 'DC1', name: 'Door 2' }),
  'carriers.admit': () => ({ id: 'DC1', name: 'Blue Freight' }),
  'carriers.exclude': () => ({ id: 'DC1', name: 'Acme' }),
}
/** Those that need what the sandbox does not have are tested with a tracker that does. */
const SERVER_ONLY = ['appointments.partition', 'items.log-work']

it('are made by each operation that has a dry run', () => {
  expect(planned.map(({ id }) => id).sort()).toEqual([...Object.keys(calls), ...SERVER_ONLY].sort())
})

describe.each(planned.filter(({ id }) => !SERVER_ONLY.includes(id)).map((op) => [op.id, op] as const))(
  '%s',
  (id, op) => {
    it('does what its dry run has shown, and nothing if that has changed', async () => {
      const { workspace, ...ids } = await openPrepared()
      const call = calls[id]!(ids)
      const shown = await workspace.run(op, { ...call, dryRun: true })
      const before = await dump(workspace)
      const unknown = { ...call, planId: '0'.repeat(24) }
      await expect(workspace.run(op, unknown)).rejects.toMatchObject({
        code: 'plan_changed',
        details: [{ path: 'planId', planId: shown.planId, plan: { planId: shown.planId } }],
      })
      expect(await dump(workspace)).toEqual(before)
      await workspace.run(op, { ...call, planId: shown.planId })
      expect(await dump(workspace)).not.toEqual(before)
    })
  },
)

/** A workspace with a draft, a view, a filter, a folder with a draft, and a facility with an appointment. */
async function openPrepared(): Promise<{ workspace: TestWorkspace; appointment: string; comment: number }> {
  let now = Date.parse('2026-12-01T12:00:00Z')
  const workspace = await openTestWorkspace({ clock: { now: () => now } })
  const run = async (id: string, input: object) => workspace.run(await loadOperation(id), input)
  await run('items.get', { id: 204 })
  const { comment } = await run('items.comment', { id: 204, text: 'A comment' })
  await run('items.add-web-link', { id: 204, url: 'https://example.com/existing' })
  await run('folders.create', { name: 'Ideas' })
  await run('drafts.save', { title: 'A draft', description: 'Its text', folderId: 2 })
  await run('filters.save', { name: 'own', criteria: { state: 'New' } })
  await run('views.save', { name: 'mine' })
  await run('facilities.create', {
    code: 'DC1',
    name: 'Depot',
    timeZone: 'UTC',
    doors: [{ name: 'Door 1' }, { name: 'Door 2' }],
    queues: [{ name: 'All', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '18:00' }],
  })
  await run('facilities.close', { id: 'DC1', from: '2027-05-03' })
  await run('appointments.book', { ...booking, referenceNumber: 'R-2', targetDate: BLOCKED, startTime: '08:00' })
  await run('facilities.block', { id: 'DC1', from: `${BLOCKED}T08:00`, to: '09:00' })
  await run('carriers.admit', { id: 'DC1', name: 'Acme' })
  // Ended by the time that the archive names.
  now = Date.parse('2026-11-02T05:00:00Z')
  await run('appointments.book', { ...booking, referenceNumber: 'R-0', targetDate: '2026-11-02' })
  now = Date.parse('2026-12-01T12:00:00Z')
  const { id } = (await run('appointments.book', { ...booking, referenceNumber: 'R-1' })).data
  return { workspace, appointment: id, comment: comment.id }
}

/** All rows of the database, and how many changes the tracker was asked for. */
async function dump({ studio, sandbox }: TestWorkspace): Promise<unknown> {
  const { db } = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const changes = sandbox.requests.filter(({ method, path }) => isChange(method, path)).length
  const rows = await db.read(async (tx) => {
    const names = await sql<{
      name: string
    }>`select name from sqlite_master where type = 'table' and name not in ('audit_entry', 'sqlite_sequence')`.execute(
      tables<any>(tx),
    )
    const all: Record<string, unknown> = {}
    for (const { name } of names.rows)
      all[name] = (await sql`select * from ${sql.table(name)}`.execute(tables<any>(tx))).rows
    return all
  })
  return { changes, rows }
}

function isChange(method: string, path: string): boolean {
  return method !== 'GET' && !/wiql|validateOnly|workitemsbatch/.test(path)
}
