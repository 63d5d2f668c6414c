import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchUpdate } from '../../../src/items/operations/batch-update'
import { getItem } from '../../../src/items/operations/get-item'
import { checkFreshness } from '../../../src/items/operations/import/check-freshness'
import { importFeature } from '../../../src/items/operations/import/import-feature'
import { importFile } from '../../../src/items/operations/import/import-file'
import { importSingle } from '../../../src/items/operations/import/import-single'
import { syncItems } from '../../../src/items/operations/import/sync-items'
import { listItemHistory } from '../../../src/items/operations/list-item-history'
import { listItems } from '../../../src/items/operations/list-items'
import { execute, StudioError } from '../../../src/kernel'
import { reportSummary } from '../../../src/reports/operations/report-summary'
import { searchWorkspace } from '../../../src/search/operations/search-workspace'
import type { Database } from '../../../src/storage'
import { readItemsFile } from '../../../src/tracker/items-file'
import { openTestWorkspace, type TestWorkspace } from '../test-workspace'

const HEAD = 'ID,Work Item Type,Title,State,Assigned To,Tags'

function csv(...rows: string[]): string {
  return [HEAD, ...rows, ''].join('\r\n')
}

function outcomes(answer: any): string[] {
  return answer.rows.map(({ id, outcome }: any) => `${id} ${outcome}`)
}

function cached(workspace: TestWorkspace, id: number): Promise<any> {
  return workspace.run(getItem, { id, cached: true, raw: true })
}

/** Items in the format of the tracker's API. */
async function fromApi(workspace: TestWorkspace, ids: number[]): Promise<any> {
  const response = await fetch(`${workspace.sandbox.url}/_apis/wit/workitemsbatch?api-version=7.1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids, $expand: 'relations' }),
  })
  workspace.sandbox.requests.length = 0
  return response.json()
}

/** Texts contain the port of their sandbox. */
function anywhere(item: object): unknown {
  return JSON.parse(JSON.stringify(item).replace(/127\.0\.0\.1:\d+/g, 'host'))
}

describe("importing the tracker's CSV export", () => {
  const tree = [
    '\ufeffID,Work Item Type,Title 1,Title 2,Title 3,State,Assigned To,Tags,Story Points,Description,Team',
    '1,Feature,"Gate, in",,,Active,Mei Lin <mei@a.example>,"a; b",,,',
    '2,User Story,,"Two',
    'lines and ""quotes""",,New,,,3,"<p onclick=x>Hi<script>1</script></p>",Blue',
    '3,Task,,,Do it,Closed,,,,,',
    '9,Feature,Other,,,New,,,,,',
    '10,User Story,,Below,,Resolved,Ann,Blocked,0.5,,',
  ].join('\r\n')

  it('reads trees, people, tags, numbers and line breaks in cells, and stores hostile text as data', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(importFile, { text: tree, name: 'plan.csv', modifiedAt: '2026-01-02T03:04:05Z' })
    expect(answer).toMatchObject({ added: 5, changed: 0, unchanged: 0, refused: 0, format: 'csv' })
    expect(answer.columns).toContainEqual({ title: 'Title 2', field: 'System.Title' })
    expect(answer.columns).toContainEqual({ title: 'Team', field: 'Team' })
    const items = await workspace.run(listItems, {})
    expect(items.map(({ id, parentId }: any) => [id, parentId])).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
      [9, null],
      [10, 9],
    ])
    expect(items[0]).toMatchObject({
      rev: 0,
      assignedTo: { displayName: 'Mei Lin', uniqueName: 'mei@a.example' },
      tags: ['a', 'b'],
      stateCategory: 'InProgress',
      fetchedAt: '2026-01-02T03:04:05.000Z',
      fromFile: { name: 'plan.csv', asOf: '2026-01-02T03:04:05.000Z' },
    })
    expect(items[1]).toMatchObject({
      title: 'Two\r\nlines and "quotes"',
      storyPoints: 3,
      description: '<p onclick=x>Hi<script>1</script></p>',
      descriptionFormat: 'html',
    })
    expect((await cached(workspace, 2)).fields).toMatchObject({ Team: 'Blue', 'System.Parent': 1 })
    expect(workspace.asked()).toEqual([])
  })

  it('is found by search, counted by reports, and noted as having no date of change', async () => {
    const workspace = await openTestWorkspace()
    const { notes } = await workspace.run(importFile, { text: tree, modifiedAt: '2026-01-02T03:04:05Z' })
    expect(notes).toEqual([expect.stringMatching(/^5 items have no Changed Date/)])
    expect((await workspace.run(searchWorkspace, { q: 'quotes' })).results).toMatchObject([{ type: 'devops', id: 2 }])
    const summary = await workspace.run(reportSummary, {})
    expect(summary).toMatchObject({ staleItems: [], recentlyCompleted: [] })
    expect(summary.features.map(({ id }: any) => id).sort()).toEqual([1, 9])
    expect(summary.blockers).toMatchObject([{ id: 10 }])
  })

  it.each([
    ['a comma', 'sep=,', ','],
    ['a semicolon', 'sep=;', ';'],
    ['a tab', 'SEP=\t', '\t'],
    ['quotes, and a byte order mark before them', '\ufeff"sep=;"', ';'],
  ])('reads the line that gives Excel the separator: %s', async (_what, line, delimiter) => {
    const workspace = await openTestWorkspace()
    const rows = ['ID,Work Item Type,Title,State', '1,Task,One,New', 'x,Task,Two,New'].map((row) =>
      row.replaceAll(',', delimiter),
    )
    const answer = await workspace.run(importFile, { text: [line, ...rows].join('\r\n') })
    expect(answer).toMatchObject({ added: 1, refused: 1 })
    expect(answer.rows.map((row: any) => row.line)).toEqual([3, 4])
    expect(answer.rows[1].message).toMatch(/^Line 4, ID: /)
    await expect(workspace.run(importFile, { text: [line, 'Title', 'One'].join('\n') })).rejects.toMatchObject({
      message: expect.stringMatching(/^Line 2: there is no column ID/),
    })
  })

  it('reports line and column of what cannot be read, and imports the rest', async () => {
    const workspace = await openTestWorkspace()
    const text = [
      'ID,Rev,Work Item Type,Title,State,Story Points,Parent,Changed Date',
      '1,1,Task,One,New,2,,2026-01-02',
      ',1,Task,New,New,,,',
      'abc,1,Task,T,New,,,',
      '9999999999,1,Task,T,New,,,',
      '4,1,Task,T,New,many,,',
      '5,1,Task,,New,,,',
      '6,1,,T,New,,,',
      '7,1,Task,T,New,,7,',
      '8,1,Task,T,New,,,13.13.2026',
      '9,0,Task,T,New,,,',
      '10,1,Task,T,New,,,,extra',
      '11,1,Task,"T',
      'T",,,,',
    ].join('\n')
    const answer = await workspace.run(importFile, { text })
    expect(answer).toMatchObject({ added: 1, refused: 11 })
    expect(
      answer.rows.filter(({ outcome }: any) => outcome === 'refused').map((row: any) => [row.line, row.column]),
    ).toEqual([
      [3, 'ID'],
      [4, 'ID'],
      [5, 'ID'],
      [6, 'Story Points'],
      [7, 'Title'],
      [8, 'Work Item Type'],
      [9, 'Parent'],
      [10, 'Changed Date'],
      [11, 'Rev'],
      [12, null],
      [13, 'State'],
    ])
    expect(answer.rows[4].message).toBe('Line 6, Story Points: "many" is not a number.')
  })

  it('saves nothing in a dry run, or with atomic if a row is refused', async () => {
    const workspace = await openTestWorkspace()
    const text = csv('1,Task,One,New,,', 'x,Task,Two,New,,')
    expect(await workspace.run(importFile, { text, dryRun: true })).toMatchObject({
      added: 1,
      refused: 1,
      dryRun: true,
    })
    const atomic = await workspace.run(importFile, { text, atomic: true })
    expect(atomic).toMatchObject({ added: 0, refused: 1 })
    expect(outcomes(atomic)).toEqual(['1 taken_back', 'null refused'])
    expect(await workspace.run(listItems, {})).toEqual([])
    expect(await workspace.run(importFile, { text: csv('1,Task,One,New,,'), atomic: true })).toMatchObject({ added: 1 })
  })

  it('finds equal items unchanged the second time, as of the later file', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFile, { text: tree, name: 'a.csv', modifiedAt: '2026-01-02T00:00:00Z' })
    const again = { text: tree, name: 'b.csv', modifiedAt: '2026-01-03T00:00:00Z' }
    expect(await workspace.run(importFile, again)).toMatchObject({ added: 0, changed: 0, unchanged: 5 })
    expect(await cached(workspace, 2)).toMatchObject({ fromFile: { name: 'b.csv', asOf: '2026-01-03T00:00:00.000Z' } })
    expect((await workspace.run(listItemHistory, { id: 2 })).snapshots).toHaveLength(1)
  })

  it('prefers a later file to an earlier one, in any order of import', async () => {
    const workspace = await openTestWorkspace()
    const of = (state: string, day: string) => ({
      text: csv(`1,Task,One,${state},,`),
      modifiedAt: `2026-01-${day}T00:00:00Z`,
    })
    await workspace.run(importFile, of('Active', '05'))
    const older = await workspace.run(importFile, of('New', '04'))
    expect(older).toMatchObject({ refused: 1, rows: [{ code: 'stale_revision' }] })
    expect(await workspace.run(importFile, of('Closed', '06'))).toMatchObject({
      changed: 1,
      rows: [{ fields: ['state'] }],
    })
    expect(await cached(workspace, 1)).toMatchObject({ state: 'Closed', stateCategory: 'Completed' })
    const { snapshots } = await workspace.run(listItemHistory, { id: 1 })
    expect(snapshots[0]).toMatchObject({
      rev: 0,
      fromFile: { name: 'standard input' },
      changes: [{ field: 'System.State', from: 'Active', to: 'Closed' }],
      linksChanged: false,
    })
  })

  it('does not treat a row as older if its date of change is less precise', async () => {
    const workspace = await openTestWorkspace()
    const changed = (moment: string) => ({ 'System.ChangedDate': moment })
    const fields = { 'System.WorkItemType': 'Task', 'System.Title': 'One', 'System.State': 'New' }
    const text = JSON.stringify([{ id: 1, fields: { ...fields, ...changed('2026-01-05T10:00:30.123Z') } }])
    await workspace.run(importFile, { text, modifiedAt: '2026-01-06T00:00:00Z' })
    const row = async (moment: string) => {
      const text = `ID,Title,Changed Date,Priority\n1,One,${moment},1\n`
      const answer = await workspace.run(importFile, {
        text,
        timeZone: 'UTC',
        modifiedAt: '2026-01-07T00:00:00Z',
        dryRun: true,
      })
      return answer.rows[0].outcome
    }
    expect(await row('2026-01-05T10:00:29Z')).toBe('refused')
    expect(await row('2026-01-05T10:00:30Z')).toBe('changed')
    expect(await row('2026-01-05 10:00')).toBe('changed')
    expect(await row('2026-01-05 09:59')).toBe('refused')
  })

  it('imports a duplicated item once', async () => {
    const workspace = await openTestWorkspace()
    const answer = await workspace.run(importFile, {
      text: csv('1,Task,One,New,,', '1,Task,One,New,,', '1,Task,Uno,New,,'),
    })
    expect(outcomes(answer)).toEqual(['1 added', '1 unchanged', '1 refused'])
  })

  it('reads columns of another language, semicolons and decimal commas', async () => {
    const workspace = await openTestWorkspace()
    const text = 'ID;Typ;Titel 1;Titel 2;Status;Punkte\r\n1;Feature;Tor;;New;\r\n2;User Story;;Tür;Done;2,5\r\n'
    const columns = ['Typ=Work Item Type', 'Titel=Title', 'Status=State', 'Punkte=Story Points']
    expect(await workspace.run(importFile, { text, columns })).toMatchObject({ added: 2 })
    expect(await cached(workspace, 2)).toMatchObject({ title: 'Tür', storyPoints: 2.5, parentId: 1 })
    await expect(workspace.run(importFile, { text })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('there is no column Title. The file has: "ID", "Typ"'),
      hint: expect.stringContaining('--column'),
    })
    await expect(workspace.run(importFile, { text, columns: ['Kennung=ID'] })).rejects.toMatchObject({
      message: expect.stringContaining('no column "Kennung"'),
    })
  })

  it.each([
    ['11/13/2026 3:04:05 PM', {}, '2026-11-13T21:04:05.000Z'],
    ['13.11.2026 15:04', {}, '2026-11-13T21:04:00.000Z'],
    ['2026-11-13 15:04:05', {}, '2026-11-13T21:04:05.000Z'],
    ['2026-11-13T15:04:05.25Z', {}, '2026-11-13T15:04:05.250Z'],
    ['3/4/2026 12:00 AM', { dates: 'dmy' }, '2026-04-03T05:00:00.000Z'],
    ['3/4/2026 12:00 AM', { dates: 'mdy' }, '2026-03-04T06:00:00.000Z'],
  ])('reads the date %s', async (cell, more, at) => {
    const workspace = await openTestWorkspace()
    const text = `ID,Work Item Type,Title,State,Changed Date\n1,Task,One,New,${cell}\n`
    await workspace.run(importFile, { text, timeZone: 'America/Chicago', ...more })
    expect(await cached(workspace, 1)).toMatchObject({ changedAt: at })
  })

  it('refuses ambiguous dates, and reports where they are', async () => {
    const workspace = await openTestWorkspace()
    const text = 'ID,Work Item Type,Title,State,Changed Date\n1,Task,One,New,3/4/2026\n'
    await expect(workspace.run(importFile, { text })).rejects.toMatchObject({
      message: expect.stringMatching(/^Line 2, Changed Date: "3\/4\/2026"/),
      hint: expect.stringContaining('--dates dmy'),
    })
  })

  it('does not replace an item from the tracker unless the row is certainly newer', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 204 })
    const { rev, changedAt } = await cached(workspace, 204)
    const later = new Date(Date.parse(changedAt) + 60_000).toISOString()
    const earlier = new Date(Date.parse(changedAt) - 60_000).toISOString()
    const row = (column: string, cell: unknown) =>
      workspace.run(importFile, {
        text: `ID,Title,${column}\n204,Changed,${cell}\n`,
        modifiedAt: '2099-01-01T00:00:00Z',
        dryRun: true,
      })
    expect((await row('Rev', rev - 1)).rows[0]).toMatchObject({ outcome: 'refused', code: 'stale_revision' })
    expect((await row('Rev', rev)).rows[0]).toMatchObject({ outcome: 'unchanged' })
    expect((await row('Rev', rev + 1)).rows[0]).toMatchObject({ outcome: 'changed', fields: ['title'] })
    expect((await row('Changed Date', earlier)).rows[0]).toMatchObject({ outcome: 'refused', code: 'stale_revision' })
    expect((await row('Changed Date', changedAt)).rows[0]).toMatchObject({ outcome: 'unchanged' })
    expect((await row('Changed Date', later)).rows[0]).toMatchObject({ outcome: 'changed' })
    expect((await row('Other', 'x')).rows[0]).toMatchObject({
      outcome: 'refused',
      code: 'conflict',
      message: expect.stringContaining('--as-of'),
    })
    const vouched = { text: 'ID,Title\n204,Changed\n', dryRun: true }
    expect(await workspace.run(importFile, { ...vouched, asOf: new Date().toISOString() })).toMatchObject({
      changed: 1,
    })
    expect(await workspace.run(importFile, { ...vouched, asOf: '2026-01-01T00:00:00Z' })).toMatchObject({ refused: 1 })
  })

  it('is replaced by the next sync, whatever the file said', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFeature, { featureId: 101 })
    await workspace.run(syncItems, {})
    await workspace.run(importFile, { text: 'ID,Rev,Title,Assigned To\n204,900,From the file,\n' })
    expect(await cached(workspace, 204)).toMatchObject({ title: 'From the file', rev: 900, assignedTo: null })
    expect((await cached(workspace, 204)).description).not.toBeNull()
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({
      isFresh: false,
      reason: 'never-fetched',
      fromFile: { name: 'standard input' },
    })
    const sync = await workspace.run(syncItems, {})
    expect(sync.changes).toMatchObject([{ id: 204, fromRev: 900 }])
    expect(sync.changes[0].fields).toContain('System.Title')
    expect(await cached(workspace, 204)).toMatchObject({ fromFile: null })
    expect(await workspace.run(checkFreshness, { id: 204 })).toMatchObject({ isFresh: true, fromFile: null })
  })

  it('does not make conflicts in a batch update for fields that it lacks', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFile, { text: csv('204,User Story,Seen,Active,,') })
    const update = (updates: object) => workspace.run(batchUpdate, { itemIds: [204], updates, dryRun: true })
    expect((await update({ Priority: 1 })).results[0].status).not.toBe('conflict')
    expect((await update({ Title: 'Mine' })).results[0].status).toBe('conflict')
  })

  it('continues after an interruption with the missing rows', async () => {
    const workspace = await openTestWorkspace()
    const text = csv(...Array.from({ length: 1_200 }, (_, at) => `${at + 1},Task,Number ${at + 1},New,,`))
    const stop = new AbortController()
    const context = workspace.studio.context({
      actor: { kind: 'terminal', tenant: 'default' },
      signal: stop.signal,
      progress: () => stop.abort(),
    })
    await expect(execute(importFile, { text }, context)).rejects.toMatchObject({ code: 'interrupted' })
    expect(await workspace.run(listItems, {})).toHaveLength(500)
    expect(await workspace.run(importFile, { text })).toMatchObject({ added: 700, unchanged: 500 })
  })
})

describe('a full disk', () => {
  const full = () =>
    new StudioError('disk_full', 'Cannot use /home/me/studio.db: the disk is full.', {
      hint: 'Free some space and try again; nothing was changed.',
    })

  /** Imports a thousand rows in transactions of 500, of which the one after `after` fails. */
  async function importing(
    workspace: TestWorkspace,
    { after, atomic }: { after: number; atomic: boolean },
  ): Promise<unknown> {
    let writes = 0
    const db: Database = {
      read: (work, options) => workspace.studio.db.read(work, options),
      write: (work, options) => (++writes > after ? Promise.reject(full()) : workspace.studio.db.write(work, options)),
      close: async () => {},
    }
    const context = { ...workspace.studio.context({ actor: { kind: 'terminal', tenant: 'default' } }), db }
    const text = csv(...Array.from({ length: 1_000 }, (_, i) => `${i + 1},Task,T,New,,`))
    return execute(importFile, { text, atomic }, context).catch((error: unknown) => error)
  }

  it('in the middle of an import is reported with the number of saved rows', async () => {
    const workspace = await openTestWorkspace()
    expect(await importing(workspace, { after: 1, atomic: false })).toMatchObject({
      code: 'disk_full',
      message: 'Cannot use /home/me/studio.db: the disk is full. Of the 1000 rows, 500 are already saved.',
      hint: 'Free some space and try again. These rows will be reported as unchanged.',
    })
    expect(await workspace.run(listItems, {})).toHaveLength(500)
  })

  it.each([
    ['at the first part', { after: 0, atomic: false }],
    ['if all rows are one part', { after: 0, atomic: true }],
  ])('%s changes nothing', async (_when, failing) => {
    const workspace = await openTestWorkspace()
    expect(await importing(workspace, failing)).toMatchObject({
      hint: 'Free some space and try again; nothing was changed.',
    })
    expect(await workspace.run(listItems, {})).toEqual([])
  })
})

describe('importing JSON', () => {
  it("reads the format of the tracker's API with the same result as reading from the tracker", async () => {
    const [workspace, other] = [await openTestWorkspace(), await openTestWorkspace()]
    const ids = [101, 204, 205, 215]
    const answer = await fromApi(workspace, ids)
    await other.run(importSingle, { ids })
    for (const text of [answer, answer.value].map((shape) => JSON.stringify(shape))) {
      const imported = await openTestWorkspace()
      expect(await imported.run(importFile, { text })).toMatchObject({ added: 4, refused: 0, format: 'json' })
      for (const id of ids) {
        // A file does not say how its fields are called.
        const { fetchedAt, fromFile, url, fields, customFields: unnamed, ...item } = await cached(imported, id)
        const { fetchedAt: _, fromFile: none, url: page, fields: own, customFields, ...read } = await cached(other, id)
        expect([unnamed, customFields]).toEqual([{}, expect.objectContaining({ 'Value Area': 'Business' })])
        expect(fromFile).not.toBeNull()
        expect(Object.keys(fields)).toEqual(Object.keys(own))
        expect(anywhere({ ...item, blocked: [] })).toEqual(anywhere({ ...read, blocked: [] }))
      }
    }
  })

  it('reads what studio prints, entirely or in part, and finds it unchanged', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importFeature, { featureId: 101 })
    const items = await workspace.run(listItems, {})
    const text = JSON.stringify(items)
    expect(await workspace.run(importFile, { text })).toMatchObject({ unchanged: 30, refused: 0 })
    const empty = await openTestWorkspace()
    expect(await empty.run(importFile, { text })).toMatchObject({ added: 30 })
    const [copy] = await empty.run(listItems, {})
    expect({ ...copy, fromFile: null, url: items[0].url }).toEqual(items[0])
    const lines = items.map(({ id, title }: any) => JSON.stringify({ id, title })).join('\n')
    expect(await empty.run(importFile, { text: lines })).toMatchObject({ unchanged: 30 })
    const single = JSON.stringify({ ...(await cached(workspace, 204)), title: 'Other', rev: 99 })
    expect(await empty.run(importFile, { text: single })).toMatchObject({ changed: 1 })
    expect(await cached(empty, 204)).toMatchObject({ title: 'Other', rev: 99, parentId: 101 })
  })

  it('reports the entry and the field of what it cannot read', async () => {
    const workspace = await openTestWorkspace()
    const entries = [
      null,
      7,
      { id: 0, fields: {} },
      { id: 3, rev: 1, title: 5 },
      { id: 4, rev: 1, fields: { 'System.Title': 'T' } },
    ]
    const { rows } = await workspace.run(importFile, { text: JSON.stringify(entries) })
    expect(rows.map(({ line, outcome, column }: any) => [line, outcome, column])).toEqual([
      [1, 'refused', null],
      [2, 'refused', null],
      [3, 'refused', 'id'],
      [4, 'refused', 'title'],
      [5, 'refused', 'Work Item Type'],
    ])
  })

  it('does not mix items of two trackers', async () => {
    const workspace = await openTestWorkspace()
    await workspace.run(importSingle, { id: 204 })
    const item = (host: string, id: number) => ({
      id,
      rev: 1,
      url: `https://${host}/acme/_apis/wit/workItems/${id}`,
      fields: { 'System.WorkItemType': 'Task', 'System.Title': 'T', 'System.State': 'New' },
    })
    await expect(workspace.run(importFile, { text: JSON.stringify(item('dev.azure.com', 1)) })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('dev.azure.com/acme'),
    })
    const empty = await openTestWorkspace()
    const both = JSON.stringify([item('dev.azure.com', 1), item('acme.example', 2)])
    await expect(empty.run(importFile, { text: both })).rejects.toMatchObject({ code: 'conflict' })
    await empty.run(importFile, { text: JSON.stringify(item('dev.azure.com', 1)) })
    await expect(empty.run(importFile, { text: JSON.stringify(item('acme.example', 2)) })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(empty.run(syncItems, {})).rejects.toMatchObject({ code: 'conflict' })
    expect(await cached(empty, 1)).toMatchObject({ title: 'T' })
  })
})

describe('any file', () => {
  const reading = { columns: new Map<string, string>(), dayOrder: null, timeZone: 'UTC' }

  it('is read or refused, and never throws anything else', async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('1', '2', 'Task', '"', ',', '\r\n', '\u0000', '1/2/2026', '__proto__'),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(cell).map((cells) => `${HEAD}\n${cells.join(',')}`),
      fc.json(),
      fc.array(fc.json()).map((lines) => lines.join('\n')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        try {
          await readItemsFile(given, reading)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid' })
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('has a limit of columns, so that a file cannot make the program deaf', async () => {
    const titles = Array.from({ length: 32_000 }, (_, n) => `Column ${n}`)
    await expect(readItemsFile(`ID,Title,${titles}\n`, reading)).rejects.toMatchObject({
      code: 'too_complex',
      message: 'The file has 32002 columns; the maximum is 1000.',
    })
  })

  it('is not read further when the call ends', async () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => `${n + 1},Task,"Title ${n}",New`)
    const controller = new AbortController()
    const reason = new DOMException('Ctrl-C', 'AbortError')
    setImmediate(() => controller.abort(reason))
    await expect(readItemsFile(`${HEAD}\n${rows.join('\n')}`, reading, controller.signal)).rejects.toBe(reason)
  })

  it('gives every row one outcome, and the same one again', async () => {
    const row = fc.tuple(
      fc.oneof(fc.nat(8).map(String), fc.constantFrom('', 'x')),
      fc.constantFrom('Task', 'Bug', ''),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('New', 'Closed', ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        const workspace = await openTestWorkspace()
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = csv(...rows.map(([id, type, title, state]) => `${id},${type},${quoted(title)},${state},,`))
        const first = await workspace.run(importFile, { text, modifiedAt: '2026-01-01T00:00:00Z' })
        expect(first.rows).toHaveLength(rows.length)
        expect(first.added + first.changed + first.unchanged + first.refused).toBe(rows.length)
        const second = await workspace.run(importFile, { text, modifiedAt: '2026-01-01T00:00:00Z' })
        expect(second).toMatchObject({ added: 0, changed: 0, refused: first.refused })
      }),
      { numRuns: 25 },
    )
  })
})
