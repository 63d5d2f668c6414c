import { listIterationEnds, listReportables, type Reportable, readPastStates } from '../../items'
import { hint, StudioError, suggest } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { listDesignated } from '../queries/priorities'
import { itemsWithHistory } from '../rules/figures'
import { categoriesSeen, type WorkSpan, workSpanOf } from '../rules/flow/work-span'
import { newestMoment } from '../rules/moments'

/** The items that a report is made from, all of the workspace. */
export interface ReportedItems {
  items: Reportable[]
  /** Features that go first, in this order. */
  designated: number[]
}

export interface ReportedWork extends ReportedItems {
  /** From the history of the items that `itemsWithHistory` names. */
  spans: Map<number, WorkSpan>
  iterationEnds: Map<string, string>
}

/** What a caller asks for, and what it knows the ids by. */
export interface AskedIds {
  ids: readonly number[]
  field: string
}

/** Throws `not_found` naming those of the ids that are not cached. */
export function loadItems(ctx: StorageContext, asked: AskedIds): Promise<ReportedItems> {
  return ctx.db.read((tx) => readItems(tx, asked))
}

/** The same with the history that the figures are made from. */
export function loadWork(
  ctx: StorageContext,
  { since, ...asked }: AskedIds & { since: string | null },
): Promise<ReportedWork> {
  return ctx.db.read(async (tx) => {
    const { items, designated } = await readItems(tx, asked)
    return {
      items,
      designated,
      spans: await readSpans(tx, items, since),
      iterationEnds: await listIterationEnds(tx),
    }
  })
}

async function readItems(tx: ReadTx, { ids, field }: AskedIds): Promise<ReportedItems> {
  const items = await listReportables(tx)
  const cached = new Set(items.map((item) => item.id))
  const unknown = [...new Set(ids)].filter((id) => !cached.has(id))
  if (unknown.length === 0) return { items, designated: await listDesignated(tx) }
  throw new StudioError('not_found', `Not in the workspace: ${unknown.map((id) => `#${id}`).join(', ')}.`, {
    hint: hint`Import ${unknown.length === 1 ? 'it' : 'each'} with its tree: ${suggest('features.import', { featureId: unknown[0]! })}`,
    details: unknown.map((id) => ({ path: field, message: `#${id} is not in the workspace` })),
  })
}

async function readSpans(
  tx: ReadTx,
  items: readonly Reportable[],
  since: string | null,
): Promise<ReportedWork['spans']> {
  const spans = new Map<number, WorkSpan>()
  const asOf = newestMoment(items)
  if (asOf === null) return spans
  const wanted = new Map(itemsWithHistory(items, asOf, since).map((item) => [item.id, item]))
  const categoryOf = categoriesSeen(items)
  for await (const [id, past] of readPastStates(tx, [...wanted.keys()])) {
    spans.set(id, workSpanOf(wanted.get(id)!, past, categoryOf))
  }
  return spans
}
