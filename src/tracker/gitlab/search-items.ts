import * as z from 'zod'
import { StudioError } from '../../kernel'
import { chunksOf } from '../../kernel/work/chunks'
import { nodes } from '../services/requests/graphql-pages'
import { collect } from '../services/requests/pages'
import type { SearchQuery, SearchResult, TypeQuery } from '../tracker'
import type { QueryResult, QueryRunner } from '../tracker-parts'
import { formatKey, type ItemKey, parseKey, WireId } from './address'
import type { ItemParts } from './item-reader'
import { PAGE_SIZE, type Place } from './project-client'

const WireFound = z.object({ id: WireId, updatedAt: z.string().default('') })

interface Filter {
  /** Values of the arguments, and their types. */
  values: Readonly<Record<string, unknown>>
  types: Readonly<Record<string, string>>
  sort: string
}

const SEARCH_TYPES = { search: 'String', in: '[IssuableSearchableField!]', types: '[IssueType!]' }

/** Types of the port are names, those of filters are `KEY_RESULT`. */
const toEnum = (type: string) => type.trim().toUpperCase().replaceAll(' ', '_')

/** Epics are in the group of the project. */
const findPlaces = (types: readonly string[]): Place[] => {
  const isEpic = (type: string) => toEnum(type) === 'EPIC'
  return [
    ...(types.some((type) => !isEpic(type)) ? (['project'] as const) : []),
    ...(types.some(isEpic) ? (['group'] as const) : []),
  ]
}

export async function searchItems(
  { text, itemType, limit }: SearchQuery,
  parts: ItemParts,
  signal: AbortSignal,
): Promise<SearchResult> {
  const values = { search: text, ...(itemType !== null && { types: [toEnum(itemType)] }) }
  const filter = { values, types: SEARCH_TYPES, sort: 'UPDATED_DESC' }
  const places = itemType === null ? (['project'] as const) : findPlaces([itemType])
  return { ...(await find(filter, places, { limit, parts, signal })), source: 'search', partial: false }
}

export async function findByType(
  { types, title, limit }: TypeQuery,
  parts: ItemParts,
  signal: AbortSignal,
): Promise<{ ids: number[]; total: number }> {
  const values = { types: types.map(toEnum), ...(title !== null && { search: title, in: ['TITLE'] }) }
  const filter = { values, types: SEARCH_TYPES, sort: 'UPDATED_DESC' }
  return find(filter, findPlaces(types), { limit, parts, signal })
}

/** Reads one item more than is needed, because GitLab does not count what it finds. */
async function find(
  { values, types, sort }: Filter,
  places: readonly Place[],
  { limit, parts, signal }: { limit: number; parts: ItemParts; signal: AbortSignal },
): Promise<{ ids: number[]; total: number }> {
  const used = Object.keys(values)
  const declarations = used.map((name) => `, $${name}: ${types[name]}`).join('')
  const args = [...used.map((name) => `${name}: $${name}`), `sort: ${sort}`].join(', ')
  const found: z.output<typeof WireFound>[] = []
  for (const place of places) {
    const ofGroup = place === 'group' ? 'includeAncestors: true, includeDescendants: true, ' : ''
    const query = { name: 'workItems', args: `, ${ofGroup}${args}`, fields: () => 'id updatedAt', shape: WireFound }
    const pages = parts.graphql.readConnection(
      { ...query, place, declarations, variables: { ...values }, size: Math.min(limit + 1, PAGE_SIZE) },
      signal,
    )
    found.push(...(await collect(pages, limit + 1)))
  }
  if (sort === 'UPDATED_DESC') found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  const ids = [...new Set(found.map(({ id }) => id))]
  return { ids: ids.slice(0, limit), total: ids.length }
}

/** The parameters of an address of a list of GitLab, and the arguments that they are. */
const PARAMETERS: Readonly<Record<string, readonly [name: string, type: string]>> = {
  search: ['search', 'String'],
  state: ['state', 'IssuableState'],
  author_username: ['authorUsername', 'String'],
  confidential: ['confidential', 'Boolean'],
  'label_name[]': ['labelName', '[String!]'],
  'assignee_username[]': ['assigneeUsernames', '[String!]'],
  milestone_title: ['milestoneTitle', '[String!]'],
  'type[]': ['types', '[IssueType!]'],
  created_after: ['createdAfter', 'Time'],
  updated_after: ['updatedAfter', 'Time'],
}
const SORTS: Readonly<Record<string, string>> = {
  created_date: 'CREATED_DESC',
  created_asc: 'CREATED_ASC',
  updated_desc: 'UPDATED_DESC',
  updated_asc: 'UPDATED_ASC',
  title_asc: 'TITLE_ASC',
  title_desc: 'TITLE_DESC',
}

/** Runs what the address of a list of GitLab has after its question mark. GitLab lets no program read the views that people save. */
export function createQueryRunner(parts: ItemParts): QueryRunner {
  return {
    language: 'filter of a list of GitLab',
    list: async () => [],
    async run(query, limit, signal): Promise<QueryResult> {
      if ('saved' in query)
        throw new StudioError('not_found', 'GitLab has no saved queries that a program can run.', {
          hint: 'Give the filter of a list: what its address has after the question mark.',
        })
      const { ids, total } = await find(parseFilter(query.text), ['project'], { limit, parts, signal })
      return { ids, total: total > limit ? null : total }
    },
  }
}

function parseFilter(text: string): Filter {
  const values: Record<string, unknown> = {}
  const types: Record<string, string> = {}
  let sort = 'CREATED_DESC'
  for (const [key, value] of new URLSearchParams(text.slice(text.indexOf('?') + 1))) {
    if (key === 'sort' && Object.hasOwn(SORTS, value)) sort = SORTS[value]!
    if (key === 'sort' || key === 'first_page_size' || (key === 'state' && value === 'all')) continue
    const known = Object.hasOwn(PARAMETERS, key) ? PARAMETERS[key] : undefined
    if (known === undefined)
      throw new StudioError('invalid', `The filter has the parameter "${key}", which studio cannot use.`, {
        hint: `Use only: ${Object.keys(PARAMETERS).join(', ')}, sort`,
      })
    const [name, type] = known
    const one =
      type === '[IssueType!]' ? toEnum(value) : type === 'Boolean' ? value === 'yes' || value === 'true' : value
    types[name] = type
    values[name] = type.startsWith('[') ? [...((values[name] as unknown[]) ?? []), one] : one
  }
  return { values, types, sort }
}

/** How many items of other namespaces one request looks up. */
const KEYS_PER_REQUEST = 20

/** The IDs of items by their keys. The number in a key is one of its project or group alone. */
export async function resolveKeys(
  keys: readonly string[],
  { graphql }: ItemParts,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const wanted = new Map<string, ItemKey & { keys: string[] }>()
  const { path } = graphql.address
  const normalize = (key: ItemKey) => formatKey(key, '').toLowerCase()
  for (const key of keys) {
    if (/^[1-9]\d{0,14}$/.test(key.trim())) found.set(key, Number(key))
    const parsed = parseKey(key, { path })
    if (parsed === null) continue
    const known = wanted.get(normalize(parsed)) ?? { ...parsed, keys: [] }
    wanted.set(normalize(parsed), { ...known, keys: [...known.keys, key] })
  }
  const add = (key: ItemKey, id: number) => {
    for (const one of wanted.get(normalize(key))?.keys ?? []) found.set(one, id)
  }
  const isOwn = ({ namespace }: ItemKey) => namespace.toLowerCase() === path.toLowerCase()
  for (const chunk of chunksOf([...wanted.values()].filter(isOwn), PAGE_SIZE)) {
    const select = () => `workItems(iids: $iids, first: ${PAGE_SIZE}) { nodes { id iid } }`
    const query = { select, declarations: ', $iids: [String!]', variables: { iids: chunk.map(({ iid }) => iid) } }
    const shape = z.object({ workItems: nodes(z.object({ id: WireId, iid: z.string() })).nullable() })
    const { workItems } = await graphql.queryProject(query, shape, signal)
    for (const { id, iid } of workItems?.nodes ?? []) add({ namespace: path, iid }, id)
  }
  for (const chunk of chunksOf(
    [...wanted.values()].filter((key) => !isOwn(key)),
    KEYS_PER_REQUEST,
  )) {
    const declarations = chunk.map((_, i) => `$path${i}: ID!, $iid${i}: String!`)
    const select = chunk.map((_, i) => `key${i}: namespace(fullPath: $path${i}) { workItem(iid: $iid${i}) { id } }`)
    const variables = Object.fromEntries(
      chunk.flatMap(({ namespace, iid }, i) => [
        [`path${i}`, namespace],
        [`iid${i}`, iid],
      ]),
    )
    const Answer = z.record(z.string(), z.object({ workItem: z.object({ id: WireId }).nullable() }).nullable())
    const query = `query(${declarations.join(', ')}) { ${select.join(' ')} }`
    const answer = await graphql.query(() => ({ query, variables }), Answer, signal)
    for (const [i, key] of chunk.entries()) {
      const id = answer[`key${i}`]?.workItem?.id
      if (id !== undefined) add(key, id)
    }
  }
  return found
}
