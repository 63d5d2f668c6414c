import { isAbsolute, resolve } from 'node:path'
import { StudioError } from '../kernel'
import { isPostgresAddress, isSameDatabase, parsePostgresAddress, shownAddress } from '../storage'

/** What a database is opened by: an absolute path, or a `postgres://` address as it was given. Never tells the text, for its password. */
export function databaseAddress(text: string, { cwd, name }: { cwd: string; name: string }): string {
  if (isPostgresAddress(text)) {
    if (parsePostgresAddress(text)) return text
    throw new StudioError('invalid', `${name} is not an address that can be read.`, {
      hint: 'Write it as postgres://user:password@host:5432/database, with %40 for @, %2F for / and so on in the password.',
    })
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new StudioError('invalid', `${name} must be the path of a file or a postgres:// address.`, {
      hint: `Set ${name} to a path such as ./studio.db, or to postgres://user@host/database.`,
    })
  }
  return isAbsolute(text) ? text : resolve(cwd, text)
}

/**
 * Which database is opened. The driver sends the password in PGPASSWORD to whatever server is named, and it is the user's own as the
 * tracker's token is: a server that a project's file names alone must not draw it.
 */
export function databaseOf(given: {
  env: NodeJS.ProcessEnv
  cwd: string
  own: string
  ofProject: string | undefined
  project: string | null
}): string {
  const { env, cwd, own, ofProject } = given
  const address = databaseAddress(env['STUDIO_DB'] || ofProject || own, { cwd, name: 'STUDIO_DB' })
  const isOwn = Boolean(env['STUDIO_DB']) || ofProject === undefined || isSameDatabase(ofProject, own)
  if (isOwn || !env['PGPASSWORD'] || !wantsPasswordElsewhere(address)) return address
  const shown = shownAddress(address)
  throw new StudioError('invalid', `PGPASSWORD is not sent to ${shown}: only ${given.project} names that server.`, {
    hint: `If you trust it, set it yourself: export STUDIO_DB=${shown.replace('://', '://<user>@')}`,
  })
}

/** A server by name, without a password of its own. Where the address names no server, PGHOST does, which is the user's. */
function wantsPasswordElsewhere(address: string): boolean {
  const url = isPostgresAddress(address) ? parsePostgresAddress(address) : null
  return url !== null && url.password === '' && (url.hostname !== '' || url.searchParams.has('host'))
}
