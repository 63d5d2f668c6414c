import type { Command } from 'commander'
import { loadOperation, type ResultOf } from '../../src/catalog'
import { type AnyOperation, EXIT_PARTIAL, StudioError } from '../../src/kernel'
import type { Invocation } from '../start/invocation'
import { parse, shieldDashWords } from '../start/parse'
import { askYesNo, canAsk } from '../terminal/ask'
import { requireFields } from '../terminal/render-json'
import { writeNotice } from '../terminal/write-message'
import type { RunOther, ViewOptions } from './command-parts'
import { confirmCall, DEFAULT_VIEW, type PlannedCall, runAsShown } from './confirm-plan'
import { commandFor, inputFrom } from './operation-command'
import { getOperationUi } from './operation-ui'
import { chosenFormat, limitReading, requireSort, sortAndLimit } from './output-flags'
import { comesInParts, runStream } from './run-stream'
import { noticeOn, resultText, showResult } from './show-result'
import { closeSession, executeHere } from './with-studio'

/** A call whose input is complete, and how its result is shown. */
interface Call extends PlannedCall {
  command: Command
  format: string | null
  options: ViewOptions
}

/** Runs an operation with the words after its command, and prints the result. Resolves with the exit code. */
export async function runOperation(
  ids: readonly string[],
  args: readonly string[],
  given: Invocation,
): Promise<number> {
  const operations = await Promise.all(ids.map(loadOperation))
  const command = await parseWords(operations, args, given)
  if (command === null) return 0
  const call = await completeCall(operations, command, given)
  const { operation, invocation } = call
  const input = await confirmCall(call)
  if (command.opts()['watch'] !== undefined) return watchCall(call, input)
  if (comesInParts(operation, invocation)) return runStream(operation, input, invocation)
  const { limited, total } = limitReading(operation, command)
  const result = await withErrorHandler(operation, input, invocation, () => runAsShown(call, input, limited))
  const reasons = await listReasonsForAge(operation, invocation)
  await closeSession(invocation.session)
  const { shown, notice } = sortAndLimit(operation, command, result, total.current)
  await showResult(shown, call, command.opts()['out'])
  for (const text of [notice, noticeOn(operation, result, invocation), ...reasons])
    if (text) writeNotice(invocation, text)
  const afterResult = await getOperationUi(operation.id).afterResult?.()
  await afterResult?.(result, command.opts(), invocation)
  await offerNext(operation, result, invocation)
  return operation.isPartial?.(result) ? EXIT_PARTIAL : 0
}

/** The command with its flags. Null if the words ask for help, which is shown. */
async function parseWords(
  operations: readonly AnyOperation[],
  args: readonly string[],
  given: Invocation,
): Promise<Command | null> {
  const command = commandFor(
    operations,
    args.some(isHelpFlag) ? (await import('./hidden-flags')).listHiddenFlags(operations, given) : undefined,
  )
  const words = operations.some((op) => op.cli!.dashWords) ? shieldDashWords(command, args) : args
  return parse(command, words, given) ? command : null
}

function isHelpFlag(word: string): boolean {
  return word === '-h' || word === '--help'
}

/** Chooses the operation, and completes its input: from a file, from references such as `#101`, and from what a user answers. */
async function completeCall(operations: readonly AnyOperation[], command: Command, given: Invocation): Promise<Call> {
  const { operation: chosen, input: typed, inputFile } = await inputFrom(command, operations, given)
  const invocation = { ...given, inputFile }
  const { fields, json } = invocation.flags
  const format = chosenFormat(command, invocation)
  const run: RunOther = async (id, own) => executeHere(await loadOperation(id), own, invocation)
  const named = await replaceReferences(chosen, typed, run)
  const asked = await askForInput(chosen, named, { invocation, run })
  const takesInput = (op: AnyOperation) => Object.keys(asked).every((field) => field in op.input.shape)
  const operation = asked === named ? chosen : (operations.find(takesInput) ?? chosen)
  if (fields && !json) throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  if (fields) requireFields(fields, operation.output)
  requireSort(operation, command)
  requireOutFile(operation, command, invocation)
  const prepare = await getOperationUi(operation.id).prepare?.()
  const prepared = await prepare?.(asked, command.opts(), { invocation, run, words: command.args })
  const { input, options = DEFAULT_VIEW, alwaysPreview = false } = prepared ?? { input: asked }
  return { operation, command, input, invocation, format, options, alwaysPreview }
}

/** A terminal would act on the bytes of a file. */
function requireOutFile({ cli }: AnyOperation, command: Command, { flags, terminal }: Invocation): void {
  const out = command.opts()['out']
  if (!cli!.out?.isFile || flags.json || (out !== undefined && !(out === '-' && terminal.outIsTty))) return
  throw new StudioError('invalid', out === undefined ? '--out: is required.' : 'A terminal cannot show the file.', {
    hint: `Specify a file: studio ${cli!.command} … --out <file>`,
  })
}

/** Loads the code that resolves references only for a command with a text that may be one. */
async function replaceReferences(
  operation: AnyOperation,
  typed: Record<string, unknown>,
  run: RunOther,
): Promise<Record<string, unknown>> {
  const texts = Object.values(typed).flat()
  if (!texts.some((text) => typeof text === 'string' && /[#:]|\w-\d/.test(text))) return typed
  return (await import('./item-references')).resolveItemReferences(operation, typed, run)
}

/** Asks for the input, or for what is missing in it, if a user can answer. */
async function askForInput(
  operation: AnyOperation,
  typed: Record<string, unknown>,
  { invocation, run }: { invocation: Invocation; run: RunOther },
): Promise<Record<string, unknown>> {
  const ui = getOperationUi(operation.id)
  if (!canAsk(invocation) || invocation.flags.json) return typed
  if (ui.askForMissing) return (await ui.askForMissing())(typed, invocation, run)
  return ui.askForInput && Object.keys(typed).length === 0 ? (await ui.askForInput())(run) : typed
}

/** Why the cached items of a result are old: the sync of a service fails. */
async function listReasonsForAge(operation: AnyOperation, invocation: Invocation): Promise<string[]> {
  if (!getOperationUi(operation.id).saysWhyOld || invocation.flags.quiet) return []
  const [{ describeStaleness }, reportSync] = await Promise.all([
    import('../../src/items/services/import/sync-status'),
    loadOperation('items.sync-status'),
  ])
  const status = (await executeHere(reportSync, {}, invocation)) as ResultOf<'items.sync-status'>
  return status.flatMap((one) => describeStaleness(one) ?? [])
}

async function watchCall(call: Call, input: Record<string, unknown>): Promise<number> {
  const { operation, command, invocation } = call
  const { watch } = await import('./watch')
  return watch(command.opts()['watch'], invocation, async () => {
    const { shown } = sortAndLimit(operation, command, await executeHere(operation, input, invocation))
    await closeSession(invocation.session)
    return resultText(shown, call)
  })
}

/** Does `work` for an operation, or for the step that it offered with `input`. */
async function withErrorHandler<Result>(
  operation: AnyOperation,
  input: Record<string, unknown>,
  invocation: Invocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    const handleError = await getOperationUi(operation.id).handleError?.()
    throw handleError ? await handleError(error, input, invocation) : error
  }
}

/** Offers a next step after the result. It is done if the user agrees. */
async function offerNext(operation: AnyOperation, result: unknown, invocation: Invocation): Promise<void> {
  const { flags, terminal } = invocation
  const offer = operation.cli!.offer?.(result) ?? null
  if (offer === null) return
  const say = (text: string) => (flags.json ? undefined : writeNotice(invocation, text))
  if (!flags.yes && (flags.json || flags.noInput || !terminal.canAsk)) return say(offer.otherwise)
  if (!(await askYesNo(offer.question, invocation))) return say('Nothing was changed.')
  const next = await loadOperation(offer.operation)
  await withErrorHandler(operation, offer.input, invocation, () => executeHere(next, offer.input, invocation))
  say(offer.done)
}
