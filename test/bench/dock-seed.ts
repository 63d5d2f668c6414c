import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toBaseSource } from '../../src/storage/embedded/base/base-source'
import { installBase } from '../../src/storage/embedded/base/install-base'
import { realDisk } from '../../src/storage/embedded/disk'
import { Connection } from '../../src/storage/embedded/engine/connection'
import { createEmptyDatabase } from '../../src/storage/embedded/engine/open-file'
import { migrations } from '../../src/studio'

/** A Monday in the far future, so that a generated database can be used for years. */
export const FIRST_DAY = '2040-01-02'
export const DOORS = 10
export const APPOINTMENTS_A_FACILITY = 1_000
const HOUR_MS = 3_600_000
const HOURS_TAKEN = 10

export const codeOf = (facility: number) => `F${facility}`
export const idOf = (kind: 'facility' | 'door' | 'appointment', number: number) =>
  `${{ facility: 'f', door: 'd', appointment: 'a' }[kind].repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Creates facilities of ten doors in the tenant `default`. Each door is booked for ten hours on each of ten dates. */
export const facilityRow = (facility: number) => ({
  id: idOf('facility', facility),
  tenant_id: TENANT,
  code: codeOf(facility),
  name: 'Bench',
  time_zone: 'Etc/UTC',
  queues: JSON.stringify([
    {
      name: 'Always',
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      start: '00:00',
      end: '00:00',
      doors: null,
      types: null,
    },
  ]),
  breaks: '[]',
  closures: '[]',
  min_minutes: 15,
  max_minutes: 240,
  default_minutes: 60,
  slot_minutes: 15,
  lead_minutes: 0,
  capacity: null,
  advance_to_next_open_day: 1,
  created_at: 0,
})

export const doorRow = (facility: number, door: number) => ({
  id: idOf('door', facility * DOORS + door),
  facility_id: idOf('facility', facility),
  name: `Door ${door + 1}`,
  position: door + 1,
  types: '["pickup","delivery"]',
  active: 1,
  removed_at: null,
})

export const TENANT = '00000000-0000-4000-8000-000000000001'

/** One statement for all: `number` counts the appointments of all facilities. */
export const seedAppointments = `
  insert into appointment
    (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name, reference_number, pallet_count,
     weight, load_description, equipment_id, created_at, updated_at, sequence)
  select 'aaaaaaaa-0000-4000-8000-' || substr('000000000000' || number, -12), '${TENANT}',
    'ffffffff-0000-4000-8000-' || substr('000000000000' || (number / ${APPOINTMENTS_A_FACILITY}), -12),
    'dddddddd-0000-4000-8000-' || substr('000000000000' || (number / ${APPOINTMENTS_A_FACILITY} * ${DOORS} + number % ${DOORS}), -12),
    'delivery', 'scheduled', start_at, start_at + ${HOUR_MS}, 'Blue Freight', 'PO-' || number, 20, 18000, null, null, 0, 0, 0
  from (select number, ${Date.parse(FIRST_DAY)} + ((number / ${DOORS} % ${HOURS_TAKEN}) + (number % ${APPOINTMENTS_A_FACILITY} / ${DOORS * HOURS_TAKEN}) * 24) * ${HOUR_MS} as start_at
        from numbers) as placed`

/** Creates a database file with this number of appointments. It is created once, and cached with the other build outputs. */
export async function placeSeed(path: string, appointments: number): Promise<void> {
  const folder = resolve('node_modules/.cache/studio/bench')
  mkdirSync(folder, { recursive: true })
  const recipe = `${seedAppointments}${JSON.stringify(facilityRow(0))}`
  const schema = await createEmptyDatabase(migrations)
  const digest = createHash('sha256').update(recipe).update(schema).digest('hex').slice(0, 12)
  const kept = join(folder, `docks-${appointments}-${digest}.db`)
  if (!existsSync(kept)) {
    for (const old of readdirSync(folder)) if (old.startsWith(`docks-${appointments}-`)) rmSync(join(folder, old))
    await makeSeed(kept, appointments)
  }
  for (const file of readdirSync(folder)) {
    const name = `docks-${appointments}-${digest}.db`
    if (file.startsWith(name)) copyFileSync(join(folder, file), path + file.slice(name.length))
  }
}

async function makeSeed(path: string, appointments: number): Promise<void> {
  const connection = await Connection.open(await createEmptyDatabase(migrations))
  const insert = (table: string, row: Record<string, unknown>) =>
    connection.run(
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
      Object.values(row),
    )
  connection.runControl('begin')
  insert('tenant', { id: TENANT, name: 'default', created_at: 0 })
  for (let facility = 0; facility * APPOINTMENTS_A_FACILITY < appointments; facility++) {
    insert('facility', facilityRow(facility))
    for (let door = 0; door < DOORS; door++) insert('door', doorRow(facility, door))
  }
  connection.runScript(
    seedAppointments.replace(
      'from numbers)',
      `from (with recursive numbers(number) as (select 0 union all select number + 1 from numbers where number < ${appointments - 1}) select number from numbers))`,
    ),
  )
  connection.runControl('commit')
  await installBase(
    path,
    { source: toBaseSource(connection.export()), segment: 1, mayReplace: () => true, yieldsToOthers: false },
    realDisk,
  )
  connection.close()
}
