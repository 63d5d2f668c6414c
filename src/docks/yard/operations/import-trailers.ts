import * as z from 'zod'
import {
  asStudioError,
  type Context,
  checkpoint,
  detailsOf,
  familyOf,
  inputError,
  mapErrorFields,
  operation,
  withinTransaction,
  wordsFor,
} from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import { AppointmentId, TimeAtFacility } from '../../booking/schemas'
import type { FacilityChoice } from '../../facilities/rules/facility'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listTrailers } from '../../queries'
import type { ImportRow } from '../../rules/import-file'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven, Name } from '../../schemas'
import { importInParts } from '../../services/import-in-parts'
import { lockFacility, type TenantFacility } from '../../services/tenant-access'
import { parseTrailersFile } from '../rules/parse-trailers-file'
import { trailerFields } from '../schemas'
import { recordArrival } from '../services/arrival'

const MAX_ROWS = 5_000
const ROWS_PER_TRANSACTION = 50
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
  http: {
    method: 'post',
    path: '/api/trailers/import',
    extension: true,
    example: { facilityCode: 'DC1', text: 'number,carrier\nTR-1042,Blue Freight' },
  },
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
    const choice = { facilityId, facilityCode }
    const outcomes = await importInParts(ctx, {
      rows: parseTrailersFile(text),
      maxRows: MAX_ROWS,
      rowsPerTransaction: ROWS_PER_TRANSACTION,
      label: 'storing',
      again: 'Trailers that are in the yard already stay as they are.',
      importRows: (tx, part) => importRows(ctx, tx, part, choice),
      toFacts: ({ id: _id, ...facts }) => facts,
      atomic: false,
      dryRun,
    })
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
  { row, facility }: { row: ImportRow; facility: TenantFacility },
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
