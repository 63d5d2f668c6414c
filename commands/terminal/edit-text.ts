import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StudioError } from '../../src/kernel'
import type { Invocation } from '../start/invocation'
import { getEditor, readEditedText, runEditor } from './editor'
import { prependHint, saveRecoveryFile } from './recovery-file'
import { writeNotice } from './write-message'

interface TextEdit<Result> {
  /** The name of the file. */
  name: string
  before: string
  /** What happens when the editor exits, as a sentence. */
  notice: string
  /** How to go on with the text after an error: a command for a file. */
  again(file: string): string
  /** Uses the edited text. If it returns null, the text stays in the file. */
  use(after: string, file: string): Promise<Result | null>
}

/**
 * Opens a text in the editor of the user, and uses what they made of it. Nothing that was typed is lost: after an error the text stays in a
 * file, which the error names. Returns null if nothing was changed, or if the text was not used.
 */
export async function editText<Result>(
  { name, before, notice, again, use }: TextEdit<Result>,
  invocation: Invocation,
): Promise<Result | null> {
  const file = await saveRecoveryFile(name, before, invocation)
  const withFile = async <Made>(work: () => Promise<Made>): Promise<Made> => {
    try {
      return await work()
    } catch (error) {
      throw prependHint(error, `Your text is saved in ${file}\nTo save it after you fix it: ${again(file)}`)
    }
  }
  const editor = getEditor(invocation.terminal.env)
  writeNotice(invocation, `Editing ${file} in ${editor}. ${notice}`)
  await withFile(() => runEditor(editor, file, invocation.terminal))
  const after = await withFile(() => readEditedText(file, invocation.signal))
  if (after === before) {
    await removeFile(file)
    invocation.terminal.err('Nothing was changed.\n')
    return null
  }
  const used = await withFile(() => use(after, file))
  if (used === null) writeNotice(invocation, `Your text is saved in ${file}\nTo send it later: ${again(file)}`)
  else await removeFile(file)
  return used
}

function removeFile(file: string): Promise<void> {
  return rm(dirname(file), { recursive: true, force: true })
}

/** Throws `invalid` with what to do instead, if the command was not started from a terminal. */
export function requireEditorTerminal({ flags, terminal }: Invocation, instead: string): void {
  if (terminal.canAsk && !flags.noInput) return
  throw new StudioError('invalid', 'An editor needs a terminal, and this command was not started from one.', {
    hint: instead,
  })
}
