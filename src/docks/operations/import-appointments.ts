import * as z from 'zod'
import { afterParts, type Context, operation, StudioError } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type ImportRow, parseImportFile } from '../rules/parse-import-file'
import { AppointmentStatus, FacilityCode, FacilityId } from '../schemas'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../services/facility-options'
import { type ImportRun, importRows, type RowOutcome } from '../services/import-rows'
import { writeAppointments } from '../services/tenant-access'

/** Rows that are committed together: enough to share the cost of a commit, few enough that others get their turn. */
const ROWS_PER_TRANSACTION = 200
const MAX_ROWS = 100_000
const MAX_CHARACTERS = 64 * 1024 * 1024

const Row = z.object({
  line: z.int(),
  outcome: z.enum(['booked', 'moved', 'imported_before', 'refused', 'taken_back']),
  referenceNumber: z.string().nullable(),
  id: z.string().nullable().describe('The appointment'),
  status: AppointmentStatus.nullable().describe('State of the appointment'),
  doorName: z.string().nullable(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  code: z.string().nullable().describe('Why it was refused'),
  message: z.string().nullable(),
  reason: z.string().nullable().describe('Says more than the message: that a date is full, not closed'),
})

export const importAppointments = operation({
  id: 'appointments.import',
  summary: 'Book many appointments from a file, with a report a row',
  description: [
    'CSV with a line of names, a JSON array, or one JSON object a line. A row has the fields of a booking, and may say `startTime`',
    '(with its offset) and `doorName`: it is moved to the next free slot where that is taken. Rows are booked one by one, in order;',
    'a row that is refused stops no other. Interrupted, or with rows corrected, run it again: a row that an earlier import booked is not',
    'booked again, not even when its appointment was completed or cancelled since.',
  ].join(' '),
  effect: 'write',
  access: 'tenant',
  input: z.strictObject({
    text: z.string().max(MAX_CHARACTERS).describe('The file; - reads standard input'),
    facilityId: FacilityId.optional(),
    facilityCode: FacilityCode.optional(),
    atomic: z.boolean().default(false).describe('Book all rows or, where one is refused, none'),
    again: z
      .boolean()
      .default(false)
      .describe('Book rows again whose appointment was completed or cancelled since an earlier import booked it'),
    dryRun: z.boolean().default(false).describe('Show what would become of each row, and book nothing'),
  }),
  output: z.object({
    imported: z.int().describe('Rows that are booked, the moved ones too'),
    moved: z.int().describe('Rows that are booked at another time than they asked for'),
    importedBefore: z.int().describe('Rows that an earlier import has booked'),
    refused: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
    dryRun: z.boolean(),
    rows: z.array(Row),
  }),
  errors: ['not_found'],
  isPartial: ({ refused }) => refused.length > 0,
  cli: {
    command: 'appointment import',
    args: ['text'],
    argumentNames: { text: 'file' },
    contents: ['text'],
    extraFlags: [{ ...facilityFlag, about: 'the facility of the rows that name none' }],
    flags: facilityFieldFlags,
    toInput: toFacilityInput,
    examples: [
      'studio appointment import bookings.csv --facility DC1 --dry-run --json',
      'studio appointment import bookings.csv --facility DC1',
    ],
    seeAlso: ['book', 'appointment list'],
  },
  async run(ctx: Context & StorageContext, { text, facilityId, facilityCode, atomic, again, dryRun }) {
    const rows = parseImportFile(text)
    if (rows.length > MAX_ROWS) {
      throw new StudioError('invalid', `There are ${rows.length} rows; at most ${MAX_ROWS} are taken at once.`, {
        hint: 'Split the file: what is booked stays.',
      })
    }
    const run = { id: ctx.ids.uuid(), defaultFacility: { facilityId, facilityCode }, again }
    const together = atomic || dryRun
    const outcomes = together
      ? await importInOneTransaction(ctx, rows, { run, keep: !dryRun })
      : await importInBatches(ctx, rows, run)
    const isTakenBack = together && !dryRun && outcomes.some(({ outcome }) => outcome === 'refused')
    return buildReport(outcomes, { dryRun, isTakenBack })
  },
})

async function importInBatches(
  ctx: Context & StorageContext,
  rows: readonly ImportRow[],
  run: ImportRun,
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
    ctx.signal.throwIfAborted()
    const part = rows.slice(from, from + ROWS_PER_TRANSACTION)
    const booked = await writeAppointments(ctx, (tx) => importRows(ctx, tx, part, run)).catch((error) => {
      if (from === 0) throw error
      throw afterParts(error, {
        done: `The first ${from} of ${rows.length} rows are done.`,
        again: 'Rows that are booked already are not booked again then.',
      })
    })
    outcomes.push(...booked)
    ctx.progress({ label: 'booking', done: outcomes.length, total: rows.length })
  }
  return outcomes
}

/** One transaction, which ends without a trace unless every row is booked. */
async function importInOneTransaction(
  ctx: Context & StorageContext,
  rows: readonly ImportRow[],
  { run, keep }: { run: ImportRun; keep: boolean },
): Promise<RowOutcome[]> {
  let outcomes: RowOutcome[] = []
  const notKept = new StudioError('conflict', 'The import is taken back.')
  const work = writeAppointments(ctx, async (tx) => {
    outcomes = await importRows(ctx, tx, rows, run)
    if (!keep || outcomes.some(({ outcome }) => outcome === 'refused')) throw notKept
  })
  await work.catch((error) => {
    if (error !== notKept) throw error
  })
  return outcomes
}

function buildReport(
  outcomes: readonly RowOutcome[],
  { dryRun, isTakenBack }: { dryRun: boolean; isTakenBack: boolean },
) {
  const booked = isTakenBack ? [] : outcomes.filter(({ outcome }) => outcome === 'booked' || outcome === 'moved')
  return {
    imported: booked.length,
    moved: booked.filter(({ outcome }) => outcome === 'moved').length,
    importedBefore: outcomes.filter(({ outcome }) => outcome === 'imported_before').length,
    refused: outcomes.flatMap((row) =>
      row.outcome === 'refused' ? [{ line: row.line, code: row.code, message: row.message }] : [],
    ),
    dryRun,
    rows: outcomes.map((row) => presentRow(row, { dryRun, isTakenBack })),
  }
}

function presentRow(
  row: RowOutcome,
  { dryRun, isTakenBack }: { dryRun: boolean; isTakenBack: boolean },
): z.input<typeof Row> {
  if (row.outcome === 'refused') {
    return { ...row, id: null, status: null, doorName: null, startTime: null, endTime: null }
  }
  const { appointment, line, outcome } = row
  const isStored = outcome === 'imported_before' || !(dryRun || isTakenBack)
  return {
    line,
    outcome: isTakenBack && outcome !== 'imported_before' ? 'taken_back' : outcome,
    referenceNumber: appointment.referenceNumber,
    id: isStored ? appointment.id : null,
    status: isStored ? appointment.status : null,
    doorName: appointment.doorName,
    startTime: new Date(appointment.startAt).toISOString(),
    endTime: new Date(appointment.endAt).toISOString(),
    code: null,
    message: null,
    reason: null,
  }
}
