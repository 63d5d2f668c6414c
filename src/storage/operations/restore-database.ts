import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { resolveCopyLocations, type StorageLocationsContext } from '../services/storage-locations'

export const restoreDatabase = operation({
  id: 'storage.restore',
  summary: 'Put a copy in the place of the database, and keep the old one aside',
  description: [
    'The copy is checked first. The files of the old database are kept in a folder beside it, where it can be opened again.',
    'Processes that have the database open go on with the copy.',
  ].join(' '),
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ file: z.string().min(1).describe('A copy that studio backup has made') }),
  output: z.object({
    file: z.string(),
    database: z.string(),
    keptAside: z.string().nullable().describe('The folder that keeps the old database; null where there was none'),
  }),
  errors: ['conflict', 'not_found', 'database_damaged', 'database_too_new', 'disk_full', 'read_only'],
  cli: {
    command: 'restore',
    args: ['file'],
    examples: ['studio restore studio-monday.db --yes'],
    seeAlso: ['backup', 'doctor'],
    confirm: ({ file }) => `Put ${file} in the place of the database? The old one is kept aside.`,
  },
  async run(ctx: Context & StorageLocationsContext, { file }) {
    const { database, copy } = resolveCopyLocations(ctx.locations, file)
    const { restoreFromCopy: restoreDatabase } = await import('../embedded/backup')
    const keptAside = await restoreDatabase(database, copy, ctx.locations.migrations)
    return { file: copy, database, keptAside }
  },
})
