import type { ChatRequest, Model, ModelAnswer, ModelContext } from '../../src/assistant'
import { type FetchedItem, insertSnapshots, upsertItemRows } from '../../src/items/queries'
import { type Context, StudioError, silentLog } from '../../src/kernel'
import type { ReportItem } from '../../src/reports/rules/report-item'
import { openMemoryDatabase, type StorageContext, type WriteTx } from '../../src/storage'
import { migrations } from '../../src/studio'
import type { TrackerItem } from '../../src/tracker'

export const NOW = '2026-11-20T12:00:00.000Z'

export type ReportContext = Context & StorageContext & ModelContext

/** A context with a workspace into which `items` were fetched in this order. */
export async function createContext(items: readonly ReportItem[]): Promise<ReportContext> {
  const db = await openMemoryDatabase(migrations)
  await db.write(async (tx) => {
    for (const item of items)
      await saveItem(tx, { item: toTrackerItem(item), predecessors: listPredecessors(item) }, item.fetchedAt)
  })
  return {
    db,
    actor: { kind: 'terminal', tenant: 'default' },
    clock: { now: () => Date.parse(NOW) },
    ids: { uuid: () => '00000000-0000-4000-8000-000000000000', secret: (length) => 'x'.repeat(length) },
    log: silentLog,
    signal: new AbortController().signal,
    progress: () => {},
    model: async () => {
      throw createModelError()
    },
  }
}

/** Saves an item and a snapshot of it. */
export async function saveItem(tx: WriteTx, fetched: FetchedItem, at: string): Promise<void> {
  await upsertItemRows(tx, [fetched], at)
  await insertSnapshots(tx, [fetched.item], at)
}

export function createModelError(): StudioError {
  return new StudioError('llm_unavailable', 'No language model answers at http://127.0.0.1:11434.', {
    hint: 'Start one.',
  })
}

/** A model that returns these answers and records its requests. */
export function stubModel(
  answer: (request: ChatRequest) => string,
  end: Partial<ModelAnswer> = {},
): { model: () => Promise<Model>; asked: ChatRequest[] } {
  const asked: ChatRequest[] = []
  const chat = async (request: ChatRequest): Promise<ModelAnswer> => {
    asked.push(request)
    return {
      model: request.model ?? 'stub:latest',
      contextTokens: null,
      complete: true,
      cutoff: null,
      promptTokens: null,
      responseTokens: null,
      notice: null,
      text: answer(request),
      ...end,
    }
  }
  return { model: async () => ({ chat }) as unknown as Model, asked }
}

export function toTrackerItem(item: ReportItem): TrackerItem {
  const { blocked, fetchedAt: _, ...known } = item
  return {
    ...known,
    key: String(item.id),
    rev: 1,
    areaPath: 'Shop',
    tags: blocked.some(({ by }) => by === 'tag') ? ['Blocked'] : [],
    priority: null,
    attachments: [],
    predecessorIds: listPredecessors(item).map(({ id }) => id),
    successorIds: [],
    relatedIds: [],
    blockedField: blocked.some(({ by }) => by === 'field'),
    description: null,
    acceptanceCriteria: null,
    createdAt: null,
    url: `https://tracker.example/${item.id}`,
    markdownFields: [],
    relationsFingerprint: '',
    fields: { 'System.State': item.state, 'System.ChangedDate': item.changedAt },
  }
}

function listPredecessors({ blocked }: ReportItem) {
  return blocked.flatMap(({ itemId }) =>
    itemId === null ? [] : [{ id: itemId, title: 'As it was called', stateCategory: 'InProgress' as const }],
  )
}
