import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSettings } from '../../src/config'
import { formatDraftFile } from '../../src/drafts/rules/draft-file'
import { asStudioError, hint, type StudioError } from '../../src/kernel'
import { makeFolder } from '../../src/storage/services/make-folder'
import type { Invocation } from '../start/invocation'
import { printable } from './layout'

const TEXTS = ['title', 'description', 'acceptanceCriteria'] as const

type Texts = Partial<Record<(typeof TEXTS)[number], string>>

/**
 * Saves the text of the model in a file when it cannot be saved in its draft, and says in the error where. The text is in the details of
 * the error, or in the `input` of a save that the user agreed to.
 */
export async function saveRejectedRefinement(
  error: StudioError,
  input: Record<string, unknown>,
  invocation: Invocation,
): Promise<StudioError> {
  const texts = textsOf(input, error)
  if (Object.keys(texts).length === 0) return error
  const id = Number(input['id'])
  const text = formatDraftFile({ id, ...texts })
  try {
    const file = await saveRecoveryFile(`draft-${id}.md`, text, invocation)
    const saved = `The text of the model is saved in ${file}\nTo replace draft ${id} with it: studio draft save --file ${file}`
    return prependHint(error, saved)
  } catch {
    // If no file can be written either, the text is printed; with --json it is in the details of the error.
    if (!invocation.flags.json) invocation.terminal.err(`Text of the model:\n\n${printable(text)}\n`)
    return error
  }
}

function textsOf(input: Record<string, unknown>, { details }: StudioError): Texts {
  const written = new Map(details.map(({ path, unsaved }) => [path, unsaved]))
  const found = TEXTS.map((field) => [field, written.get(field) ?? input[field]] as const)
  return Object.fromEntries(found.filter(([, text]) => typeof text === 'string'))
}

/** Writes a text that must not be lost to the state folder, which survives a restart of the machine. */
export async function saveRecoveryFile(name: string, text: string, { terminal }: Invocation): Promise<string> {
  const { paths } = loadSettings({ env: terminal.env, cwd: terminal.cwd })
  makeFolder(paths.state)
  const file = join(await mkdtemp(join(paths.state, 'edit-')), name)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** The same error, with `text` before its hint. */
export function prependHint(error: unknown, text: string): StudioError {
  const known = asStudioError(error)
  return known.copyWith({ hint: known.hint ? hint`${text}\n${known.hint}` : text })
}
