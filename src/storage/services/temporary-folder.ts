import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StudioError } from '../../kernel/errors'
import { toFileError } from './files'

/** Creates a new folder for temporary files, and returns its path. Where that fails, the error says which variable moves it. */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), prefix))
  } catch (error) {
    const known = toFileError(error, join(tmpdir(), prefix))
    if (!(known instanceof StudioError) || known.code !== 'read_only') throw known
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
    throw known.copyWith({ hint: `Set ${variable} to a folder that you may write to.` })
  }
}
