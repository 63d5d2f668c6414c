import * as z from 'zod'
import { chunksOf } from '../../kernel/work/chunks'
import { isPossibleId } from '../services/item-keys'
import { ItemReader } from '../services/item-reader'
import { quote } from '../services/quoted-text'
import { parseEntries } from '../services/requests/pages'
import type { ReadAhead } from '../services/requests/read-ahead'
import { TrackerError } from '../services/requests/tracker-error'
import type { ItemShape, TrackerItem } from '../tracker'
import type { JiraClient } from './jira-client'
import { type IssueMapping, listWireFields, mapIssue, mapShape, WireIssue, WireReference } from './map-issue'
import { REJECTED_CODE } from './response-error'
import type { SiteMetadata } from './site-metadata'

/** An issue as Jira returns it, and as an item. */
export interface ReadIssue {
  wire: WireIssue
  item: TrackerItem
}

export interface ReadParts {
  client: JiraClient
  metadata: SiteMetadata
  ahead: ReadAhead<WireIssue>
}

export type IssueReader = ItemReader<ReadIssue>

export interface WriteParts extends ReadParts {
  reader: IssueReader
}

const BATCH_SIZES = { items: 100, shapes: 500 }

export const IDS_PER_QUERY = 1000
/** Cloud returns as many issues at once if only their IDs are requested. Otherwise the site returns as many as it can. */
export const LARGEST_PAGE = 5000

/** Reads issues by their numeric IDs. */
export function createIssueReader(parts: ReadParts): IssueReader {
  const mapWires = async (wires: readonly WireIssue[], signal: AbortSignal) => {
    const mapping = await createMapping(wires, parts, signal)
    parts.metadata.sprints.remember(wires, mapping.metadata.custom.sprint)
    return new Map(wires.map((wire) => [Number(wire.id), { wire, item: mapIssue(wire, mapping) }]))
  }
  return new ItemReader<ReadIssue>({
    batchSizes: BATCH_SIZES,
    maxConcurrent: parts.client.limits.maxConcurrent,
    mapItem: ({ item }) => item,
    describeMissing,
    takeReadAhead: (ids, signal) => mapWires(parts.ahead.take(ids), signal),
    async readWires(ids, signal) {
      const fields = listWireFields(await parts.metadata.forReading(signal), 'all')
      return mapWires(
        await readByIds(ids, { fields, size: BATCH_SIZES.items }, WireIssue, parts.client, signal),
        signal,
      )
    },
    async readShapes(ids, signal) {
      const fields = listWireFields(await parts.metadata.forReading(signal), 'shape')
      const selection = { fields, size: BATCH_SIZES.shapes }
      const wires = await readByIds(ids, selection, WireIssue, parts.client, signal)
      const mapping = await createMapping(wires, parts, signal)
      return new Map(wires.map((wire): [number, ItemShape] => [Number(wire.id), mapShape(wire, mapping)]))
    },
  })
}

/**
 * Reads fields of issues by their IDs or keys; those that cannot be read are absent. Up to 100 are read from Cloud with its bulk request, which returns the newest
 * versions. More, and those of Data Center, are found with a query.
 */
export async function readByIds<Shape extends z.ZodType>(
  ids: readonly (number | string)[],
  { fields, size }: { fields: readonly string[]; size: number },
  shape: Shape,
  client: JiraClient,
  signal: AbortSignal,
): Promise<z.output<Shape>[]> {
  const isCloud = (await client.deployment(signal)) === 'cloud'
  const found: z.output<Shape>[] = []
  const fetchInBulk = async (chunk: readonly (number | string)[]) => {
    const body = { issueIdsOrKeys: chunk.map(String), fields }
    const answer = await client.read({ method: 'POST', path: '/issue/bulkfetch', body }, BulkAnswer, signal)
    found.push(...parseEntries(answer.issues, shape))
  }
  for (const chunk of chunksOf(
    ids.filter((id) => typeof id === 'string' || isPossibleId(id)),
    size,
  )) {
    if (isCloud && size <= BATCH_SIZES.items) {
      await fetchInBulk(chunk)
      continue
    }
    const before = found.length
    try {
      const query = {
        jql: `id in (${chunk.map((id) => (typeof id === 'string' ? quote(id) : id)).join(',')})`,
        fields,
        pageSize: LARGEST_PAGE,
        reconcile: chunk.map(Number).filter(isPossibleId),
      }
      for await (const page of client.search(query, shape, signal)) found.push(...page)
    } catch (error) {
      // Cloud rejects a query that names an issue that does not exist. The bulk request leaves it out.
      if (!isCloud || !isRejection(error)) throw error
      found.length = before
      for (const few of chunksOf(chunk, BATCH_SIZES.items)) await fetchInBulk(few)
    }
  }
  return found
}

const BulkAnswer = z.object({ issues: z.array(z.unknown()).default([]) })

export function isRejection(error: unknown): boolean {
  return error instanceof TrackerError && error.trackerCode === REJECTED_CODE
}

/** Data Center names an epic by its key, so the IDs of the epics are looked up. */
export async function createMapping(
  wires: readonly WireIssue[],
  { client, metadata }: ReadParts,
  signal: AbortSignal,
): Promise<IssueMapping> {
  const known = await metadata.forReading(signal)
  const { epicLink } = known.custom
  const keys = wires.flatMap(({ fields }) => (epicLink && !fields.parent ? [fields[epicLink]] : []))
  client.rememberIds(wires)
  const unknown = keys.filter((key): key is string => typeof key === 'string' && !client.knownIds.has(key))
  for (const [key, id] of await findIdsByKey(unknown, client, signal)) client.knownIds.set(key, id)
  return { project: client.project, metadata: known, texts: await client.loadTexts(signal), epics: client.knownIds }
}

/** The IDs of issues by their keys in upper case, or by IDs. Issues that cannot be read are absent. */
export async function findIdsByKey(
  keys: readonly (string | number)[],
  client: JiraClient,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const selection = { fields: ['issuetype'], size: BATCH_SIZES.items }
  const found = keys.length === 0 ? [] : await readByIds([...new Set(keys)], selection, WireReference, client, signal)
  return new Map(found.map(({ id, key }) => [key, Number(id)]))
}

export function describeMissing(id: number): string {
  return `Issue ${id} does not exist in Jira, or your token cannot read it.`
}
