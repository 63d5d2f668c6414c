import { isAbsolute, resolve } from 'node:path'
import { StudioError } from '../../kernel'
import { isPostgresAddress, parsePostgresAddress } from '../../storage'

/** What a database is opened by: an absolute path, or a `postgres://` address as given. Errors never include it, because it may contain a password. */
export function resolveDatabaseAddress(text: string, { cwd, name }: { cwd: string; name: string }): string {
  if (isPostgresAddress(text)) {
    if (parsePostgresAddress(text)) return text
    throw new StudioError('invalid', `${name} is not a valid address.`, {
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
