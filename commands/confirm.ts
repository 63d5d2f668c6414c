import { StudioError } from '../src/kernel'
import type { Invocation } from './invocation'

/** Asks on a terminal; elsewhere only `--yes` is an answer. `canTry` is whether the command has a `--dry-run`. */
export async function confirm(question: string, invocation: Invocation, canTry = false): Promise<void> {
  const { flags, terminal } = invocation
  if (flags.yes) return
  if (flags.noInput || !terminal.canAsk) {
    throw new StudioError('invalid', `This needs your consent: ${question}`, {
      hint: canTry ? 'Add --yes, or see first what it would do with --dry-run.' : 'Add --yes.',
    })
  }
  if (!(await askYesNo(question, invocation))) throw new StudioError('interrupted', 'Nothing was changed.')
}

/** What a person at the terminal answers; `--yes` answers for them. */
export async function askYesNo(question: string, { flags }: Invocation): Promise<boolean> {
  if (flags.yes) return true
  const { default: inquirer } = await import('inquirer')
  const ask = inquirer.createPromptModule({ output: process.stderr })
  const { agreed } = await ask([{ type: 'confirm', name: 'agreed', message: question, default: false }]).catch(
    toInterruption,
  )
  return agreed
}

/** Ctrl-C at the question is an answer too. */
function toInterruption(error: unknown): never {
  if (error instanceof Error && error.name === 'ExitPromptError')
    throw new StudioError('interrupted', 'Nothing was changed.')
  throw error
}
