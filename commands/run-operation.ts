import { loadOperation } from '../src/catalog'
import { type AnyOperation, EXIT_PARTIAL, execute, StudioError } from '../src/kernel'
import { openStudio } from '../src/studio'
import { confirm } from './confirm'
import type { Invocation } from './invocation'
import { jsonText } from './json-output'
import { arrange } from './list-flags'
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
  const question = operation.cli!.confirm?.(input) ?? null
  if (question !== null) await confirm(question, invocation)
  const result = await executeHere(operation, input, invocation)
  const { shown, notice } = arrange(operation, command, result)
  const { out } = command.opts() as { out?: string }
  const text = await resultText(operation, shown, invocation, out !== undefined)
  if (out === undefined) invocation.terminal.out(text)
  else await writeOutFile(out, text, invocation)
  if (notice && !invocation.flags.quiet) invocation.terminal.err(`${notice}\n`)
  return operation.isPartial?.(result) ? EXIT_PARTIAL : 0
}

async function executeHere(operation: AnyOperation, input: unknown, invocation: Invocation): Promise<unknown> {
  const progress = progressLine(invocation)
  const studio = openStudio({
    env: invocation.terminal.env,
    cwd: invocation.terminal.cwd,
    flags: { tenant: invocation.flags.tenant ?? undefined },
    onNotice: (text) => {
      if (!invocation.flags.quiet) invocation.terminal.err(`${text}\n`)
    },
  })
  try {
    const context = studio.context({
      actor: { kind: 'terminal', tenant: studio.settings.tenant },
      signal: invocation.signal,
      progress: progress.show,
    })
    return await execute(operation, input, context)
  } catch (error) {
    throw nameInFlags(error, operation)
  } finally {
    progress.end()
    await studio.close()
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
