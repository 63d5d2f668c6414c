import { loadOperation, type ResultOf } from '../src/catalog'
import { diffItemEdits, formatItemEdit, type ItemEditUpdate, parseItemEdit } from '../src/items/rules/item-edit-file'
import { EXIT_PARTIAL, type OperationId, StudioError } from '../src/kernel'
import { toArgument } from '../src/kernel/text/item-reference'
import type { StandaloneCommand } from './operation/command-parts'
import { confirmCall, DEFAULT_VIEW, runAsShown } from './operation/confirm-plan'
import { resolveItemReferences } from './operation/item-references'
import { showResult } from './operation/show-result'
import { executeHere } from './operation/with-studio'
import type { Invocation } from './start/invocation'
import { editText, requireEditorTerminal } from './terminal/edit-text'
import { readTextFile } from './terminal/text-file'

type Item = ResultOf<'items.get'>
type Outcome = ResultOf<'items.batch-update'>

/** `studio item edit`: a work item as Markdown in the user's editor, or from a file. */
export const editItem: StandaloneCommand = {
  define(command) {
    command
      .argument('<id>', 'Work item ID or reference')
      .option('--export', 'Print the Markdown, to change it and give it to --file')
      .option('--file <path>', 'Read the changed Markdown from a file; - reads standard input')
      .option('--dry-run', 'Send nothing; show the changes')
    return {
      about:
        'Opens the work item in $VISUAL, $EDITOR or vi: title, state, assignee and other fields as front matter, description and acceptance criteria as Markdown. When the editor exits, shows the changes and sends them after you agree. Only what you changed is sent: a field that others have changed meanwhile keeps their value, and if both have changed the same field, nothing is sent. Your text then stays in a file.',
      examples: [
        'studio item edit 204 --export',
        'studio item edit 204 --file edited.md --dry-run',
        'EDITOR="code --wait" studio item edit 204',
      ],
      related: ['item get', 'batch-update', 'draft edit'],
    }
  },

  async run(command, invocation) {
    const options = command.opts() as { export?: true; file?: string; dryRun?: true }
    if (options.export && (options.file !== undefined || options.dryRun))
      throw new StudioError('invalid', '--export goes with no other flag.')
    const isInEditor = !options.export && options.file === undefined
    const word = command.args[0]!
    if (isInEditor)
      requireEditorTerminal(
        invocation,
        `studio item edit ${word} --export > item.md, change it, then: studio item edit ${word} --file item.md`,
      )
    const item = await readItem(word, invocation)
    const before = formatItemEdit(item)
    if (options.export) {
      invocation.terminal.out(before)
      return 0
    }
    const call = { item, before, dryRun: options.dryRun === true }
    if (isInEditor) return editHere(call, invocation)
    const text = await readEdited(options.file!, invocation)
    const outcome = await send({ ...call, ...text }, invocation)
    return outcome === null ? 0 : show(outcome, invocation)
  },
}

interface EditCall {
  item: Item
  /** The file of the item as it is. */
  before: string
  dryRun: boolean
}

async function editHere(call: EditCall, invocation: Invocation): Promise<number> {
  const word = toArgument(call.item.reference)
  let exitCode = 0
  await editText(
    {
      name: 'item.md',
      before: call.before,
      notice: 'The changes are shown when the editor exits.',
      again: (file) => `studio item edit ${word} --file ${file}`,
      async use(after, name) {
        const outcome = await send({ ...call, after, name }, invocation)
        if (outcome === null) return 'nothing to send'
        exitCode = await show(outcome, invocation)
        return outcome.applied === 1 ? 'sent' : null
      },
    },
    invocation,
  )
  return exitCode
}

async function readItem(word: string, invocation: Invocation): Promise<Item> {
  const getItem = await loadOperation('items.get')
  const run = async (id: OperationId, input: object) => executeHere(await loadOperation(id), input, invocation)
  const { id } = await resolveItemReferences(getItem, { id: word }, run)
  if (!/^[1-9]\d{0,15}$/.test(String(id)))
    throw new StudioError('invalid', `<id> must be a work item ID or reference, not "${word}".`, {
      hint: 'See: studio item list',
    })
  return (await executeHere(getItem, { id: Number(id) }, invocation)) as Item
}

async function readEdited(path: string, { terminal, signal }: Invocation): Promise<{ after: string; name: string }> {
  if (path === '-') return { after: await terminal.readInput(signal), name: 'Standard input' }
  const { text } = await readTextFile(path, `--file ${path}`, signal)
  return { after: text, name: path }
}

/** Shows the changes, asks, and sends them. Null if there are none. */
async function send(
  { item, before, after, name, dryRun }: EditCall & { after: string; name: string },
  invocation: Invocation,
): Promise<Outcome | null> {
  const edit = parseItemEdit(after, name)
  if (edit.id !== null && edit.id !== item.id)
    throw new StudioError('invalid', `${name} is of work item ${edit.id}, not of ${item.id}.`)
  const isOfThisRevision = edit.rev === null || edit.rev === item.rev
  // Of an older revision, the core knows what was changed since.
  const update: ItemEditUpdate | null = isOfThisRevision
    ? diffItemEdits(parseItemEdit(before, name), edit)
    : { updates: edit.values }
  if (update === null) {
    invocation.terminal.err('Nothing was changed.\n')
    return null
  }
  const operation = await loadOperation('items.batch-update')
  const { updates, tags } = update
  const input = {
    itemIds: [item.id],
    ...(Object.keys(updates).length > 0 && { updates }),
    ...(tags && { tags }),
    seenRev: edit.rev ?? item.rev,
    dryRun,
  }
  const call = { operation, input, invocation, alwaysPreview: false }
  return (await runAsShown(call, await confirmCall(call))) as Outcome
}

async function show(outcome: Outcome, invocation: Invocation): Promise<number> {
  const operation = await loadOperation('items.batch-update')
  await showResult(outcome, { operation, invocation, format: null, options: DEFAULT_VIEW })
  return operation.isPartial?.(outcome) ? EXIT_PARTIAL : 0
}
