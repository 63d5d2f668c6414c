import * as z from 'zod'
import {
  afterParts,
  asStudioError,
  type Context,
  checkpoint,
  detailsOf,
  familyOf,
  inputError,
  isBoundToPlan,
  mapErrorFields,
  operation,
  StudioError,
  settlePlan,
  withinTransaction,
  wordsFor,
} from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import { AppointmentId, TimeAtFacility } from '../../booking/schemas'
import type { Facility, FacilityChoice } from '../../facilities/rules/facility'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listTrailers } from '../../queries'
import type { ImportRow } from '../../rules/import-file'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven, Name } from '../../schemas'
import { lockFacility, writeAppointments } from '../../services/tenant-access'
import { parseTrailersFile } from '../rules/parse-trailers-file'
import { trailerFields } from '../schemas'
import { recordArrival } from '../services/arrival'

const MAX_ROWS = 5_000
/** Enough rows to share the cost of a commit, and few enough that other writers do not wait long. */
const ROWS_PER_TRANSACTION = 100
/** Less than the body of a request. */
const MAX_CHARACTERS = 1_000_000

const Outcome = z.object({
  line: z.int(),
  outcome: z.enum(['arrived', 'already_there', 'has_left', 'refused']),
  number: z.string().nullable(),
  id: z.string().nullable().describe('The trailer; null if it was not stored'),
  code: z.string().nullable().describe('Error code of a refused row'),
  message: z.string().nullable(),
})
type Outcome = z.output<typeof Outcome>

const loadWords = new Map<unknown, boolean>([
  ...(['yes', 'true', 'loaded'] as const).map((word) => [word, true] as const),
  ...(['no', 'false', 'empty'] as const).map((word) => [word, false] as const),
])

/** A row as a file or an exported list has it. */
const Row = z.strictObject({
  number: trailerFields.number,
  carrierName: trailerFields.carrierName.nullish(),
  loaded: z.preprocess((given) => loadWords.get(given) ?? given, z.boolean('must be yes or no').nullish()),
  appointment: trailerFields.appointment,
  appointmentId: AppointmentId.nullish(),
  spotName: Name.nullish(),
  doorName: Name.nullish(),
  arrivedAt: TimeAtFacility.nullish(),
  leftAt: z.string().nullish(),
  note: trailerFields.note,
})

export const importTrailers = operation({
  id: 'yard.import',
  summary: 'Record the trailers of a file as arrived in the yard, with a report per row',
  description:
    'Reads CSV with a header line, a JSON array, or one JSON object per line, such as an exported yard list. A row has the number, the carrier or the appointment, and may have `loaded`, `spotName` or `doorName`, `arrivedAt` and `note`. A trailer that is in the yard already is left as it is, so the same file can be imported again; a row with `leftAt` is no arrival. A refused row does not stop the others.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'manager' },
  isExpensive: true,
  input: z
    .strictObject({
      text: z
        .string()
        .max(MAX_CHARACTERS)
        .describe(
          'The file: CSV with a header line, a JSON array, or one JSON object per line, with fields such as number, carrierName, spotName and arrivedAt',
        ),
      facilityId: FacilityId.optional(),
      facilityCode: FacilityCode.optional(),
      dryRun: z.boolean().default(false).describe('Show the outcome of each row without storing anything'),
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.object({
    arrived: z.int().describe('Number of trailers that were stored'),
    refused: z.int(),
    dryRun: z.boolean(),
    rows: z.array(Outcome),
  }),
  errors: ['not_found'],
  isPartial: ({ refused }) => refused > 0,
  http: { method: 'post', path: '/api/trailers/import', extension: true },
  cli: {
    command: 'yard import',
    args: ['text'],
    argumentNames: { text: 'file' },
    contents: ['text'],
    extraFlags: [facilityFlag],
    flags: { ...facilityFieldFlags, text: { about: 'The file; - for standard input' } },
    toInput: toFacilityInput,
    examples: ['studio yard import yard.csv --facility DC1 --dry-run', 'studio yard import yard.csv --facility DC1'],
    seeAlso: ['yard list', 'yard arrive', 'yard add-spots'],
  },
  async run(ctx: Context & StorageContext, { text, facilityId, facilityCode, dryRun }) {
    const rows = parseTrailersFile(text)
    if (rows.length > MAX_ROWS) {
      throw new StudioError(
        'invalid',
        `The file has ${rows.length} rows; at most ${MAX_ROWS} can be imported at once.`,
        {
          hint: 'Split the file and import the parts.',
        },
      )
    }
    const choice = { facilityId, facilityCode }
    const inOneTransaction = dryRun || isBoundToPlan(ctx)
    const outcomes = inOneTransaction
      ? await importInOneTransaction(ctx, rows, { choice, dryRun })
      : await importInParts(ctx, rows, choice)
    const arrived = outcomes.filter(({ outcome }) => outcome === 'arrived')
    const stored = new Set(arrived.map(({ id }) => id))
    return {
      arrived: arrived.length,
      refused: outcomes.filter(({ outcome }) => outcome === 'refused').length,
      dryRun,
      rows: outcomes.map((row) => (dryRun && stored.has(row.id) ? { ...row, id: null } : row)),
    }
  },
})

async function importInParts(
  ctx: Context & StorageContext,
  rows: readonly ImportRow[],
  choice: FacilityChoice,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
    ctx.signal.throwIfAborted()
    const part = rows.slice(from, from + ROWS_PER_TRANSACTION)
    const stored = await writeAppointments(ctx, (tx) => importRows(ctx, tx, part, choice)).catch((error) => {
      if (from === 0) throw error
      throw afterParts(error, {
        done: `The first ${from} of ${rows.length} rows are done.`,
        again: 'Trailers that are in the yard already stay as they are.',
      })
    })
    outcomes.push(...stored)
    ctx.progress({ label: 'storing', done: outcomes.length, total: rows.length })
  }
  return outcomes
}

/** Rolled back if this is a dry run. */
async function importInOneTransaction(
  ctx: Context & StorageContext,
  rows: readonly ImportRow[],
  { choice, dryRun }: { choice: FacilityChoice; dryRun: boolean },
): Promise<Outcome[]> {
  let outcomes: Outcome[] = []
  const rollback = new StudioError('conflict', 'The import was rolled back.')
  const work = writeAppointments(ctx, async (tx) => {
    outcomes = await importRows(ctx, tx, rows, choice)
    settlePlan(
      ctx,
      outcomes.map(({ id: _id, ...facts }) => facts),
    )
    if (dryRun) throw rollback
  })
  await work.catch((error) => {
    if (error !== rollback) throw error
  })
  return outcomes
}

async function importRows(
  ctx: Context & StorageContext,
  tx: WriteTx,
  rows: readonly ImportRow[],
  choice: FacilityChoice,
): Promise<Outcome[]> {
  const call = withinTransaction(ctx)
  const facility = await lockFacility(ctx, tx, choice)
  const outcomes: Outcome[] = []
  for (const row of rows) {
    outcomes.push(await importRow(ctx, tx, { row, facility }))
    await checkpoint(call)
  }
  return outcomes
}

/** A row that is refused has changed nothing. */
async function importRow(
  ctx: Context & StorageContext,
  tx: WriteTx,
  { row, facility }: { row: ImportRow; facility: Facility & { tenantId: string } },
): Promise<Outcome> {
  const { line } = row
  const given = 'fields' in row ? row.fields['number'] : null
  const number = typeof given === 'string' ? given : null
  try {
    if ('rowError' in row) throw inputError([{ path: '', message: `The row ${row.rowError}` }])
    const parsed = Row.safeParse(row.fields, { error: wordsFor, reportInput: true })
    if (!parsed.success) throw inputError(detailsOf(parsed.error))
    const { arrivedAt, leftAt, appointment, appointmentId, loaded, ...arrival } = parsed.data
    const known = { line, number: arrival.number, code: null, message: null }
    if (leftAt != null) return { ...known, outcome: 'has_left', id: null }
    const [there] = await listTrailers(tx, { facilityId: facility.id, isPresent: true, number: arrival.number })
    if (there !== undefined) return { ...known, outcome: 'already_there', id: there.id }
    const { id } = await recordArrival(ctx, tx, facility, {
      ...arrival,
      loaded: loaded ?? true,
      appointment: appointmentId ?? appointment,
      at: arrivedAt,
    })
    return { ...known, outcome: 'arrived', id }
  } catch (error) {
    const { columns } = 'columns' in row ? row : {}
    const fields: Record<string, string> = { at: 'arrivedAt' }
    if ('fields' in row && row.fields['appointmentId'] != null) fields['appointment'] = 'appointmentId'
    const { code, message } = mapErrorFields(asStudioError(error), {
      nameOf: (path) => columns?.get(fields[path] ?? path) ?? fields[path] ?? path,
      hint: '',
    })
    if (!['invalid', 'not_found', 'conflict'].includes(familyOf(code))) throw error
    return { line, number, outcome: 'refused', id: null, code, message }
  }
}
