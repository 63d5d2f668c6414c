import { findItemNames, listIterationEnds, listReportables, type Reportable, readPastStates } from '../../items'
import { type Context, hint, inputError, StudioError, suggest } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { listDesignatedFeatures } from '../queries/priorities'
import { findLatestInstant, findNewestInstant } from '../rules/dates'
import { selectItemsWithHistory } from '../rules/figures'
import { findWorkSpan, indexCategories, type WorkSpan } from '../rules/work-span'

interface ReportedItems {
  items: Reportable[]
  /** Features that come first, in this order. */
  designated: number[]
}

interface ReportData extends ReportedItems {
  /** From the history of the items that `selectItemsWithHistory` returns. */
  spans: Map<number, WorkSpan>
  iterationEnds: Map<string, string>
  /** No instant of the items can be later. */
  latest: string
}

/** The IDs that a caller requested, and the input field that they came from. */
interface IdSelection {
  ids: readonly number[]
  field: string
  /** Only items of this tracker. */
  tracker?: string | undefined
}

/** Throws `not_found` with the IDs that are not cached. */
export function loadReportItems(ctx: StorageContext, selection: IdSelection): Promise<ReportedItems> {
  return ctx.db.read((tx) => readItems(tx, selection))
}

/** Loads the items together with the history that the figures are made from. */
export function loadReportData(
  ctx: Context & StorageContext,
  { since, ...selection }: IdSelection & { since: string | null },
): Promise<ReportData> {
  const latest = findLatestInstant(ctx.clock.now())
  return ctx.db.read(async (tx) => {
    const { items, designated } = await readItems(tx, selection)
    return {
      items,
      designated,
      spans: await readWorkSpans(tx, items, { since, latest }),
      iterationEnds: await listIterationEnds(tx),
      latest,
    }
  })
}

async function readItems(tx: ReadTx, { ids, field, tracker }: IdSelection): Promise<ReportedItems> {
  const items = selectTracker(await listReportables(tx), tracker)
  const cached = new Set(items.map((item) => item.id))
  const unknown = [...new Set(ids)].filter((id) => !cached.has(id))
  if (unknown.length === 0) return { items, designated: await listDesignatedFeatures(tx) }
  const nameOf = await findItemNames(tx, unknown)
  throw new StudioError('not_found', `Not in the workspace: ${unknown.map(nameOf).join(', ')}.`, {
    hint: hint`Import ${unknown.length === 1 ? 'it' : 'each'} with its tree: ${suggest('features.import', { featureId: unknown[0]! })}`,
    details: unknown.map((id) => ({ path: field, message: `${nameOf(id)} is not in the workspace` })),
  })
}

function selectTracker(items: Reportable[], name: string | undefined): Reportable[] {
  if (name === undefined) return items
  const selected = items.filter(({ tracker }) => tracker === name)
  if (selected.length > 0 || items.length === 0) return selected
  const known = [...new Set(items.map(({ tracker }) => tracker))].sort().join(', ')
  throw inputError([{ path: 'tracker', message: `no cached item is from the tracker ${name}; use one of ${known}` }])
}

async function readWorkSpans(
  tx: ReadTx,
  items: readonly Reportable[],
  { since, latest }: { since: string | null; latest: string },
): Promise<ReportData['spans']> {
  const spans = new Map<number, WorkSpan>()
  const asOf = findNewestInstant(items, latest)
  if (asOf === null) return spans
  const itemsById = new Map(selectItemsWithHistory(items, asOf, since).map((item) => [item.id, item]))
  const categoryOf = indexCategories(items)
  for await (const [id, past] of readPastStates(tx, [...itemsById.keys()])) {
    spans.set(id, findWorkSpan(itemsById.get(id)!, past, categoryOf))
  }
  return spans
}
