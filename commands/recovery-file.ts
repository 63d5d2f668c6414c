import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSettings } from '../src/config'
import { formatDraftFile } from '../src/drafts/rules/draft-file'
import { asStudioError, hint, type StudioError } from '../src/kernel'
import type { Invocation } from './invocation'
import { printable } from './layout'

const TEXTS = ['title', 'description', 'acceptanceCriteria'] as const

type Texts = Partial<Record<(typeof TEXTS)[number], string>>

/**
 * The refusal to save what the model wrote: the text is kept in a file, and the refusal says where. It stands in the details of the
 * refusal, or in the `input` of a save that the person agreed to.
 */
export async function saveRejectedRefinement(
  refusal: StudioError,
  input: Record<string, unknown>,
  invocation: Invocation,
): Promise<StudioError> {
  const texts = textsOf(input, refusal)
  if (Object.keys(texts).length === 0) return refusal
  const id = Number(input['id'])
  const text = formatDraftFile({ id, ...texts })
  try {
    const file = await saveRecoveryFile(`draft-${id}.md`, text, invocation)
    const kept = `What the model wrote is kept in ${file}; to put it over what draft ${id} says now: studio draft save --file ${file}`
    return prependHint(refusal, kept)
  } catch {
    // Where no file can be written either, it is at least shown; with --json it stands in the details.
    if (!invocation.flags.json) invocation.terminal.err(`What the model wrote:\n\n${printable(text)}\n`)
    return refusal
  }
}

function textsOf(input: Record<string, unknown>, { details }: StudioError): Texts {
  const written = new Map(details.map(({ path, unsaved }) => [path, unsaved]))
  const found = TEXTS.map((field) => [field, written.get(field) ?? input[field]] as const)
  return Object.fromEntries(found.filter(([, text]) => typeof text === 'string'))
}

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
