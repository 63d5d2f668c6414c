import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { chunksOf } from '../../kernel/work/chunks'
import { isPossibleId } from '../services/item-keys'
import { GraphqlClient, type HasField as Has, queryInBatches } from '../services/requests/graphql-client'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { readPages } from '../services/requests/pages'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import type { SettingNames } from '../services/setting-names'
import { type ProjectAddress, toWorkItemId, WireId } from './address'

/** Types and fields that older servers, or the Community Edition, do not have. */
type NewerName = `WorkItemWidget${string}` | 'iterations' | 'allowedStatuses' | 'customFieldValues' | 'ids'
export type HasField = Has<NewerName>

/** Where lists of items are: in the project, or in its group, which has the epics. */
export type Place = 'project' | 'group'

/** The most IDs that a list of work items can be filtered by, and the size of a page. */
export const PAGE_SIZE = 100
/** Items of groups and of other projects are read one by one, which costs more of the complexity that a query may have. */
const SINGLE_ITEMS = 5

interface ItemQuery<Shape> {
  /** IDs in one request. */
  batchSize: number
  fields(has: HasField): string
  shape: Shape
}

/** Each of its widgets has a part of an item. */
export const joinWidgets = z
  .array(z.record(z.string(), z.unknown()))
  .nullish()
  .transform((widgets): unknown => Object.assign({}, ...(widgets ?? [])))

const WireOutside = z.object({ namespace: z.object({ fullPath: z.string() }).nullish() })

/** Queries one project, and the items of its groups. */
export class ProjectClient extends GraphqlClient<NewerName> {
  /** The items that are known not to be of the project. */
  readonly #outside = new Set<number>()
  readonly #malformed = new Set<number>()

  constructor(
    client: RetryingClient,
    readonly address: ProjectAddress,
    private readonly names: SettingNames,
  ) {
    super(client, '/api/graphql')
  }

  /** Reads fields of the project. Throws `invalid` if the token cannot read it. */
  async queryProject<Shape extends z.ZodType>(
    {
      select,
      variables,
      declarations = '',
    }: { select(has: HasField): string; variables?: Record<string, unknown>; declarations?: string },
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    const { path, api } = this.address
    const createRequest = () => ({
      query: `query($path: ID!${declarations}) { project(fullPath: $path) { ${select(this.has)} } }`,
      variables: { path, ...variables },
    })
    const found = await this.query(createRequest, z.object({ project: shape.nullable() }), signal)
    const { project } = found as { project: z.output<Shape> | null }
    if (project !== null) return project
    throw new TrackerError('invalid', `The project ${api.label} does not exist, or the token may not read it.`, {
      hint: `Check ${this.names.url} and ${this.names.project}, and that the token has access to the project.`,
    })
  }

  /**
   * Reads fields of the widgets of one item. `isMine` says whether a person is the account of the token. Throws `not_found` if the item cannot
   * be read.
   */
  async queryWidgets<Shape extends z.ZodType>(
    id: number,
    query: { select: string; variables?: Record<string, unknown>; declarations?: string },
    shape: Shape,
    signal: AbortSignal,
  ) {
    const { select, variables, declarations = '' } = query
    const createRequest = () => ({
      query: `query($id: WorkItemID!${declarations}) { currentUser { username } workItem(id: $id) { widgets { ${select} } } }`,
      variables: { id: toWorkItemId(id), ...variables },
    })
    const Answer = z.object({
      currentUser: z.object({ username: z.string() }).nullish(),
      workItem: z.object({ widgets: joinWidgets.pipe(shape) }).nullable(),
    })
    const { workItem, currentUser } = (await this.query(createRequest, Answer, signal)) as {
      workItem: { widgets: z.output<Shape> } | null
      currentUser?: { username: string } | null
    }
    if (workItem === null) throw new TrackerError('not_found', this.describeMissing(id))
    const user = currentUser?.username ?? ''
    const isMine = (person: { username: string } | null | undefined) =>
      user !== '' && equalsIgnoringCase(person?.username ?? '', user)
    return { widgets: workItem.widgets, isMine }
  }

  /** Reads a connection of the project, or of its group, page by page. */
  readConnection<Shape extends z.ZodType>(
    {
      name,
      args,
      fields,
      shape,
      place = 'project',
      variables = {},
      declarations = '',
      size = PAGE_SIZE,
    }: {
      name: string
      args: string
      fields(has: HasField): string
      shape: Shape
      place?: Place
      variables?: Record<string, unknown>
      declarations?: string
      size?: number
    },
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Shape>[], void, undefined> {
    const select = (has: HasField) => {
      const connection = `connection: ${name}(first: ${size}, after: $after ${args}) { nodes { ${fields(has)} } ${PAGE_INFO} }`
      return place === 'group' ? `parent: group { ${connection} }` : connection
    }
    const page = z.object({ connection: createPageShape(shape).nullish() })
    const wrapped = place === 'group' ? z.object({ parent: page.nullish() }) : page.transform((parent) => ({ parent }))
    return readPages(async (after) => {
      const query = { select, declarations: `, $after: String${declarations}`, variables: { after, ...variables } }
      return (await this.queryProject(query, wrapped, signal)).parent?.connection ?? { entries: [], next: null }
    })
  }

  /**
   * Reads fields of items. Items that cannot be read are absent. Lists of the project have a hundred items for the complexity of two; what is
   * not in them is of a group or of another project.
   */
  async queryItems<Shape extends z.ZodType>(
    ids: readonly number[],
    query: ItemQuery<Shape>,
    signal: AbortSignal,
  ): Promise<Map<number, z.output<Shape>>> {
    const found = new Map<number, z.output<Shape>>()
    const possible = [...new Set(ids)].filter(isPossibleId)
    const read = async (chunk: readonly number[]): Promise<void> => {
      const few = chunk.length <= SINGLE_ITEMS
      // An older server cannot filter lists by IDs.
      if (!few && !this.has('ids')) return queryInBatches(chunk, SINGLE_ITEMS, read)
      const outside = few ? chunk : chunk.filter((id) => this.#outside.has(id)).slice(0, SINGLE_ITEMS)
      await this.#readItems(
        { listed: chunk.filter((id) => !outside.includes(id)), single: outside },
        { query, found, signal },
      )
      const rest = few ? [] : chunk.filter((id) => !found.has(id) && !outside.includes(id))
      await queryInBatches(rest, SINGLE_ITEMS, (single) =>
        this.#readItems({ listed: [], single }, { query, found, signal }),
      )
    }
    await queryInBatches(possible, query.batchSize, read)
    return found
  }

  async #readItems<Shape extends z.ZodType>(
    { listed, single }: { listed: readonly number[]; single: readonly number[] },
    {
      query: { fields, shape },
      found,
      signal,
    }: { query: ItemQuery<Shape>; found: Map<number, z.output<Shape>>; signal: AbortSignal },
  ): Promise<void> {
    const lists = chunksOf(listed, PAGE_SIZE)
    const { path } = this.address
    const variables = {
      ...(lists.length > 0 && { path }),
      ...Object.fromEntries(lists.map((chunk, i) => [`ids${i}`, chunk.map(toWorkItemId)])),
      ...Object.fromEntries(single.map((id, i) => [`id${i}`, toWorkItemId(id)])),
    }
    const declarations = [
      ...(lists.length > 0 ? ['$path: ID!'] : []),
      ...lists.map((_, i) => `$ids${i}: [WorkItemID!]`),
      ...single.map((_, i) => `$id${i}: WorkItemID!`),
    ]
    const list = (i: number) => `list${i}: workItems(ids: $ids${i}, first: ${PAGE_SIZE}) { nodes { ...Fields } }`
    const write = () =>
      `query(${declarations.join(', ')}) { ` +
      (lists.length > 0 ? `project(fullPath: $path) { ${lists.map((_, i) => list(i)).join(' ')} } ` : '') +
      single.map((_, i) => `item${i}: workItem(id: $id${i}) { ...Fields }`).join(' ') +
      ` } fragment Fields on WorkItem { ${fields(this.has)} }`
    const WireLists = z.record(z.string(), z.object({ nodes: z.array(z.unknown()) }).nullable()).nullish()
    const Answer = z.object({ project: WireLists }).catchall(z.unknown())
    const answer = await this.query(() => ({ query: write(), variables }), Answer, signal).catch((error: unknown) => {
      // The server has just said that it cannot filter by IDs.
      if (lists.length > 0 && !this.has('ids')) return null
      throw error
    })
    const all = [
      ...Object.values(answer?.project ?? {}).flatMap((one) => one?.nodes ?? []),
      ...single.map((_, i) => answer?.[`item${i}`]),
    ]
    for (const wire of all) this.#add(wire, shape, found)
  }

  /** An item of another shape is missing, and does not hinder the others. */
  #add<Shape extends z.ZodType>(wire: unknown, shape: Shape, found: Map<number, z.output<Shape>>): void {
    const { id } = z.object({ id: WireId }).safeParse(wire).data ?? {}
    if (id === undefined) return
    const parsed = shape.safeParse(wire)
    if (parsed.success) found.set(id, parsed.data)
    this.#malformed[parsed.success ? 'delete' : 'add'](id)
    const path = WireOutside.safeParse(wire).data?.namespace?.fullPath
    if (path !== undefined && !equalsIgnoringCase(path, this.address.path)) this.#outside.add(id)
  }

  describeMissing(id: number): string {
    return `Work item ${id} does not exist, or your token cannot read it.`
  }

  /** Why an item is not shown that GitLab has; null for one that it may not have. */
  findRefusal(id: number): TrackerError | null {
    if (!this.#malformed.has(id)) return null
    return new TrackerError('tracker_answer', `GitLab returned work item ${id} in an unexpected shape.`)
  }
}
