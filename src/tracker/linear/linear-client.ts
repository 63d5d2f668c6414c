import * as z from 'zod'
import { type ChangeResult, readChangeResult, toFailedResult } from '../services/change-result'
import { GraphqlClient } from '../services/requests/graphql-client'
import { createPageShape, nodes, PAGE_INFO } from '../services/requests/graphql-pages'
import { collect, readPages } from '../services/requests/pages'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import type { TeamAddress } from './address'
import { VALUES_CODE } from './response-error'
import { USER, WireTexts } from './wire-issue'

/** The largest page that Linear gives. */
export const MAX_PAGE_SIZE = 250
export const GRAPHQL_PATH = '/graphql'

/** The arguments of a mutation or a connection: their types and values. */
export type Arguments = Record<string, readonly [type: string, value: unknown]>

/** A list below the root of the API. */
export interface ListQuery<Shape> {
  name: string
  args: Arguments
  fields: string
  shape: Shape
  /** Of a page. */
  size?: number
}

/** Sends queries and mutations to Linear. */
export class LinearClient extends GraphqlClient {
  constructor(
    readonly http: RetryingClient,
    readonly team: TeamAddress,
  ) {
    super(http, GRAPHQL_PATH)
  }

  /** The filter for issues of the team, and of them for those with the numbers. */
  filterIssues(others: Record<string, unknown> = {}): Record<string, unknown> {
    return { team: { key: { eq: this.team.key } }, ...others }
  }

  /** Reads fields below the root of the API. */
  ask<Shape extends z.ZodType>(fields: string, args: Arguments, shape: Shape, signal: AbortSignal) {
    return this.query(
      () => ({ query: `query${declare(args)} { ${fields} }`, variables: toVariables(args) }),
      shape,
      signal,
    )
  }

  /** Reads fields of the first issue of the team that a filter finds, also of an archived one. */
  async askIssue<Shape extends z.ZodType>(
    filter: Record<string, unknown>,
    fields: string,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape> | undefined> {
    const select = `issues(filter: $filter, first: 1, includeArchived: true) { nodes { ${fields} } }`
    const args: Arguments = { filter: ['IssueFilter', this.filterIssues(filter)] }
    const answer = await this.ask(select, args, z.object({ issues: nodes(shape) }), signal)
    return (answer as { issues: { nodes: z.output<Shape>[] } }).issues.nodes[0]
  }

  /** Reads a list page by page. */
  readList<Shape extends z.ZodType>(
    { name, args, fields, shape, size = MAX_PAGE_SIZE }: ListQuery<Shape>,
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Shape>[], void, undefined> {
    const page = z.object({ list: createPageShape(shape) })
    return readPages(async (after) => {
      const all: Arguments = { ...args, first: ['Int', size], after: ['String', after] }
      const select = `list: ${name}(${pass(all)}) { nodes { ${fields} } ${PAGE_INFO} }`
      return (await this.ask(select, all, page, signal)).list
    })
  }

  /** Reads one issue with all entries of one of its lists. Throws `not_found` if it is missing or in the trash. */
  async readListOfIssue<Shape extends z.ZodType>(
    number: number,
    { name, fields, shape, size = MAX_PAGE_SIZE }: Omit<ListQuery<Shape>, 'args'>,
    signal: AbortSignal,
  ) {
    const issue = `id description createdAt creator { ${USER} } trashed`
    const select =
      'viewer { id } issues(filter: $filter, first: 1, includeArchived: true) ' +
      `{ nodes { ${issue} list: ${name}(first: ${size}, after: $after) { nodes { ${fields} } ${PAGE_INFO} } } }`
    const Answer = z.object({
      viewer: z.object({ id: z.string() }),
      issues: nodes(WireTexts.extend({ list: createPageShape(shape) })),
    })
    const found = { viewerId: '', issue: undefined as z.output<typeof WireTexts> | undefined }
    const pages = readPages(async (after) => {
      const filter = this.filterIssues({ number: { eq: number } })
      const args = { filter: ['IssueFilter', filter], after: ['String', after] } as const
      const answer = (await this.ask(select, args, Answer, signal)) as z.output<typeof Answer>
      const [first] = answer.issues.nodes
      if (!first || first.trashed) throw new TrackerError('not_found', describeMissing(number))
      Object.assign(found, { viewerId: answer.viewer.id, issue: first })
      return first.list
    })
    const entries = await collect(pages)
    return { viewerId: found.viewerId, issue: found.issue!, entries }
  }

  /** Sends one mutation, and reads the fields of its result. */
  change<Shape extends z.ZodType>(
    name: string,
    args: Arguments,
    { select = '', shape }: { select?: string; shape: Shape },
    signal: AbortSignal,
  ): Promise<ChangeResult<z.output<Shape>>> {
    const query = `mutation${declare(args)} { result: ${name}(${pass(args)}) { success ${select} } }`
    const answer = z.object({ data: z.object({ result: z.object({ success: z.boolean() }).loose() }) })
    return readChangeResult(
      this.mutate(() => query, toVariables(args), signal),
      ({ json }, error) => {
        if (error !== null)
          return error.trackerCode === VALUES_CODE || error.code === 'tracker_forbidden'
            ? { kind: 'rejected', message: error.message, ...toCode(error.code) }
            : toFailedResult(error)
        const { result } = answer.safeParse(json).data?.data ?? {}
        if (result?.success === false) return { kind: 'rejected', message: 'The tracker did not make the change.' }
        const parsed = shape.safeParse(result)
        return result && parsed.success
          ? { kind: 'done', data: parsed.data }
          : { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
      },
    )
  }
}

export function describeMissing(id: number): string {
  return `Issue ${id} does not exist in the team, or your token cannot read it.`
}

/** A change of which nothing but its success is read. */
export const NOTHING = { shape: z.unknown() }

function toCode(code: string) {
  return code === 'not_found' || code === 'tracker_forbidden' ? ({ code } as const) : {}
}

function declare(args: Arguments): string {
  const all = Object.entries(args).map(([name, [type]]) => `$${name}: ${type}`)
  return all.length === 0 ? '' : `(${all.join(', ')})`
}

function pass(args: Arguments): string {
  return Object.keys(args)
    .map((name) => `${name}: $${name}`)
    .join(', ')
}

function toVariables(args: Arguments): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, [, value]]) => [name, value]))
}
