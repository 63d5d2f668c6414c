import { join } from 'node:path'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { createToken } from '../../src/access/operations/create-token'
import { pages } from '../../src/console/routes'
import { importAppointments } from '../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../src/docks/booking/operations/list-appointments'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { saveDraft } from '../../src/drafts/operations/save-draft'
import { saveView } from '../../src/items/operations/filters/save-view'
import { insertSnapshots, upsertItemRows } from '../../src/items/queries'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { generateWorkspace } from '../reports/large-workspace'
import { serve } from './dock-http'
import { fetchedItems } from './fetched-items'
import { median, printFigure } from './figures'

const ITEMS = 5_000
const DOORS = 40
const APPOINTMENTS = 400
const ROUNDS = 9
const MOST_MS = 200

/** These ask the tracker, whose time is not that of the page. */
const ASKS_TRACKER = /\/(import|new|copy|comments)$/

/** The time of each page of the console in a workspace of 5,000 items, at a facility with 400 appointments today. */
export async function timePages(folder: string): Promise<void> {
  const path = join(folder, 'pages.db')
  const { headers, values } = await seed(path)
  const server = await serve(path)
  const times: { page: string; ms: number; bytes: number }[] = []
  try {
    for (const page of Object.keys(pages)) {
      const address = page.replace(
        /:\w+/g,
        (name) =>
          values[`${page.split('/').slice(2, -1).join('/')}${name}`] ?? values[`${page.split('/')[2]}${name}`] ?? name,
      )
      if (address.includes(':') || ASKS_TRACKER.test(page)) continue
      const rounds: number[] = []
      let bytes = 0
      for (let round = 0; round < ROUNDS; round++) {
        const startedAt = performance.now()
        const answer = await fetch(`${server.url}${address}`, { headers })
        bytes = (await answer.text()).length
        if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`)
        rounds.push(performance.now() - startedAt)
      }
      times.push({ page, ms: median(rounds), bytes })
    }
  } finally {
    server.process.kill('SIGTERM')
  }
  times.sort((a, b) => b.ms - a.ms)
  for (const { page, ms, bytes } of times.slice(0, 8))
    console.log(`  ${page.padEnd(50)} ${ms.toFixed(0).padStart(5)} ms, ${(bytes / 1_000).toFixed(0)} kB`)
  printFigure({
    name: `slowest of ${times.length} pages with ${ITEMS} items and ${APPOINTMENTS} appointments`,
    value: times[0]!.ms,
    unit: 'ms',
    decimals: 0,
    atMost: MOST_MS,
  })
}

async function seed(path: string) {
  const db = await openDatabase(path, migrations)
  const context = openStudio({ env: { STUDIO_HOME: '/' }, cwd: '/', db }).context({
    actor: { kind: 'terminal', tenant: 'default' },
  })
  const items = fetchedItems(generateWorkspace(ITEMS, { seed: 1, shape: 'bushy' }))
  const at = '2026-11-18T09:30:00.000Z'
  await db.write(async (tx) => {
    await upsertItemRows(
      tx,
      items.map((item) => ({ item, predecessors: [] })),
      at,
    )
    await insertSnapshots(tx, items, at)
  })
  const draft = await execute(saveDraft, { title: 'Doors', description: 'As a driver' }, context)
  const view = await execute(saveView, { name: 'Open', criteria: { state: 'open' } }, context)
  const { key } = await execute(createTenantKey, { role: 'admin' }, context)
  const { token } = await execute(createToken, { name: 'bench', role: 'admin' }, context)
  const queue = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '24:00' }
  const doors = Array.from({ length: DOORS }, (_, index) => ({ name: `Door ${index + 1}` }))
  const facility = { code: 'DC1', name: 'North', timeZone: 'Etc/UTC', queues: [queue], doors, defaultMinutes: 60 }
  await execute(createFacility, facility, context)
  const targetDate = new Date().toISOString().slice(0, 10)
  const rows = Array.from({ length: APPOINTMENTS }, (_, index) => ({
    facilityCode: 'DC1',
    type: 'delivery',
    carrierName: `Nordic Freight ${index % 30}`,
    referenceNumber: `PO-${index}`,
    targetDate,
  }))
  await execute(importAppointments, { text: JSON.stringify(rows) }, context)
  const [appointment] = await execute(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-399' }, context)
  await db.close()
  return {
    headers: { 'x-api-key': key, authorization: `Bearer ${token}`, accept: 'text/html' },
    values: {
      'work/views:id': String(view.id),
      'work:id': String(items[0]!.id),
      'drafts:id': String(draft.id),
      'docks:code': 'DC1',
      'appointments:id': appointment!.id,
    } as Record<string, string>,
  }
}
