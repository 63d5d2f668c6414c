import { StudioError } from '../src/kernel'
import type { Invocation } from './invocation'

/** Asks on a terminal; elsewhere only `--yes` is an answer. */
export async function confirm(question: string, invocation: Invocation): Promise<void> {
  const { flags, terminal } = invocation
  if (flags.yes) return
  if (flags.noInput || !terminal.canAsk) {
    throw new StudioError('invalid', `This needs your consent: ${question}`, {
      hint: 'Add --yes, or see first what it would do with --dry-run.',
    })
  }
  const { default: inquirer } = await import('inquirer')
  const ask = inquirer.createPromptModule({ output: process.stderr })
  const { agreed } = await ask([{ type: 'confirm', name: 'agreed', message: question, default: false }]).catch(left)
  if (!agreed) throw new StudioError('interrupted', 'Nothing was changed.')
}

/** Ctrl-C at the question is an answer too. */
function left(error: unknown): never {
  if (error instanceof Error && error.name === 'ExitPromptError')
    throw new StudioError('interrupted', 'Nothing was changed.')
  throw error
}
