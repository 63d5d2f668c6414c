import * as z from 'zod'
import { chunksOf } from '../../kernel/work/chunks'
import { walkTrees } from '../services/list-tree-links'
import type { TreeLink } from '../tracker'
import { findIdsByKey, IDS_PER_QUERY, isRejection, LARGEST_PAGE, type ReadParts } from './issue-reader'
import { listWireFields, WireIssue } from './map-issue'

/** An issue of a tree with the number of its subtasks. */
const WireMember = WireIssue.extend({
  fields: WireIssue.shape.fields.extend({
    subtasks: z
      .array(z.unknown())
      .default([])
      .transform(({ length }) => length),
  }),
})
type WireMember = z.output<typeof WireMember>

/**
 * Reads trees level by level: one query finds the children of many issues. The pages have whole issues, because Jira sends no more issues
 * at once if they have few fields, so that an import need not read them again.
 */
export async function readTrees(
  rootIds: readonly number[],
  parts: ReadParts,
  signal: AbortSignal,
): Promise<{ trees: Map<number, TreeLink[]>; missing: ReadonlySet<number> }> {
  const { client } = parts
  const { custom } = await parts.metadata.forReading(signal)
  const missing = new Set(rootIds)
  const trees = await walkTrees(rootIds, async (level, children) => {
    const isFirst = children.size === 0
    const next: number[] = []
    for (const id of level) children.set(id, [])
    for (const chunk of chunksOf(level, IDS_PER_QUERY)) {
      const members = await readMembers(chunk, { withThemselves: isFirst }, parts, signal)
      client.rememberIds(members)
      for (const { id } of members) missing.delete(Number(id))
      for (const { id, fields } of members) {
        const epic = custom.epicLink === null ? null : fields[custom.epicLink]
        const parentId = fields.parent ? Number(fields.parent.id) : client.knownIds.get(String(epic))
        if (parentId !== undefined) children.get(parentId)?.push(Number(id))
        if (mayHaveChildren(fields, typeof epic === 'string')) next.push(Number(id))
      }
    }
    return next
  })
  // The index of the search may not have a new issue yet.
  for (const id of (await findIdsByKey([...missing], client, signal)).values()) missing.delete(id)
  return { trees, missing }
}

/** Whole issues below some issues. */
async function readMembers(
  ids: readonly number[],
  { withThemselves }: { withThemselves: boolean },
  { client, metadata, ahead }: ReadParts,
  signal: AbortSignal,
): Promise<WireMember[]> {
  const site = await metadata.forReading(signal)
  const { custom, deployment } = site
  const fields = [...listWireFields(site, 'all'), 'subtasks']
  const epicField = deployment === 'server' && custom.epicLink !== null ? toClause(custom.epicLink) : null
  const search = async (some: readonly number[]) => {
    const conditions = [...(withThemselves ? ['id'] : []), 'parent', ...(epicField === null ? [] : [epicField])]
    const jql = `${conditions.map((field) => `${field} in (${some.join(',')})`).join(' OR ')} ORDER BY key ASC`
    const members: WireMember[] = []
    const reconcile = withThemselves ? some : []
    for await (const page of client.search({ jql, fields, pageSize: LARGEST_PAGE, reconcile }, WireMember, signal)) {
      ahead.add(page)
      members.push(...page)
    }
    return members
  }
  try {
    return await search(ids)
  } catch (error) {
    if (!isRejection(error)) throw error
    // A query that names an issue that does not exist is rejected.
    const readable = await findIdsByKey(ids, client, signal)
    if (readable.size === ids.length) throw error
    return readable.size === 0 ? [] : search([...readable.values()])
  }
}

/** Localized sites have other names for the field, so the query names it by its number. */
function toClause(fieldId: string): string {
  return `cf[${fieldId.replace('customfield_', '')}]`
}

/** Subtasks have no children, and stories have only subtasks. Data Center reports no levels, but an issue with an epic is no epic. */
function mayHaveChildren({ issuetype, subtasks }: WireMember['fields'], hasEpic: boolean): boolean {
  if (issuetype.subtask) return false
  return subtasks > 0 || !(issuetype.hierarchyLevel === 0 || hasEpic)
}

/** Finds the issues directly below any of some issues. Null if Jira rejects the query, because one of them no longer exists. */
export async function findChildren(
  ids: readonly number[],
  { client }: ReadParts,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | null> {
  const fields = (await client.deployment(signal)) === 'cloud' ? ['parent'] : ['parent', '"Epic Link"']
  const found = new Set<number>()
  try {
    for (const chunk of chunksOf(ids, IDS_PER_QUERY)) {
      const jql = fields.map((field) => `${field} in (${chunk.join(',')})`).join(' OR ')
      const query = { jql, fields: ['id'], pageSize: LARGEST_PAGE, isStrict: true }
      for await (const page of client.search(query, z.object({ id: z.string() }), signal))
        for (const { id } of page) found.add(Number(id))
    }
    return found
  } catch (error) {
    if (isRejection(error)) return null
    throw error
  }
}
