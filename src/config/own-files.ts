import { join } from 'node:path'
import type { OwnFiles } from '../storage'
import { credentialsFile } from './credentials'
import type { Settings } from './settings'

/** The files that no command may write its output to. */
export function ownFilesOf({ db, paths }: Settings): OwnFiles {
  return {
    database: db,
    others: [join(paths.config, 'config.json'), credentialsFile(paths), join(paths.data, 'sandbox.json')],
  }
}
