import * as z from 'zod'
import { findTenantId } from '../../../access'
import { afterParts, type Context, operation, StudioError } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { StorageLocationsContext } from '../../../storage'
import { isRefusedByConstraint } from '../../booking/queries/constraints'
import {
  type ArchiveConflict,
  type ArchivedAppointment,
  findArchiveConflicts,
  insertArchivedAppointments,
  lockArchiveFacilities,
} from '../../queries'
import { writeAppointments } from '../../services/tenant-access'
import { readArchive } from '../services/read-archive'

const APPOINTMENTS_PER_TRANSACTION = 200
/** Limits the answer; the counts are of all. */
const MAX_REFUSED = 100

type Refusal = ArchiveConflict | 'slot_taken'

const messages: Record<Exclude<Refusal, 'present'>, string> = {
  no_door: 'Its facility or door does not exist for this tenant.',
  reference_taken: 'Its reference is scheduled again at the facility.',
  slot_taken: 'Another appointment is at its door, or the facility is full, at that time.',
}

export const unarchiveAppointments = operation({
  id: 'appointments.unarchive',
  summary: 'Read archived appointments back from a file',
  description:
    'Stores the appointments of a file of `appointment archive` again, with their history. Appointments that exist are not changed, so you can run the command again after an interruption. The facilities and doors must exist; deleted facilities and removed doors count as existing.',
  effect: 'write',
  recorded: 'from-start',
  access: 'admin',
  input: z.strictObject({ file: z.string().min(1).describe('A file of appointment archive') }),
  output: z.object({
    restored: z.int(),
    present: z.int().describe('Number of appointments that existed already'),
    refused: z.int(),
    results: z
      .array(z.object({ id: z.string(), referenceNumber: z.string(), message: z.string() }))
      .describe('The first refused appointments, at most 100'),
  }),
  errors: ['not_found'],
  isPartial: ({ refused }) => refused > 0,
  cli: {
    command: 'appointment unarchive',
    args: ['file'],
    examples: ['studio appointment unarchive 2024.ndjson.gz'],
    seeAlso: ['appointment archive', 'restore'],
  },
  async run(ctx: Context & StorageLocationsContext, { file }) {
    const tenantId = await ctx.db.read((tx) => findTenantId(ctx, tx))
    if (tenantId === null) throw new StudioError('not_found', 'The tenant does not exist.', { hint: 'Check --tenant.' })
    const report = {
      restored: 0,
      present: 0,
      refused: 0,
      results: [] as { id: string; referenceNumber: string; message: string }[],
    }
    try {
      for await (const read of readArchive(ctx.locations.resolveAddress(file), APPOINTMENTS_PER_TRANSACTION)) {
        ctx.signal.throwIfAborted()
        // One that moved while it was archived may be there twice: the last version counts.
        const batch = [...new Map(read.map((entry) => [entry.appointment.id, entry])).values()]
        const conflicts = await restoreBatch(ctx, tenantId, batch)
        report.restored += batch.length - conflicts.size
        for (const entry of batch) addConflict(report, entry, conflicts.get(entry.appointment.id))
        ctx.progress({ label: 'restoring', done: report.restored + report.present + report.refused })
      }
    } catch (error) {
      if (report.restored + report.present + report.refused === 0) throw error
      throw afterParts(error, {
        done: `${pluralize(report.restored, 'appointment')} restored.`,
        again: 'Those that exist are not stored twice.',
      })
    }
    return report
  },
})

/** Stores the appointments without a conflict. If the database refuses one, each is stored in a transaction of its own. */
async function restoreBatch(
  ctx: Context & StorageLocationsContext,
  tenantId: string,
  batch: readonly ArchivedAppointment[],
): Promise<Map<string, Refusal>> {
  try {
    return await writeAppointments(ctx, async (tx) => {
      await lockArchiveFacilities(tx, batch)
      const conflicts = await findArchiveConflicts(tx, tenantId, batch)
      const others = batch.filter(({ appointment }) => !conflicts.has(appointment.id))
      await insertArchivedAppointments(tx, tenantId, others)
      return conflicts
    })
  } catch (error) {
    if (!isRefusedByConstraint(error)) throw error
    const [only, ...others] = batch
    if (others.length === 0) return new Map([[only!.appointment.id, 'slot_taken']])
    const conflicts: [string, Refusal][] = []
    for (const entry of batch) conflicts.push(...(await restoreBatch(ctx, tenantId, [entry])))
    return new Map(conflicts)
  }
}

function addConflict(
  report: { present: number; refused: number; results: { id: string; referenceNumber: string; message: string }[] },
  { appointment }: ArchivedAppointment,
  conflict: Refusal | undefined,
): void {
  if (conflict === undefined) return
  if (conflict === 'present') {
    report.present++
    return
  }
  report.refused++
  if (report.results.length < MAX_REFUSED)
    report.results.push({
      id: appointment.id,
      referenceNumber: appointment.reference_number,
      message: messages[conflict],
    })
}
