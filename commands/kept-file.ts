import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSettings } from '../src/config'
import { asStudioError, hint, type StudioError } from '../src/kernel'
import type { Invocation } from './invocation'

/** A file of one's own for a text that must not be lost: in the state folder, where it outlives a machine that is switched off. */
export async function saveRecoveryFile(name: string, text: string, { terminal }: Invocation): Promise<string> {
  const { paths } = loadSettings({ env: terminal.env, cwd: terminal.cwd })
  await mkdir(paths.state, { recursive: true, mode: 0o700 })
  const file = join(await mkdtemp(join(paths.state, 'edit-')), name)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** The same refusal, whose hint says `kept` before its own. */
export function prependHint(error: unknown, kept: string): StudioError {
  const known = asStudioError(error)
  return known.copyWith({ hint: known.hint ? hint`${kept}\n${known.hint}` : kept })
}
