import { resolve, sep } from 'node:path'
import { StudioError } from '../../kernel'
import { isPostgresAddress, shownAddress } from '../address'
import type { StoragePlaces } from '../places'

/** The files of a copy and of the database in use, which must be one in a file. */
export function filePlaces(places: StoragePlaces, typed: string): { database: string; copy: string } {
  const database = places.current
  if (isPostgresAddress(database)) {
    throw new StudioError('invalid', `The database in use is ${shownAddress(database)}, which its own tools copy.`, {
      hint: 'Use pg_dump and pg_restore; or copy it into a file: studio db migrate --to <file>',
    })
  }
  const copy = places.locate(typed)
  if (isPostgresAddress(copy)) throw new StudioError('invalid', 'Name a file, not an address.')
  const isOwn =
    resolve(copy) === resolve(database) ||
    [`${database}.log.`, `${database}.lock`].some((own) => resolve(copy).startsWith(own)) ||
    `${resolve(copy)}${sep}`.startsWith(`${resolve(database)}.search${sep}`)
  if (isOwn) throw new StudioError('invalid', `${copy} belongs to the database itself.`, { hint: 'Name another file.' })
  return { database, copy }
}
