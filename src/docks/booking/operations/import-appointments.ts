import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { FacilityCode, FacilityId } from '../../schemas'
import { importInParts } from '../../services/import-in-parts'
import { parseImportFile } from '../rules/parse-import-file'
import { AppointmentStatus } from '../schemas'
import { importRows, type RowOutcome } from '../services/import-rows'

const ROWS_PER_TRANSACTION = 200
const MAX_ROWS = 100_000
const MAX_CHARACTERS = 64 * 1024 * 1024

const Row = z.object({
  line: z.int(),
  outcome: z.enum(['booked', 'moved', 'imported_before', 'refused', 'taken_back', 'not_scheduled']),
  referenceNumber: z.string().nullable(),
  id: z.string().nullable().describe('The appointment'),
  status: AppointmentStatus.nullable().describe('State of the appointment'),
  doorName: z.string().nullable(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  timeZone: z.string().nullable().describe('Time zone of the facility; null for a row without an appointment'),
  code: z.string().nullable().describe('Error code of a refused row'),
  message: z.string().nullable(),
  reason: z.string().nullable().describe('More precise than the message: whether a date is full, not closed'),
})

export const importAppointments = operation({
  id: 'appointments.import',
  summary: 'Book appointments from a file, with a report per row',
  description: [
    'Reads CSV with a header line, a JSON array, or one JSON object per line. A row has the fields of a booking, and may specify `doorName`',
    'and `startTime`: a time at the facility such as `06:00` or `2027-03-01T06:00`, or an instant with its offset. If that slot is taken, the',
    'row is moved to the next free one. Rows are booked in order, and a refused',
    'row does not stop the others. After an interruption, or after you correct rows, run the import again: rows that an earlier import booked',
    'are not booked again, even if their appointment was completed or cancelled since.',
  ].join(' '),
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'manager' },
  isExpensive: true,
  input: z.strictObject({
    text: z
      .string()
      .max(MAX_CHARACTERS)
      .describe(
        'The file: CSV with a header line, a JSON array, or one JSON object per line, with the fields of a booking, such as type, carrierName, referenceNumber, and targetDate or startTime',
      ),
    facilityId: FacilityId.optional(),
    facilityCode: FacilityCode.optional(),
    atomic: z.boolean().default(false).describe('Book all rows, or none if one is refused'),
    again: z
      .boolean()
      .default(false)
      .describe('Book rows again whose appointment was completed or cancelled after an earlier import booked it'),
    dryRun: z.boolean().default(false).describe('Show the outcome of each row without booking anything'),
  }),
  output: z.object({
    imported: z.int().describe('Number of booked rows, including moved ones'),
    moved: z.int().describe('Number of rows booked at another time than requested'),
    importedBefore: z.int().describe('Number of rows that an earlier import booked'),
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
    extraFlags: [{ ...facilityFlag, about: 'The facility of rows without one' }],
    flags: { ...facilityFieldFlags, text: { about: 'The file; - for standard input' } },
    toInput: toFacilityInput,
    examples: [
      'studio appointment import bookings.csv --facility DC1 --dry-run --json',
      'studio appointment import bookings.csv --facility DC1',
    ],
    seeAlso: ['book', 'appointment list'],
  },
  async run(ctx: Context & StorageContext, { text, facilityId, facilityCode, atomic, again, dryRun }) {
    const run = { id: ctx.ids.uuid(), defaultFacility: { facilityId, facilityCode }, again }
    const outcomes = await importInParts(ctx, {
      rows: parseImportFile(text),
      maxRows: MAX_ROWS,
      rowsPerTransaction: ROWS_PER_TRANSACTION,
      label: 'booking',
      again: 'Rows that are already booked are not booked again.',
      importRows: (tx, part) => importRows(ctx, tx, part, run),
      toFacts,
      atomic,
      dryRun,
      isRefused: ({ outcome }) => outcome === 'refused',
    })
    const isRolledBack = atomic && !dryRun && outcomes.some(({ outcome }) => outcome === 'refused')
    return buildReport(outcomes, { dryRun, isRolledBack })
  },
})

/** Without what is made anew in each run. */
function toFacts(row: RowOutcome): unknown {
  if (!('appointment' in row)) return row
  const { referenceNumber, doorId, startAt, endAt } = row.appointment
  return { line: row.line, outcome: row.outcome, referenceNumber, doorId, startAt, endAt }
}

function buildReport(
  outcomes: readonly RowOutcome[],
  { dryRun, isRolledBack }: { dryRun: boolean; isRolledBack: boolean },
) {
  const booked = isRolledBack ? [] : outcomes.filter(({ outcome }) => outcome === 'booked' || outcome === 'moved')
  return {
    imported: booked.length,
    moved: booked.filter(({ outcome }) => outcome === 'moved').length,
    importedBefore: outcomes.filter(({ outcome }) => outcome === 'imported_before').length,
    refused: outcomes.flatMap((row) =>
      row.outcome === 'refused' ? [{ line: row.line, code: row.code, message: row.message }] : [],
    ),
    dryRun,
    rows: outcomes.map((row) => presentRow(row, { dryRun, isRolledBack })),
  }
}

function presentRow(
  row: RowOutcome,
  { dryRun, isRolledBack }: { dryRun: boolean; isRolledBack: boolean },
): z.input<typeof Row> {
  const unplaced = { id: null, status: null, doorName: null, startTime: null, endTime: null, timeZone: null }
  if (row.outcome === 'refused') return { ...row, ...unplaced }
  if (row.outcome === 'not_scheduled') return { ...row, ...unplaced, code: null, message: null, reason: null }
  const { appointment, timeZone, line, outcome } = row
  const isStored = outcome === 'imported_before' || !(dryRun || isRolledBack)
  return {
    line,
    outcome: isRolledBack && outcome !== 'imported_before' ? 'taken_back' : outcome,
    referenceNumber: appointment.referenceNumber,
    id: isStored ? appointment.id : null,
    status: isStored ? appointment.status : null,
    doorName: appointment.doorName,
    startTime: formatInstant(appointment.startAt),
    endTime: formatInstant(appointment.endAt),
    timeZone,
    code: null,
    message: null,
    reason: null,
  }
}
