import * as z from 'zod'
import { inputError, operation, StudioError } from '../../kernel'
import type { DayOrder, ImportedItems, ItemsFileOptions } from '../../tracker'
import { findTrackerLink, listFileTrackers } from '../queries'
import { FileSource } from '../schemas'
import { type FileImport, listTypes, previewFileImport, saveFileImport } from '../services/file-import'
import { countOutcomes, FileRow, separateRows, takeBackRow, toFileRow, writeNotes } from '../services/file-import-rows'
import { SANDBOX_NAME, SEPARATE_DATABASES_HINT } from '../services/tracker-link'
import type { TrackerWorkspaceContext } from '../services/workspace-context'

const MAX_ROWS = 100_000
const MAX_CHARACTERS = 64 * 1024 * 1024

const Moment = z.iso.datetime({ offset: true, error: 'must be an instant, as 2027-03-01T06:00:00Z' })

export const importFile = operation({
  id: 'items.import-file',
  summary: "Import work items from a file: the tracker's CSV export, or JSON",
  description: [
    'For those who may not call the tracker. CSV has a line of names, with ID, Work Item Type, Title and State, or Title 1, Title 2, …',
    "for a tree; JSON is what the tracker's API gives or what `studio item list --json` prints. Items are kept as from the tracker, and",
    'marked as from the file until the tracker gives them. What the tracker gave stays unless a row proves to be newer, by Rev, Changed',
    'Date or --as-of. A row that is refused stops no other.',
  ].join(' '),
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({
    text: z.string().max(MAX_CHARACTERS).describe('What the file holds'),
    name: z.string().min(1).max(1_000).default('standard input').describe('What the file is called'),
    modifiedAt: Moment.optional().describe('When the file was last changed: it shows nothing later'),
    asOf: Moment.optional().describe(
      'When the export was made, as 2026-11-20T08:00:00Z (default: when the file was last changed)',
    ),
    columns: z
      .array(z.string())
      .default([])
      .describe('A column that is called otherwise: "<name in the file>=<field>", as "Titel=Title"'),
    dates: z
      .enum(['dmy', 'mdy'])
      .optional()
      .describe('Whether the day or the month comes first in dates such as 3/4/2026'),
    timeZone: z.string().min(1).optional().describe("Zone of times in a CSV file (default: this machine's)"),
    atomic: z.boolean().default(false).describe('Keep all rows or, where one is refused, none'),
    dryRun: z.boolean().default(false).describe('Show what would become of each row, and keep nothing'),
  }),
  output: z.object({
    file: FileSource,
    format: z.enum(['csv', 'json']),
    added: z.int().describe('Items that were not here before'),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    dryRun: z.boolean(),
    rows: z.array(FileRow),
    columns: z
      .array(z.object({ title: z.string(), field: z.string() }))
      .describe('Each column of a CSV file, and which field it was read as'),
    notes: z.array(z.string()).describe('What a reader of reports should know'),
  }),
  errors: ['conflict'],
  isPartial: ({ refused }) => refused > 0,
  cli: {
    command: 'import',
    whenFlag: 'file',
    file: {
      about: "import work items from the tracker's CSV export or from JSON",
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
        about: 'with --file: when the export was made (default: when the file was last changed)',
      },
      columns: {
        name: 'column',
        value: 'name=field',
        about: 'with --file: what a column holds that is called otherwise, as "Titel=Title"',
      },
      dates: { about: 'with --file: whether the day or the month comes first in 3/4/2026' },
      timeZone: { value: 'zone', about: "with --file: zone of its times (default: this machine's)" },
      atomic: { about: 'with --file: keep all rows or, where one is refused, none' },
      dryRun: { about: 'with --file: show what would become of each row, and keep nothing' },
    },
    examples: ['studio import --file items.json --dry-run', 'studio import --file items.json'],
    seeAlso: ['item freshness'],
  },
  async run(ctx: TrackerWorkspaceContext, { text, name, modifiedAt, asOf, columns, dates, timeZone, atomic, dryRun }) {
    const importedAt = new Date(ctx.clock.now()).toISOString()
    const told = await parseFile(text, parseOptions({ columns, dates, timeZone }))
    if (told.rows.length > MAX_ROWS) {
      throw new StudioError('invalid', `There are ${told.rows.length} rows; at most ${MAX_ROWS} are taken at once.`, {
        hint: 'Split the file: what is kept already is found unchanged.',
      })
    }
    const file = { name, asOf: clampToNow(asOf ?? modifiedAt, importedAt), importedAt }
    const tracker = await requireOneTracker(ctx, told.trackers, { createsNone: dryRun })
    const { unread, rows } = separateRows(told)
    const importing: FileImport = { ctx, file, tracker, rows, isVouched: asOf !== undefined, types: listTypes(told) }
    const run = await (dryRun
      ? previewFileImport(importing)
      : atomic && unread.length > 0
        ? previewFileImport(importing)
        : saveFileImport(importing, atomic))
    const all = [...unread, ...run.judged.map((row) => toFileRow(row, told.format))].sort((a, b) => a.line - b.line)
    const refused = all.filter(({ outcome }) => outcome === 'refused').length
    const isTakenBack = atomic && !dryRun && refused > 0
    return {
      file,
      format: told.format,
      ...countOutcomes(isTakenBack ? [] : all),
      refused,
      dryRun,
      rows: isTakenBack ? all.map(takeBackRow) : all,
      columns: told.columns,
      notes: [...told.notes, ...writeNotes(run.judged)],
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
    // The name in the file may hold an equals sign itself.
    const at = pair.lastIndexOf('=', pair.length - 2)
    const [title, field] = at < 0 ? ['', ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (title === '' || field === '')
      throw inputError([{ path: 'columns', message: `must be "<name in the file>=<field>", not "${text}"` }])
    return [title, field] as const
  })
  return { columns: new Map(columns), dayOrder: given.dates ?? null, timeZone }
}

async function parseFile(text: string, reading: ItemsFileOptions): Promise<ImportedItems> {
  const { readItemsFile } = await import('../../tracker/items-file')
  return readItemsFile(text, reading)
}

/** A moment of the future is one of another clock. */
function clampToNow(told: string | undefined, now: string): string | null {
  if (told === undefined) return null
  const moment = new Date(told).toISOString()
  return moment > now ? now : moment
}

/** IDs of two trackers say nothing about each other. Gives the one that the file names, or null where it names none. */
async function requireOneTracker(
  ctx: TrackerWorkspaceContext,
  told: readonly string[],
  reading: { createsNone: boolean },
): Promise<string | null> {
  const { mirror, files } = await ctx.db.read(
    async (tx) => ({ mirror: await findTrackerLink(tx), files: await listFileTrackers(tx) }),
    reading,
  )
  const kept = mirror ? [mirror.tracker] : files
  const foreign = told.find((place) => kept.some((other) => other !== place && !other.startsWith(`${place}/`)))
  const mixed = told.length > 1 ? `${told[0]} and ${told[1]}` : null
  if (mixed !== null || foreign !== undefined) {
    const message = mixed
      ? `The file has work items of two trackers: ${mixed}. Their IDs must not be mixed.`
      : `This workspace keeps work items of ${kept[0]}; the file has some of ${foreign}. Their IDs must not be mixed.`
    throw new StudioError('conflict', message, { hint: SEPARATE_DATABASES_HINT })
  }
  // The sandbox stands in for a tracker where none is set: what it gave is sample work.
  const isSample =
    told.length === 0 && mirror?.tracker.startsWith('localhost/') && (await ctx.tracker()).name === SANDBOX_NAME
  if (isSample) {
    throw new StudioError(
      'conflict',
      'This workspace keeps sample work of the sandbox; the items of the file must not be mixed with it.',
      { hint: 'Keep them apart: set STUDIO_DB to another file, as in STUDIO_DB=plan.db studio import --file <file>' },
    )
  }
  return told[0] ?? null
}
