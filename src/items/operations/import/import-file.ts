import * as z from 'zod'
import { inputError, operation, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { DayOrder, ImportedItems, ItemsFileOptions } from '../../../tracker'
import { findTrackerLink, listFileTrackers } from '../../queries'
import { FileSource } from '../../schemas'
import { listTypes, previewFileImport, saveFileImport } from '../../services/import/file-import'
import {
  countOutcomes,
  FileRow,
  separateRows,
  takeBackRow,
  toFileRow,
  writeNotes,
} from '../../services/import/file-import-rows'
import { createMixError } from '../../services/tracker-identity'
import { SANDBOX_NAME } from '../../services/tracker-link'
import type { TrackerWorkspaceContext } from '../../services/workspace-context'

const MAX_ROWS = 100_000
const MAX_CHARACTERS = 64 * 1024 * 1024

const Moment = z.iso.datetime({ offset: true, error: 'must be an instant such as 2027-03-01T06:00:00Z' })

export const importFile = operation({
  id: 'items.import-file',
  summary: "Import work items from a file: the tracker's CSV export, or JSON",
  description: [
    'Use this if you cannot call the tracker. CSV needs a header with ID, Work Item Type, Title and State, or Title 1, Title 2, … for a tree;',
    "JSON is the format of the tracker's API or of `studio item list --json`. Imported items are marked as from the file until they are read",
    'from the tracker. An item that was read from the tracker is replaced only if the row is newer by Rev, Changed Date or --as-of. A refused',
    'row does not stop the others.',
  ].join(' '),
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    text: z.string().max(MAX_CHARACTERS).describe('The text of the file'),
    name: z.string().min(1).max(1_000).default('standard input').describe('Name of the file'),
    modifiedAt: Moment.optional().describe('When the file was last changed'),
    asOf: Moment.optional().describe(
      'When the export was made, such as 2026-11-20T08:00:00Z (default: when the file was last changed)',
    ),
    columns: z
      .array(z.string())
      .max(1_000)
      .default([])
      .describe('Columns with other names, each as "<name in the file>=<field>", such as "Titel=Title"'),
    dates: z
      .enum(['dmy', 'mdy'])
      .optional()
      .describe('Whether the day or the month comes first in dates such as 3/4/2026'),
    timeZone: z.string().min(1).optional().describe("Zone of times in a CSV file (default: this machine's)"),
    atomic: z.boolean().default(false).describe('Save all rows, or none if one is refused'),
    dryRun: z.boolean().default(false).describe('Show what would happen to each row, and save nothing'),
  }),
  output: z.object({
    file: FileSource,
    format: z.enum(['csv', 'json']),
    added: z.int().describe('Items that were not cached before'),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    dryRun: z.boolean(),
    rows: z.array(FileRow),
    columns: z
      .array(z.object({ title: z.string(), field: z.string() }))
      .describe('Each column of a CSV file and the field that it was read as'),
    notes: z.array(z.string()).describe('Limits of the file that affect reports'),
  }),
  errors: ['conflict'],
  isPartial: ({ refused }) => refused > 0,
  cli: {
    command: 'import',
    whenFlag: 'file',
    file: {
      about: "Import work items from the tracker's CSV export or from JSON",
      parse: async (text: string, name: string, modifiedAt: string | null) => ({
        text,
        name,
        ...(modifiedAt === null ? {} : { modifiedAt }),
      }),
    },
    flags: {
      text: false,
      name: false,
      modifiedAt: false,
      asOf: {
        value: 'instant',
        about: 'With --file: when the export was made (default: when the file was last changed)',
      },
      columns: {
        name: 'column',
        value: 'name=field',
        about: 'With --file: the field of a column with another name, such as "Titel=Title"',
      },
      dates: { about: 'With --file: whether the day or the month comes first in 3/4/2026' },
      timeZone: { value: 'zone', about: "With --file: time zone of the times in the file (default: this machine's)" },
      atomic: { about: 'With --file: save all rows, or none if one is refused' },
      dryRun: { about: 'With --file: show what would happen to each row, and save nothing' },
    },
    examples: ['studio import --file items.json --dry-run', 'studio import --file items.json'],
    seeAlso: ['item freshness'],
  },
  async run(ctx: TrackerWorkspaceContext, { text, name, modifiedAt, asOf, columns, dates, timeZone, atomic, dryRun }) {
    const importedAt = formatInstant(ctx.clock.now())
    const parsed = await parseFile(text, parseOptions({ columns, dates, timeZone }), ctx.signal)
    if (parsed.rows.length > MAX_ROWS) {
      throw new StudioError('invalid', `The file has ${parsed.rows.length} rows; the maximum is ${MAX_ROWS}.`, {
        hint: 'Split the file and import the parts.',
      })
    }
    const file = { name, asOf: clampToNow(asOf ?? modifiedAt, importedAt), importedAt }
    const tracker = await requireOneTracker(ctx, parsed.trackers, { createsNone: dryRun })
    const { unread, rows } = separateRows(parsed)
    const fileImport = { ctx, file, tracker, rows, isDateExplicit: asOf !== undefined, types: listTypes(parsed) }
    const isPreview = dryRun || (atomic && unread.length > 0)
    const decided = await (isPreview ? previewFileImport(fileImport) : saveFileImport(fileImport, atomic))
    const all = [...unread, ...decided.map((row) => toFileRow(row, parsed.format))].sort((a, b) => a.line - b.line)
    const refused = all.filter(({ outcome }) => outcome === 'refused').length
    const isTakenBack = atomic && !dryRun && refused > 0
    return {
      file,
      format: parsed.format,
      ...countOutcomes(isTakenBack ? [] : all),
      refused,
      dryRun,
      rows: isTakenBack ? all.map(takeBackRow) : all,
      columns: parsed.columns,
      notes: [...parsed.notes, ...writeNotes(decided)],
    }
  },
})

function parseOptions(given: { columns: string[]; dates?: DayOrder; timeZone?: string }): ItemsFileOptions {
  const timeZone = given.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw inputError([{ path: 'timeZone', message: `there is no time zone ${timeZone}` }])
  }
  const columns = given.columns.map((text) => {
    const pair = text.trim()
    // The name in the file may contain an equals sign.
    const at = pair.lastIndexOf('=', pair.length - 2)
    const [title, field] = at < 0 ? ['', ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (title === '' || field === '')
      throw inputError([{ path: 'columns', message: `must be "<name in the file>=<field>", not "${text}"` }])
    return [title, field] as const
  })
  return { columns: new Map(columns), dayOrder: given.dates ?? null, timeZone }
}

async function parseFile(text: string, options: ItemsFileOptions, signal: AbortSignal): Promise<ImportedItems> {
  const { readItemsFile } = await import('../../../tracker/items-file')
  return readItemsFile(text, options, signal)
}

/** A time in the future comes from a clock that runs ahead. */
function clampToNow(time: string | undefined, now: string): string | null {
  if (time === undefined) return null
  const instant = new Date(time).toISOString()
  return instant > now ? now : instant
}

/** Refuses to mix the IDs of several trackers. Returns the tracker that the file names, if any. */
async function requireOneTracker(
  ctx: TrackerWorkspaceContext,
  named: readonly string[],
  readOptions: { createsNone: boolean },
): Promise<string | null> {
  const { link, fileTrackers } = await ctx.db.read(
    async (tx) => ({ link: await findTrackerLink(tx), fileTrackers: await listFileTrackers(tx) }),
    readOptions,
  )
  if (named.length > 1) throw createMixError(`The file has work items of two trackers: ${named[0]} and ${named[1]}.`)
  const cached = link ? [link.tracker] : fileTrackers
  const foreign = named.find((place) => cached.some((other) => other !== place && !other.startsWith(`${place}/`)))
  if (foreign !== undefined)
    throw createMixError(`This workspace has work items of ${cached[0]}, but the file has items of ${foreign}.`)
  // Without a configured tracker, cached items may be sample data of the sandbox.
  const isSample =
    named.length === 0 && link?.tracker.startsWith('localhost/') && (await ctx.tracker()).name === SANDBOX_NAME
  if (isSample) {
    throw new StudioError(
      'conflict',
      'This workspace has sample items of the sandbox, which must not be mixed with the items of the file.',
      { hint: 'Use a separate database: set STUDIO_DB, as in STUDIO_DB=plan.db studio import --file <file>' },
    )
  }
  return named[0] ?? null
}
