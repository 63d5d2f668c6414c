import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listProtectedFiles, loadSettings } from '../src/config'
import { requireUnprotectedFile, toFileError, writeFileAtomic } from '../src/storage'
import type { Invocation } from './invocation'
import { writeMessage } from './write-message'

/** Writes the `--out` file atomically, unless it is a device or a pipe, which cannot be replaced. */
export async function writeOutFile(path: string, text: string, { terminal, flags }: Invocation): Promise<void> {
  if (path === '-') return terminal.out(text)
  const target = resolve(terminal.cwd, path)
  requireUnprotectedFile(target, listProtectedFiles(loadSettings({ env: terminal.env, cwd: terminal.cwd })))
  const existing = await stat(target).catch(() => null)
  if (existing && !existing.isFile() && !existing.isDirectory()) await writeFile(target, text)
  else if (existing?.isDirectory()) throw toFileError(Object.assign(new Error(), { code: 'EISDIR' }), target)
  else await writeFileAtomic(target, text)
  if (!flags.quiet) writeMessage(terminal, `Written to ${path}`)
}
