import { existsSync } from 'node:fs'
import * as z from 'zod'
import { findTenantId } from '../../../access'
import { afterParts, type Context, inputError, operation, StudioError, settlePlan } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { formatInstant, parseDate } from '../../../kernel/time'
import { createFileAtomic, requireUnprotectedFile, type StorageLocationsContext } from '../../../storage'
import {
  type ArchivedAppointment,
  type ArchivePosition,
  addContents,
  countEndedAppointments,
  deleteUnchangedAppointments,
  listArchiveFacilities,
  listEndedAppointments,
} from '../../queries'
import { getSpanOfDates } from '../../rules/date-range'
import { CalendarDate, FacilityCode } from '../../schemas'
import { requireFacility, writeAppointments } from '../../services/tenant-access'
import { type ArchiveHeader, formatArchive } from '../services/archive-file'
import { readArchive, readArchiveHeader } from '../services/read-archive'

/** Enough to share the cost of a commit, and few enough that bookings do not wait long. */
const APPOINTMENTS_PER_BATCH = 200

const ArchiveReport = z.object({
  file: z.string().nullable().describe('The written file; null if there was nothing to archive'),
  archived: z.int().describe('Number of appointments that are now in the file only'),
  changed: z.int().describe('Number of appointments that changed meanwhile, and are in the database too'),
  elsewhere: z.int().describe('Number of appointments that another command moved to its file at the same time'),
  remaining: z.int().describe('Number of appointments that ended before the date and are not in the file'),
  before: z.string(),
  dryRun: z.boolean(),
})
type ArchiveReport = z.output<typeof ArchiveReport>

export const archiveAppointments = operation({
  id: 'appointments.archive',
  summary: 'Move old appointments to a file',
  description:
    'Moves all appointments that ended before a date at their facility, with their history, to a compressed file of JSON lines. They are removed from the database only after the file is on the disk. If the command is interrupted, run it again with the same file: it continues, and no appointment is lost. Lists, reports and searches no longer show them. An appointment stays while some of its events are not delivered to all webhooks. `appointment unarchive` reads the file back.',
  effect: 'write',
  recorded: 'from-start',
  access: 'admin',
  isExpensive: true,
  input: z.strictObject({
    file: z.string().min(1).describe('The file to create, such as 2024.ndjson.gz; after an interruption, the same one'),
    before: CalendarDate.describe('Appointments that ended before this date; at the latest today'),
    facilityCode: FacilityCode.optional().describe('Only appointments of this facility'),
    dryRun: z.boolean().default(false).describe('Count the appointments without changing anything'),
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
    const { tenantId, facilities } = await listFacilities(ctx, facilityCode, before)
    const count = await countEnded(ctx, facilities)
    settlePlan(ctx, { tenantId, facilities, count })
    const nothing = { file: null, archived: count, changed: 0, elsewhere: 0, remaining: 0, before, dryRun }
    if (dryRun || count === 0 || tenantId === null) return nothing
    const path = ctx.locations.resolveAddress(file)
    requireUnprotectedFile(path, { database: ctx.locations.current, others: ctx.locations.protectedFiles })
    const header = {
      before,
      tenantId,
      facilityCode: facilityCode ?? null,
      createdAt: formatInstant(ctx.clock.now()),
    }
    const isContinued = existsSync(path)
    if (isContinued) await requireInterruptedArchive(path, header)
    else {
      let written = 0
      const batches = listBatches(ctx, facilities, (done) => {
        written += done
        ctx.progress({ label: 'writing', done: written, total: count })
      })
      await createFileAtomic(path, formatArchive(header, batches))
    }
    const { removed, changed, absent } = await removeArchived(ctx, tenantId, path)
    if (isContinued && removed === 0) throw existsError(path)
    const remaining = Math.max(0, (await countEnded(ctx, facilities)) - changed)
    // The interrupted command removed the appointments that are absent.
    const parts = isContinued ? { archived: removed + absent, elsewhere: 0 } : { archived: removed, elsewhere: absent }
    return { file: path, ...parts, changed, remaining, before, dryRun }
  },
})

async function countEnded(ctx: StorageLocationsContext, facilities: readonly ArchivedFacility[]): Promise<number> {
  return ctx.db.read(async (tx) => {
    let count = 0
    for (const { id, before } of facilities) count += await countEndedAppointments(tx, id, before)
    return count
  })
}

/** Throws `conflict` unless the file was written by the same command, which was interrupted. */
async function requireInterruptedArchive(path: string, header: Omit<ArchiveHeader, 'studioArchive'>): Promise<void> {
  const found = await readArchiveHeader(path).catch(() => null)
  const isSame = (['before', 'tenantId', 'facilityCode'] as const).every((field) => found?.[field] === header[field])
  if (!isSame) throw existsError(path)
}

function existsError(path: string): StudioError {
  return new StudioError('conflict', `${path} already exists.`, {
    hint: 'Choose another name: an archive is never replaced.',
  })
}

interface ArchivedFacility {
  id: string
  /** Epoch milliseconds. */
  before: number
}

async function listFacilities(
  ctx: Context & StorageLocationsContext,
  code: string | undefined,
  before: string,
): Promise<{ tenantId: string | null; facilities: ArchivedFacility[] }> {
  const day = parseDate(before)
  const { tenantId, found } = await ctx.db.read(async (tx) => {
    const tenantId = await findTenantId(ctx, tx)
    if (code !== undefined) return { tenantId, found: [await requireFacility(ctx, tx, { facilityCode: code })] }
    return { tenantId, found: tenantId === null ? [] : await listArchiveFacilities(tx, tenantId) }
  })
  const facilities = found.map(({ id, timeZone }) => {
    const { from } = getSpanOfDates(timeZone, { first: day, last: day })
    if (from > ctx.clock.now()) throw inputError([{ path: 'before', message: 'must not be after today' }])
    return { id, before: from }
  })
  return { tenantId, facilities }
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
      yield batch.filter(({ attachments }) => attachments.length === 0)
      // Files are large, so that one appointment at a time is in memory.
      for (const entry of batch)
        if (entry.attachments.length > 0) yield [await ctx.db.read((tx) => addContents(tx, entry))]
      after = { startAt: last.appointment.start_at, id: last.appointment.id }
    }
  }
}

/** Reads the whole file back, and then removes from the database what is in it. */
async function removeArchived(ctx: Context & StorageLocationsContext, tenantId: string, path: string) {
  const report = { removed: 0, changed: 0, absent: 0 }
  try {
    for await (const _ of readArchive(path, APPOINTMENTS_PER_BATCH)) ctx.signal.throwIfAborted()
    for await (const batch of readArchive(path, APPOINTMENTS_PER_BATCH)) {
      ctx.signal.throwIfAborted()
      const { removed, changed } = await writeAppointments(ctx, (tx) =>
        deleteUnchangedAppointments(tx, tenantId, batch),
      )
      report.removed += removed
      report.changed += changed
      report.absent += batch.length - removed - changed
      ctx.progress({ label: 'removing', done: report.removed + report.changed + report.absent })
    }
  } catch (error) {
    throw afterParts(error, {
      done: `${pluralize(report.removed, 'appointment')} moved to ${path}.`,
      again: 'Then run the same command again to continue.',
    })
  }
  return report
}

function formatQuestion({ archived, before }: ArchiveReport): string | null {
  return archived === 0 ? null : `Move ${pluralize(archived, 'appointment')} from before ${before} to the file?`
}
