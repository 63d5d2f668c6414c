import { StudioError } from '../../src/kernel'
import type { Invocation } from '../start/invocation'

/** Asks on standard error. Ctrl-C or Ctrl-D at a question ends the command, which then reports `whenInterrupted`. */
export async function ask(questions: object[], whenInterrupted = 'Nothing was changed.'): Promise<any> {
  const { default: inquirer } = await import('inquirer')
  const inputEnd = new AbortController()
  const stopWatching = onEndOfInput(() => inputEnd.abort())
  try {
    const options = { output: process.stderr, signal: inputEnd.signal }
    return await inquirer.createPromptModule(options)(questions as never)
  } catch (error) {
    if (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name))
      throw new StudioError('interrupted', whenInterrupted)
    throw error
  } finally {
    stopWatching()
  }
}

/** Calls `end` when standard input ends, because inquirer then waits forever. Returns a function that stops watching. */
function onEndOfInput(end: () => void): () => void {
  const { stdin } = process
  // The question is on the screen by then.
  const endSoon = () => void setImmediate(end)
  // In an empty line, Ctrl-D closes the reader, which pauses the input. In any other line, it deletes a character.
  const onKey = (_text: string, { ctrl, name }: { ctrl?: boolean; name?: string }) => {
    if (ctrl && name === 'd') setImmediate(() => stdin.isPaused() && end())
  }
  stdin.on('keypress', onKey).once('end', endSoon)
  return () => void stdin.off('keypress', onKey).off('end', endSoon)
}

/** Whether a person is at the terminal who may be asked. */
export function canAsk({ flags, terminal }: Invocation): boolean {
  return terminal.canAsk && !flags.noInput
}

/** The user's answer; `--yes` answers for them. */
export async function askYesNo(question: string, { flags }: Invocation): Promise<boolean> {
  if (flags.yes) return true
  const { agreed } = await ask([{ type: 'confirm', name: 'agreed', message: question, default: false }])
  return agreed
}

/** Asks on a terminal; elsewhere only `--yes` is an answer. `canTry` is whether the command has a `--dry-run`. */
export async function confirm(question: string, invocation: Invocation, canTry = false): Promise<void> {
  if (invocation.flags.yes) return
  if (!canAsk(invocation)) {
    throw new StudioError('invalid', `This needs your consent: ${question}`, {
      hint: canTry ? 'Add --yes, or use --dry-run to see what would change.' : 'Add --yes.',
    })
  }
  if (!(await askYesNo(question, invocation))) throw new StudioError('interrupted', 'Nothing was changed.')
}
