import { join } from 'node:path'
import type { ProtectedFiles } from '../../storage'
import { getCredentialsFile } from './credentials'
import type { Settings } from './load-settings'

/** The files that no command may write its output to. */
export function listProtectedFiles({ db, paths }: Settings): ProtectedFiles {
  return {
    database: db,
    others: [join(paths.config, 'config.json'), getCredentialsFile(paths), join(paths.data, 'sandbox.json')],
  }
}
