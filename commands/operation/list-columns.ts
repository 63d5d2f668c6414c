import type { ResultOf } from '../../src/catalog'
import { addColumnsOfAllItems, findColumn } from '../../src/items/rules/item-columns'
import { ItemColumns } from '../../src/items/services/item-sort'
import { inputError, StudioError } from '../../src/kernel'
import type { ErrorHandler, Preparation } from './command-parts'
import type { Session } from './session'

/** Reads `--columns`, and the filter, the columns and the order of `--view`. What is typed replaces what the view has. */
export const prepareItemList: Preparation = async (input, { columns, view }, { invocation, run }) => {
  if (columns !== undefined && invocation.flags.json)
    throw new StudioError('invalid', '--columns is for tables.', {
      hint: 'With --json, use --fields, and --custom-fields for further fields of the tracker.',
    })
  const typed = columns === undefined ? null : parseColumns(columns)
  if (typed !== null) typedColumns.set(invocation.session, typed)
  if (typeof view !== 'string') return { input: withCustomFields(input, typed), options: { columns: typed } }
  if (input['filter'] !== undefined) throw new StudioError('invalid', 'Specify either --filter or --view, not both.')
  const saved = (await run('views.get', { view })) as ResultOf<'views.get'>
  const sort = input['sort'] ?? saved.sort ?? undefined
  const shown = typed ?? saved.columns
  return {
    input: withCustomFields({ ...input, filter: String(saved.id), ...(sort !== undefined && { sort }) }, shown),
    options: { columns: shown },
  }
}

/** Columns that not every work item has are fields of the tracker, which the call must name. */
function withCustomFields(input: Record<string, unknown>, columns: readonly string[] | null): Record<string, unknown> {
  const further = columns?.filter((name) => findColumn(name) === null) ?? []
  const given = [input['customFields'] ?? []].flat()
  return further.length === 0 ? input : { ...input, customFields: [...given, ...further] }
}

/** What an error calls the further fields, which columns are too. */
const NAMES_OF_FIELDS = ['customFields', '--custom-fields']

/** The columns that a command was given, for its error. */
const typedColumns = new WeakMap<Session, readonly string[]>()

/** Names `--columns` in an error about a column of it, and the columns that there are. */
export const explainColumns: ErrorHandler = async (error, _input, invocation) => {
  const typed = typedColumns.get(invocation.session) ?? []
  const details = error.details.map((detail) => {
    const isColumn =
      NAMES_OF_FIELDS.includes(detail.path) && typed.some((name) => detail.message.startsWith(`"${name}" `))
    return isColumn ? { ...detail, path: '--columns', message: addColumnsOfAllItems(detail.message) } : detail
  })
  return details.some(({ path }) => path === '--columns') ? (inputError(details) as StudioError) : error
}

function parseColumns(typed: unknown): string[] {
  const parsed = ItemColumns.safeParse(typed)
  if (!parsed.success) throw inputError([{ path: '--columns', message: parsed.error.issues[0]!.message }])
  return parsed.data.map((name) => findColumn(name) ?? name)
}
