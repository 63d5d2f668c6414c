import type { z } from 'zod'
import { accessMigration } from '../../src/access'
import { leaseMigration } from '../../src/background/lease'
import { docksMigration } from '../../src/docks'
import { openMailSender } from '../../src/docks/events/services/send-mail'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { type Actor, type Context, execute, type Operation, type StudioError, silentLog } from '../../src/kernel'
import type { Database, StorageContext } from '../../src/storage'
import { openDockDatabase } from './open-dock-database'

/** A Monday, 08:00 in Chicago. */
export const NOW = Date.parse('2026-11-16T14:00:00Z')

export interface DockOffice {
  ctx: Context & StorageContext
  db: Database
  /** Sets the clock. */
  at(instant: string): void
  as(actor: Actor): Context & StorageContext
  run<In extends z.ZodObject, Out extends z.ZodType>(
    op: Operation<In, Out, Context & StorageContext>,
    input: unknown,
    ctx?: Context & StorageContext,
  ): Promise<z.output<Out>>
  /** The error of the call. Throws if it succeeds. */
  refusal(op: Operation<any, any, Context & StorageContext>, input: unknown, ctx?: Context): Promise<StudioError>
}

/** The docks on a database, by default in memory, with a fixed clock and sequential IDs. */
export async function openDockOffice(given?: Database): Promise<DockOffice> {
  const db = given ?? (await openDockDatabase([accessMigration, docksMigration, leaseMigration]))
  let now = NOW
  let count = 0
  const as = (actor: Actor): Context & StorageContext => ({
    actor,
    db,
    clock: { now: () => now },
    ids: {
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
      secret: (length) => String(++count).padStart(length, 'a'),
    },
    log: silentLog,
    signal: new AbortController().signal,
    progress: () => {},
  })
  const ctx = as({ kind: 'terminal', tenant: 'default' })
  return {
    ctx,
    db,
    as,
    at: (instant) => {
      now = Date.parse(instant)
    },
    run: (op, input, own = ctx) => execute(op, input, own),
    refusal: (op, input, own = ctx) =>
      execute(op, input, own as typeof ctx).then(
        (answer) => {
          throw new Error(`expected an error, got ${JSON.stringify(answer)}`)
        },
        (error: StudioError) => error,
      ),
  }
}

/** Open Monday to Friday 06:00 to 18:00 with a break at noon, in Chicago, two doors. */
export const DC1 = {
  code: 'DC1',
  name: 'North',
  timeZone: 'America/Chicago',
  queues: [{ name: 'Weekdays', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '18:00' }],
  breaks: [{ name: 'Noon', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '12:00', end: '12:30' }],
  doors: [{ name: 'Door 1' }, { name: 'Door 2' }],
}

export async function officeWith(facility: Record<string, unknown> = {}): Promise<DockOffice> {
  const office = await openDockOffice()
  await office.run(createFacility, { ...DC1, ...facility })
  return office
}

let loads = 0

/** A booking at DC1 on Tuesday for 60 minutes, with a unique reference. */
export function load(changes: Record<string, unknown> = {}): Record<string, unknown> {
  loads += 1
  return {
    facilityCode: 'DC1',
    type: 'delivery',
    carrierName: 'Blue Freight',
    referenceNumber: `PO-${loads}`,
    targetDate: '2026-11-17',
    durationMinutes: 60,
    ...changes,
  }
}

/** The settings without a mail server. */
export const NO_MAIL = { url: null, from: null }
export const noMail = openMailSender(NO_MAIL, null)
