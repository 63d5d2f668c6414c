import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { copySanitize } from '../../src/drafts/operations/copy-sanitize'
import { listDraftHistory } from '../../src/drafts/operations/list-draft-history'
import { listDrafts } from '../../src/drafts/operations/list-drafts'
import { saveDraft } from '../../src/drafts/operations/save-draft'
import { itemNumbersMigration } from '../../src/items'
import { getItem } from '../../src/items/operations/get-item'
import { importFeature } from '../../src/items/operations/import-feature'
import { listFilters } from '../../src/items/operations/list-filters'
import { listItemHistory } from '../../src/items/operations/list-item-history'
import { listItems } from '../../src/items/operations/list-items'
import { resolveReferences } from '../../src/items/operations/resolve-references'
import { saveFilter } from '../../src/items/operations/save-filter'
import { syncItems } from '../../src/items/operations/sync-items'
import { reportSummary } from '../../src/reports/operations/report-summary'
import { openDatabase, openMemoryDatabase, tables } from '../../src/storage'
import { copyDatabase } from '../../src/storage/transfer/copy-database'
import { migrations } from '../../src/studio'
import { describeWithPostgres } from '../storage/postgres/server'
import { temporaryFolder } from '../temporary-folder'
import { openGitHub } from '../tracker/github/fixtures'
import { openTestWorkspace, type TestWorkspace } from './test-workspace'

const MIGRATIONS_BEFORE = migrations.slice(0, migrations.indexOf(itemNumbersMigration))
const ctx = { signal: new AbortController().signal, progress: () => {} }

/** A workspace with items that have changed, a draft with its history and a saved filter. */
async function openWithData(): Promise<TestWorkspace> {
  const workspace = await openTestWorkspace()
  const { run, changeRemotely } = workspace
  await run(importFeature, { featureId: 101 })
  await changeRemotely(204, { 'System.Title': 'Show the late trucks' })
  await run(syncItems, {})
  const { id } = await run(copySanitize, { id: 204 })
  await run(saveDraft, { id, title: 'A clearer title' })
  await run(saveFilter, { name: 'Open', criteria: { state: 'open' } })
  return workspace
}

/** Everything that an older version has stored, as people see it. */
async function readAll({ run }: Pick<TestWorkspace, 'run'>) {
  const drafts = await run(listDrafts, {})
  const { generatedAt: _, ...summary } = await run(reportSummary, {})
  return {
    items: await run(listItems, {}),
    item: await run(getItem, { id: 204, cached: true }),
    history: await run(listItemHistory, { id: 204 }),
    drafts,
    draftHistory: await run(listDraftHistory, { id: drafts[0].id }),
    filters: await run(listFilters, {}),
    inThisSprint: await run(listItems, { iteration: '@current' }),
    summary,
  }
}

/** Copies the rows into a database of the version before the migration. */
async function copyToOlderVersion({ studio: { db: source } }: TestWorkspace, address: string): Promise<void> {
  // That version had the iterations of its only tracker in another table.
  await source.write(async (tx) => {
    const db = tables<any>(tx)
    await sql`create table iteration (path text primary key, start_date text, finish_date text)`.execute(db)
    await sql`insert into iteration select path, start_date, finish_date from tracker_iteration`.execute(db)
  })
  const old = await openDatabase(address, MIGRATIONS_BEFORE)
  const blank = await openMemoryDatabase(MIGRATIONS_BEFORE)
  const copied = await copyDatabase(ctx, {
    source,
    target: { db: old, existing: null, commit: async () => {}, close: async () => {} },
    blank,
  })
  expect(copied.find(({ name }) => name === 'iteration')!.rows).toBeGreaterThan(0)
  await Promise.all([old.close(), blank.close()])
}

function checkMigration(createAddress: () => Promise<string>): void {
  it('keeps items, their history, iterations, filters, drafts and the history of drafts', async () => {
    const before = await openWithData()
    const expected = await readAll(before)
    expect(expected.items.length).toBeGreaterThan(20)
    expect(expected.history.snapshots).toHaveLength(2)
    expect(expected.draftHistory.versions).toHaveLength(2)
    const address = await createAddress()
    await copyToOlderVersion(before, address)
    const db = await openDatabase(address, migrations)
    expect(await readAll(await openTestWorkspace({ db }))).toEqual(expected)
  })

  it('lets a further tracker be used, whose items have numbers of their own', async () => {
    const before = await openWithData()
    const address = await createAddress()
    await copyToOlderVersion(before, address)
    const { tracker } = await openGitHub({
      issues: [{ number: 204, type: 'Feature', title: 'Crane' }],
      types: ['Feature'],
    })
    const code = { name: 'code', kind: 'github' as const, url: 'https://github.com/works/harbor', project: null }
    const db = await openDatabase(address, migrations)
    const { run } = await openTestWorkspace({ db, furtherTrackers: [{ ...code, open: async () => tracker }] })
    const { items } = await run(resolveReferences, { references: ['code:works/harbor#204'] })
    expect(await run(importFeature, { featureId: items[0].id })).toMatchObject({ imported: 1 })
    expect(await run(getItem, { id: items[0].id, cached: true })).toMatchObject({ title: 'Crane', tracker: 'code' })
    expect(await run(getItem, { id: 204, cached: true })).toMatchObject({
      title: 'Show the late trucks',
      tracker: 'default',
      reference: '#204',
    })
  })
}

describe('the migration of a workspace with one tracker in a file', () => {
  checkMigration(async () => join(temporaryFolder(), 'studio.db'))
})

describeWithPostgres('the migration of a workspace with one tracker on PostgreSQL', (server) => {
  checkMigration(() => server().createDatabase())
})
