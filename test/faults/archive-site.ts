import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatArchive } from '../../src/docks/archive/services/archive-file'
import { readArchive } from '../../src/docks/archive/services/read-archive'
import { toColumns } from '../../src/docks/booking/queries/load-columns'
import { toStoredLoad } from '../../src/docks/booking/rules/load'
import { loadKeys } from '../../src/docks/booking/rules/load-fields'
import type { DocksTables } from '../../src/docks/migrations'
import type { ArchivedAppointment } from '../../src/docks/queries'
import { HOUR_MS } from '../../src/kernel/time'
import { openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { type Program, program } from '../contract/program'

export const BEFORE = '2024-01-01'
const FIRST_START = Date.parse('2010-01-01T00:00:00Z')
const HOURS = ['--time-zone', 'Etc/UTC', '--queue', 'daily 00:00-24:00', '--door', 'A']
/** Little enough that a program that holds all appointments of a large file in memory at once is out of memory. */
const HEAP = '--max-old-space-size=64'

export interface Site {
  studio: Program
  path: string
  env: Record<string, string>
  archive: string[]
  unarchive: string[]
  /** Every row of the appointments, as text, by ID. */
  readDatabase(): Promise<Map<string, string>>
  countStored(): Promise<number>
  /** The IDs of the appointments in the file; none if it does not exist. */
  readFile(): Promise<string[]>
}

/** A facility with old appointments, one after the other, which the program itself has read from a file. */
export async function openSite(count: number, address: string | null): Promise<Site> {
  const studio = await program()
  const env = { NODE_OPTIONS: HEAP, ...(address && { STUDIO_DB: address }) }
  const facility = await studio.json(['facility', 'create', '--code', 'DC1', '--name', 'North', ...HOURS], { env })
  const made = join(studio.home, 'made.gz')
  const header = { before: BEFORE, createdAt: '2024-01-01T00:00:00.000Z' }
  const bytes: Uint8Array[] = []
  for await (const part of formatArchive(header, batchesOf(count, facility))) bytes.push(part)
  writeFileSync(made, Buffer.concat(bytes))
  await studio.json(['appointment', 'unarchive', made], { env })
  const open = () => openDatabase(address ?? join(studio.home, 'studio.db'), migrations)
  const path = join(studio.home, 'old.gz')
  return {
    studio,
    path,
    env,
    archive: ['appointment', 'archive', path, '--before', BEFORE, '--yes'],
    unarchive: ['appointment', 'unarchive', path],
    async readDatabase() {
      const db = await open()
      const rows = await db.read((tx) =>
        tables<DocksTables>(tx)
          .selectFrom('appointment')
          .innerJoin('appointment_change', 'appointment_change.appointment_id', 'appointment.id')
          .selectAll('appointment')
          .select(['appointment_change.id as change', 'note'])
          .execute(),
      )
      await db.close()
      return new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
    },
    async countStored() {
      const db = await open()
      const count = await db.read((tx) =>
        tables<DocksTables>(tx)
          .selectFrom('appointment')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      )
      await db.close()
      return Number(count.count)
    },
    async readFile() {
      const ids: string[] = []
      if (!existsSync(path)) return ids
      for await (const batch of readArchive(path, 200)) ids.push(...batch.map(({ appointment }) => appointment.id))
      return ids
    },
  }
}

async function* batchesOf(
  count: number,
  facility: { id: string; doors: { id: string }[] },
): AsyncGenerator<ArchivedAppointment[]> {
  for (let from = 0; from < count; from += 200)
    yield Array.from({ length: Math.min(200, count - from) }, (_, i) => archivedAppointment(from + i, facility))
}

function archivedAppointment(number: number, { id, doors }: { id: string; doors: { id: string }[] }) {
  const startAt = FIRST_START + number * HOUR_MS
  const appointmentId = crypto.randomUUID()
  const change = {
    id: number + 1,
    kind: 'booked',
    at: startAt,
    caller: 'terminal',
    caller_name: null,
    details: null,
  } as const
  return {
    appointment: {
      ...{ id: appointmentId, tenant_id: 'made', facility_id: id, door_id: doors[0]!.id, type: 'pickup' as const },
      ...{ status: 'completed' as const, start_at: startAt, end_at: startAt + HOUR_MS / 2 },
      ...{
        carrier_name: 'Acme',
        reference_number: `PO-${number}`,
        reference_list: null,
        created_at: startAt,
        updated_at: startAt,
      },
      ...toColumns(toStoredLoad({ loadDescription: crypto.randomUUID().repeat(3) }), loadKeys),
      ...{ sequence: 0, step: null, pinned: 0, door_announced_at: null },
    },
    changes: [{ ...change, note: crypto.randomUUID() }],
    imports: [],
    occurrences: [],
    attachments: [],
  }
}
