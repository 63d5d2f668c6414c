import * as z from 'zod'
import { chunksOf } from '../../kernel/chunks'
import { ItemReader } from '../services/item-reader'
import { TrackerError } from '../services/tracker-error'
import type { ItemShape, TrackerItem } from '../tracker'
import type { JiraClient } from './jira-client'
import { type IssueMapping, listWireFields, mapIssue, mapShape, WireIssue } from './map-issue'
import { REJECTED_CODE } from './response-error'
import type { SiteMetadata } from './site-metadata'
import { loadTexts } from './texts'

/** An issue as Jira returns it, and as an item. */
export interface ReadIssue {
  wire: WireIssue
  item: TrackerItem
}

export interface ReadParts {
  client: JiraClient
  metadata: SiteMetadata
}

export type IssueReader = ItemReader<ReadIssue>

const BATCH_SIZES = { items: 100, shapes: 500 }
const IDS_PER_QUERY = 500
const MAX_ID = 2 ** 53

const BulkAnswer = z.object({ issues: z.array(WireIssue).default([]) })

/** Reads issues by their numeric IDs. */
export function createIssueReader(parts: ReadParts): IssueReader {
  return new ItemReader<ReadIssue>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: parts.client.limits.maxConcurrent,
    mapItem: ({ item }) => item,
    describeMissing,
    async readWires(ids, signal) {
      const wires = await readWireIssues(ids, 'all', parts, signal)
      const mapping = await createMapping(wires, parts, signal)
      return new Map(wires.map((wire) => [Number(wire.id), { wire, item: mapIssue(wire, mapping) }]))
    },
    async readShapes(ids, signal) {
      const wires = await readWireIssues(ids, 'shape', parts, signal)
      const mapping = await createMapping(wires, parts, signal)
      return new Map(wires.map((wire): [number, ItemShape] => [Number(wire.id), mapShape(wire, mapping)]))
    },
  })
}

/** Whole issues with Cloud's bulk request, which reads the newest versions. Data Center finds issues by ID with a query. */
async function readWireIssues(
  ids: readonly number[],
  part: 'all' | 'shape',
  { client, metadata }: ReadParts,
  signal: AbortSignal,
): Promise<WireIssue[]> {
  const known = await metadata.get(signal)
  const possible = ids.filter((id) => Number.isInteger(id) && id > 0 && id < MAX_ID)
  if (possible.length === 0) return []
  const fields = listWireFields(known, part)
  const found: WireIssue[] = []
  const fetchInBulk = async (chunk: readonly number[]) => {
    const body = { issueIdsOrKeys: chunk.map(String), fields }
    found.push(...(await client.read({ method: 'POST', path: '/issue/bulkfetch', body }, BulkAnswer, signal)).issues)
  }
  const isCloud = known.deployment === 'cloud'
  for (const chunk of chunksOf(possible, part === 'all' ? BATCH_SIZES.items : IDS_PER_QUERY)) {
    if (isCloud && part === 'all') await fetchInBulk(chunk)
    else {
      const jql = `id in (${chunk.join(',')})`
      const pages = client.search({ jql, fields, pageSize: IDS_PER_QUERY, reconcile: chunk }, WireIssue, signal)
      const before = found.length
      try {
        for await (const page of pages) found.push(...page)
      } catch (error) {
        // Cloud rejects a query that names an issue that does not exist. The bulk request leaves it out.
        if (!isCloud || !(error instanceof TrackerError) || error.trackerCode !== REJECTED_CODE) throw error
        found.length = before
        for (const few of chunksOf(chunk, BATCH_SIZES.items)) await fetchInBulk(few)
      }
    }
  }
  return found
}

/** Data Center names an epic by its key, so the IDs of the epics are looked up. */
export async function createMapping(
  wires: readonly WireIssue[],
  { client, metadata }: ReadParts,
  signal: AbortSignal,
): Promise<IssueMapping> {
  const known = await metadata.get(signal)
  const { epicLink } = known.custom
  const epics = new Map(wires.map(({ id, key }) => [key, Number(id)]))
  const keys = new Set(wires.flatMap(({ fields }) => (epicLink && !fields.parent ? [fields[epicLink]] : [])))
  const unknown = [...keys].filter((key): key is string => typeof key === 'string' && !epics.has(key))
  for (const [key, id] of await findIdsByKey(unknown, client, signal)) epics.set(key, id)
  return { project: client.project, metadata: known, texts: await loadTexts(known.deployment), epics }
}

const WireKey = z.object({ id: z.string(), key: z.string() })

/** The IDs of issues by their keys in upper case. Keys that do not exist are absent. */
export async function findIdsByKey(
  keys: readonly string[],
  client: JiraClient,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const isCloud = keys.length > 0 && (await client.deployment(signal)) === 'cloud'
  for (const chunk of chunksOf([...new Set(keys)], 100)) {
    const body = { issueIdsOrKeys: chunk, fields: ['issuetype'] }
    const bulk = z.object({ issues: z.array(WireKey).default([]) })
    const jql = `key in (${chunk.map((key) => `"${key}"`).join(',')})`
    const pages = isCloud
      ? [(await client.read({ method: 'POST', path: '/issue/bulkfetch', body }, bulk, signal)).issues]
      : client.search({ jql, fields: ['issuetype'] }, WireKey, signal)
    for await (const page of pages) for (const { id, key } of page) found.set(key, Number(id))
  }
  return found
}

export function describeMissing(id: number): string {
  return `Issue ${id} does not exist in Jira, or your token cannot read it.`
}
