import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import { hasPassword, isPostgresAddress, isSameDatabase, redactAddress } from '../services/database-address'
import { requireUnprotectedFile } from '../services/protected-files'
import type { StorageLocations, StorageLocationsContext } from '../services/storage-locations'
import { copyDatabase } from '../transfer/copy-database'

export const migrateDatabase = operation({
  id: 'storage.migrate',
  summary: 'Copy the database to another file or to a server',
  description: [
    'The target is a file, or a database on a server: postgres://user@host/database. It must be new or empty. All rows are copied or none:',
    'before the copy is committed, it is read back and compared by count and checksum. The current database does not change, and stays in use',
    'until STUDIO_DB names the other one. Stop everything that writes first: later changes are not in the copy. A password comes from the URL',
    'in STUDIO_DB_TO or from PGPASSWORD, never from a flag.',
  ].join(' '),
  effect: 'write',
  recorded: 'at-end',
  access: 'admin',
  input: z.strictObject({
    to: z.string().min(1).optional().describe('Path or URL of the target; STUDIO_DB_TO by default'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    tables: z.array(
      z.object({
        name: z.string(),
        rows: z.int(),
        checksum: z.string().describe('Sum of the SHA-256 of the rows, which is the same in every engine'),
        same: z.boolean().describe('Whether the rows of the target equal those of the source'),
      }),
    ),
  }),
  errors: ['conflict', 'unavailable'],
  cli: {
    command: 'db migrate',
    flags: { to: { value: 'url' } },
    examples: [
      'studio db migrate --to moved.db',
      'STUDIO_DB=moved.db studio db migrate --to back.db --json --fields tables',
    ],
    seeAlso: ['serve'],
  },
  async run(ctx: Context & StorageLocationsContext, input) {
    const { locations } = ctx
    const address = targetAddress(input.to, locations)
    if (isSameDatabase(address, locations.current)) {
      throw new StudioError('conflict', `${redactAddress(address)} is the database in use.`, {
        hint: 'Specify another database with --to.',
      })
    }
    if (!isPostgresAddress(address))
      requireUnprotectedFile(address, { database: locations.current, others: locations.protectedFiles })
    const blank = await locations.openEmpty()
    try {
      const target = await locations.openTarget(address)
      try {
        const copied = await copyDatabase(ctx, { source: ctx.db, target, blank })
        return {
          from: redactAddress(locations.current),
          to: redactAddress(address),
          tables: copied.map((table) => ({ ...table, same: true })),
        }
      } finally {
        await target.close()
      }
    } finally {
      await blank.close()
    }
  },
})

/** The flag names the database. If STUDIO_DB_TO names the same one, it may add the password. */
function targetAddress(input: string | undefined, { target, resolveAddress }: StorageLocations): string {
  if (input === undefined) {
    if (target !== null) return target
    throw new StudioError('invalid', 'No target database was given.', {
      hint: hint`${suggest('storage.migrate', { to: 'postgres://studio@db.example.com/studio' })}`,
      details: [{ path: 'to', message: 'is required unless STUDIO_DB_TO is set' }],
    })
  }
  if (hasPassword(input)) {
    throw new StudioError('invalid', 'A password must not be on the command line, where other users can read it.', {
      hint: 'Set it in PGPASSWORD, or the whole address in STUDIO_DB_TO. Change the password, because it was exposed.',
      details: [{ path: 'to', message: 'must not contain a password' }],
    })
  }
  const address = resolveAddress(input)
  return target !== null && isSameDatabase(address, target) ? target : address
}
