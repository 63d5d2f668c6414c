import { loadOperation } from '../src/catalog'
import { type AnyOperation, EXIT_PARTIAL, execute, parseInput, StudioError } from '../src/kernel'
import { openStudio } from '../src/studio'
import { confirm } from './confirm'
import type { Invocation } from './invocation'
import { jsonText, requireFields } from './json-output'
import { arrange, requireSort } from './list-flags'
import { commandFor, inputFrom, nameInFlags } from './operation-command'
import { writeOutFile } from './out-file'
import { paintFor } from './paint'
import { parse, shieldDashWords } from './parse'
import { progressLine } from './progress'

/** From the words after the command to its result on standard output; resolves with the exit code. */
export async function runOperation(
  ids: readonly string[],
  args: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const operations = await Promise.all(ids.map(loadOperation))
  const command = commandFor(operations)
  const own = operations.some((op) => op.cli!.dashWords) ? shieldDashWords(command, args) : args
  if (!parse(command, own, invocation)) return 0
  const { operation, input } = await inputFrom(command, operations, invocation)
  if (invocation.flags.fields && !invocation.flags.json) {
    throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  }
  if (invocation.flags.fields) requireFields(invocation.flags.fields, operation.output)
  requireSort(operation, command)
  await askFirst(operation, input, invocation)
  const result = await executeHere(operation, input, invocation)
  const { shown, notice } = arrange(operation, command, result)
  const { out } = command.opts() as { out?: string }
  const text = await resultText(operation, shown, invocation, out !== undefined)
  if (out === undefined) invocation.terminal.out(text)
  else await writeOutFile(out, text, invocation)
  if (notice && !invocation.flags.quiet) invocation.terminal.err(`${notice}\n`)
  return operation.isPartial?.(result) ? EXIT_PARTIAL : 0
}

async function askFirst(operation: AnyOperation, input: unknown, invocation: Invocation): Promise<void> {
  const { confirm: questionFor } = operation.cli!
  if (!questionFor) return
  const question = questionFor(inTypedNames(operation, () => parseInput(operation, input)))
  if (question !== null) await confirm(question, invocation)
}

function inTypedNames<R>(operation: AnyOperation, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw nameInFlags(error, operation)
  }
}

async function executeHere(operation: AnyOperation, input: unknown, invocation: Invocation): Promise<unknown> {
  const progress = progressLine(invocation)
  const notices = noticesTo(invocation)
  const studio = openStudio({
    env: invocation.terminal.env,
    cwd: invocation.terminal.cwd,
    flags: { tenant: invocation.flags.tenant ?? undefined },
    onNotice: (text) => notices.push(text),
  })
  try {
    const context = studio.context({
      actor: { kind: 'terminal', tenant: studio.settings.tenant },
      signal: invocation.signal,
      progress: progress.show,
    })
    const result = await execute(operation, input, context)
    notices.flush()
    return result
  } catch (error) {
    throw nameInFlags(error, operation)
  } finally {
    progress.end()
    await studio.close()
  }
}

/** With `--json` an error is all that standard error holds, so there notices wait for the success. */
function noticesTo({ flags, terminal }: Invocation): { push(text: string): void; flush(): void } {
  const held: string[] = []
  const say = (text: string) => terminal.err(`${text}\n`)
  return {
    push: (text) => {
      if (flags.quiet) return
      if (flags.json) held.push(text)
      else say(text)
    },
    flush: () => held.splice(0).forEach(say),
  }
}

async function resultText(
  operation: AnyOperation,
  result: unknown,
  { flags, terminal }: Invocation,
  toFile: boolean,
): Promise<string> {
  if (flags.json) return jsonText(result, flags.fields, operation.output)
  const seen = terminal.outIsTty && !toFile
  const paint = paintFor('out', { isTty: seen, env: toFile ? {} : terminal.env, noColor: flags.noColor })
  const { viewOf } = await import('./views')
  const view = await viewOf(operation.id)
  return view(result, { paint, width: seen ? terminal.width : null })
}
