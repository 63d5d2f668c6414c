import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from 'node:tls'
import { StudioError } from '../../kernel'
import { errorCodeOf } from '../../kernel/errors'

interface Account {
  host: string
  port: number
  database: string
  user: string
  ssl?: ConnectionOptions | boolean
}

/**
 * The password of an account for which neither the address nor `PGPASSWORD` has one: from the file of `STUDIO_DB_PASSWORD_FILE`, or the
 * password file of PostgreSQL's own programs. It is read for each connection, so it can be replaced while the service runs.
 */
export async function readPassword(account: Account): Promise<string | undefined> {
  const file = process.env['STUDIO_DB_PASSWORD_FILE']
  if (file) return readSecret(file)
  const { default: findPassword } = await import('pgpass')
  return new Promise((resolve) => findPassword(account, resolve))
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw new StudioError('unavailable', `The password file ${file} cannot be read (${errorCodeOf(error)}).`, {
      hint: 'Set STUDIO_DB_PASSWORD_FILE to a file that contains the password only, and that this user may read.',
      cause: error,
    })
  }
}
