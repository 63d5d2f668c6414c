import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import { writeFileAtomic } from '../services/files'
import { resolveCopyLocations, type StorageLocationsContext } from '../services/storage-locations'

export const backupDatabase = operation({
  id: 'storage.backup',
  summary: 'Copy the database to a plain SQLite file while other processes keep writing',
  effect: 'read',
  access: 'admin',
  isExpensive: true,
  input: z.strictObject({
    file: z.string().min(1).describe('The file to create'),
    force: z.boolean().default(false).describe('Replace an existing file'),
  }),
  output: z.object({ file: z.string(), bytes: z.int(), sha256: z.string() }),
  errors: ['conflict', 'not_found', 'database_damaged', 'database_changed', 'disk_full', 'read_only'],
  cli: {
    command: 'backup',
    args: ['file'],
    examples: ['studio backup studio-monday.db', 'studio backup studio.bak --force'],
    seeAlso: ['restore', 'doctor', 'db migrate'],
  },
  async run(ctx: Context & StorageLocationsContext, { file, force }) {
    const { database, copy } = resolveCopyLocations(ctx.locations, file)
    if (existsSync(copy) && !force) {
      throw new StudioError('conflict', `${copy} already exists.`, {
        hint: 'Choose another name, or add --force.',
      })
    }
    const { exportDatabase } = await import('../embedded/repair/backup')
    const hash = createHash('sha256')
    let bytes = 0
    const saved = await exportDatabase(database, async (pieces) => {
      await writeFileAtomic(
        copy,
        (function* () {
          for (const piece of pieces) {
            bytes += piece.length
            hash.update(piece)
            yield piece
          }
        })(),
      )
      return { file: copy, bytes, sha256: hash.digest('hex') }
    })
    if (saved === null) {
      throw new StudioError('not_found', `There is no database at ${database} yet.`, {
        hint: hint`The first command that stores data creates it: ${suggest('features.import', { featureId: '<featureId>' })}`,
      })
    }
    return saved
  },
})
