import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { resolveCopyLocations, type StorageLocationsContext } from '../services/storage-locations'

export const restoreDatabase = operation({
  id: 'storage.restore',
  summary: 'Replace the database with a backup, and archive the old one',
  description: [
    'The backup is checked first: tables, indexes, triggers and views that studio did not create are left out and listed. The files of the old database',
    'are moved to a folder beside it, where it can be opened again.',
    'Processes that have the database open continue with the backup.',
  ].join(' '),
  effect: 'write',
  recorded: 'at-end',
  access: 'admin',
  input: z.strictObject({ file: z.string().min(1).describe('A backup created by studio backup') }),
  output: z.object({
    file: z.string(),
    database: z.string(),
    keptAside: z.string().nullable().describe('The folder with the old database; null if there was none'),
    removed: z
      .array(z.string())
      .describe('Tables, indexes, triggers and views of the backup that studio did not create: they were left out'),
    recreated: z
      .array(z.string())
      .describe('Indexes, triggers and views that the backup lacked, or had in another form'),
  }),
  errors: [
    'conflict',
    'not_found',
    'database_damaged',
    'database_changed',
    'database_too_new',
    'disk_full',
    'read_only',
  ],
  cli: {
    command: 'restore',
    args: ['file'],
    examples: ['studio restore studio-monday.db --yes'],
    seeAlso: ['backup', 'doctor'],
    confirm: ({ file }) => `Replace the database with ${file}? The old one is archived in a folder beside it.`,
  },
  async run(ctx: Context & StorageLocationsContext, { file }) {
    const { database, copy } = resolveCopyLocations(ctx.locations, file)
    const { restoreFromCopy } = await import('../embedded/repair/backup')
    return { file: copy, database, ...(await restoreFromCopy(database, copy, ctx.locations.migrations)) }
  },
})
