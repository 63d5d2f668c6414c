import {
  findItemNames,
  listIterationEnds,
  listIterations,
  listReportables,
  type Reportable,
  readPastStates,
} from '../../items'
import { type Context, hint, inputError, StudioError, suggest } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { listDesignatedFeatures } from '../queries/priorities'
import { findLatestInstant, findNewestInstant } from '../rules/dates'
import { selectItemsWithHistory } from '../rules/figures'
import type { IterationDates } from '../rules/forecast/days-off'
import { REQUIREMENT_LEVEL, type ReportItem } from '../rules/report-item'
import { findWorkSpan, indexCategories, type WorkSpan } from '../rules/work-span'

export interface ReportedItems {
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
    const asOf = findNewestInstant(items, latest)
    const withHistory = asOf === null ? [] : selectItemsWithHistory(items, asOf, since)
    return {
      items,
      designated,
      spans: await readWorkSpans(tx, withHistory, items),
      iterationEnds: await listIterationEnds(tx),
      latest,
    }
  })
}

interface ForecastItems extends ReportedItems {
  /** Of all backlog items. */
  spans: Map<number, WorkSpan>
  iterations: IterationDates[]
  /** The newest day that the workspace knows of, in UTC. */
  asOf: string
}

/** Loads the items, unless the caller has `loaded` them, together with the history of all backlog items. */
export function loadForecastItems(
  ctx: Context & StorageContext,
  selection: IdSelection,
  loaded?: ReportedItems,
): Promise<ForecastItems> {
  const now = ctx.clock.now()
  const latest = findLatestInstant(now)
  return ctx.db.read(async (tx) => {
    const { items, designated } = loaded ?? (await readItems(tx, selection))
    const backlog = items.filter(({ level }) => level === REQUIREMENT_LEVEL)
    const iterations = await listIterations(tx)
    return {
      items,
      designated,
      spans: await readWorkSpans(tx, backlog, items),
      iterations: iterations.flatMap(({ start_date, finish_date }) =>
        start_date === null || finish_date === null ? [] : [{ first: start_date, last: finish_date }],
      ),
      asOf: (findNewestInstant(items, latest) ?? new Date(now).toISOString()).slice(0, 10),
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

/** `all` has an item of each state, which says the category of the state. */
async function readWorkSpans(
  tx: ReadTx,
  items: readonly ReportItem[],
  all: readonly ReportItem[],
): Promise<ReportData['spans']> {
  const spans = new Map<number, WorkSpan>()
  const itemsById = new Map(items.map((item) => [item.id, item]))
  const categoryOf = indexCategories(all)
  for await (const [id, past] of readPastStates(tx, [...itemsById.keys()])) {
    spans.set(id, findWorkSpan(itemsById.get(id)!, past, categoryOf))
  }
  return spans
}
