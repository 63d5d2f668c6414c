import { existsSync } from 'node:fs'
import * as z from 'zod'
import { findTenantId } from '../../access'
import { afterParts, type Context, inputError, operation, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text'
import { formatInstant, parseDate } from '../../kernel/time'
import { createFileAtomic, requireUnprotectedFile, type StorageLocationsContext } from '../../storage'
import {
  type ArchivedAppointment,
  type ArchivePosition,
  countEndedAppointments,
  deleteUnchangedAppointments,
  listArchiveFacilities,
  listEndedAppointments,
} from '../queries'
import { getSpanOfDates } from '../rules/date-range'
import { CalendarDate, FacilityCode } from '../schemas'
import { formatArchive, readArchive } from '../services/archive-file'
import { requireFacility, writeAppointments } from '../services/tenant-access'

/** Enough to share the cost of a commit, and few enough that bookings do not wait long. */
const APPOINTMENTS_PER_BATCH = 200

const ArchiveReport = z.object({
  file: z.string().nullable().describe('The written file; null if there was nothing to archive'),
  archived: z.int().describe('Number of appointments that are now in the file only'),
  kept: z.int().describe('Number of appointments that changed meanwhile, and are in the database too'),
  before: z.string(),
  dryRun: z.boolean(),
})
type ArchiveReport = z.output<typeof ArchiveReport>

export const archiveAppointments = operation({
  id: 'appointments.archive',
  summary: 'Move old appointments to a file',
  description:
    'Moves all appointments that ended before a date at their facility, with their history, to a compressed file of JSON lines. They are removed from the database after the file is on the disk, so none is lost by an interruption: run the command again, with another file. Lists, reports and searches no longer show them. An appointment whose events were not delivered to all webhooks yet stays. `appointment unarchive` reads the file back.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    file: z.string().min(1).describe('The file to create, such as 2024.ndjson.gz'),
    before: CalendarDate.describe('Appointments that ended before this date; at the latest today'),
    facilityCode: FacilityCode.optional().describe('Only of this facility'),
    dryRun: z.boolean().default(false).describe('Count them without changing anything'),
  }),
  output: ArchiveReport,
  errors: ['not_found', 'conflict', 'disk_full', 'read_only'],
  cli: {
    command: 'appointment archive',
    args: ['file'],
    flags: { before: { value: 'YYYY-MM-DD' }, facilityCode: { name: 'facility', value: 'code' } },
    confirmDryRun: (answer) => formatQuestion(answer as ArchiveReport),
    examples: [
      'studio appointment archive until-2024.ndjson.gz --before 2025-01-01 --dry-run',
      'studio appointment archive dc1-until-2024.ndjson.gz --before 2025-01-01 --facility DC1 --yes',
    ],
    seeAlso: ['appointment unarchive', 'appointment list', 'backup'],
  },
  async run(ctx: Context & StorageLocationsContext, { file, before, facilityCode, dryRun }) {
    const facilities = await listFacilities(ctx, facilityCode, before)
    const count = await ctx.db.read(async (tx) => {
      let count = 0
      for (const { id, before } of facilities) count += await countEndedAppointments(tx, id, before)
      return count
    })
    if (dryRun || count === 0) return { file: null, archived: count, kept: 0, before, dryRun }
    const path = ctx.locations.resolveAddress(file)
    requireUnprotectedFile(path, { database: ctx.locations.current, others: ctx.locations.protectedFiles })
    if (existsSync(path))
      throw new StudioError('conflict', `${path} already exists.`, {
        hint: 'Choose another name: an archive is never replaced.',
      })
    const facts = { before, createdAt: formatInstant(ctx.clock.now()) }
    let written = 0
    const batches = listBatches(ctx, facilities, (done) => {
      written += done
      ctx.progress({ label: 'writing', done: written, total: count })
    })
    await createFileAtomic(path, formatArchive(facts, batches))
    const archived = await removeArchived(ctx, path)
    return { file: path, ...archived, before, dryRun }
  },
})

interface ArchivedFacility {
  id: string
  /** Epoch milliseconds. */
  before: number
}

async function listFacilities(
  ctx: Context & StorageLocationsContext,
  code: string | undefined,
  before: string,
): Promise<ArchivedFacility[]> {
  const day = parseDate(before)
  const found = await ctx.db.read(async (tx) => {
    if (code !== undefined) return [await requireFacility(ctx, tx, { facilityCode: code })]
    const tenantId = await findTenantId(ctx, tx)
    return tenantId === null ? [] : listArchiveFacilities(tx, tenantId)
  })
  return found.map(({ id, timeZone }) => {
    const { from } = getSpanOfDates(timeZone, { first: day, last: day })
    if (from > ctx.clock.now()) throw inputError([{ path: 'before', message: 'must not be after today' }])
    return { id, before: from }
  })
}

async function* listBatches(
  ctx: Context & StorageLocationsContext,
  facilities: readonly ArchivedFacility[],
  onBatch: (count: number) => void,
): AsyncGenerator<ArchivedAppointment[]> {
  for (const { id: facilityId, before } of facilities) {
    let after: ArchivePosition | null = null
    for (;;) {
      ctx.signal.throwIfAborted()
      const position: ArchivePosition | null = after
      const batch: ArchivedAppointment[] = await ctx.db.read((tx) =>
        listEndedAppointments(tx, { facilityId, before, after: position, limit: APPOINTMENTS_PER_BATCH }),
      )
      const last = batch.at(-1)
      if (last === undefined) break
      onBatch(batch.length)
      yield batch
      after = { startAt: last.appointment.start_at, id: last.appointment.id }
    }
  }
}

/** Reads the file back, which shows that it can be read, and removes from the database what is in it. */
async function removeArchived(ctx: Context & StorageLocationsContext, path: string) {
  let archived = 0
  let kept = 0
  try {
    for await (const batch of readArchive(path, APPOINTMENTS_PER_BATCH)) {
      ctx.signal.throwIfAborted()
      const removed = await writeAppointments(ctx, (tx) => deleteUnchangedAppointments(tx, batch))
      archived += removed
      kept += batch.length - removed
      ctx.progress({ label: 'removing', done: archived + kept })
    }
  } catch (error) {
    throw afterParts(error, {
      done: `${pluralize(archived, 'appointment')} moved to ${path}.`,
      again: 'Run it again with another file for the rest.',
    })
  }
  return { archived, kept }
}

function formatQuestion({ archived, before }: ArchiveReport): string | null {
  return archived === 0 ? null : `Move ${pluralize(archived, 'appointment')} from before ${before} to the file?`
}
