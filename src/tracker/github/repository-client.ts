import * as z from 'zod'
import {
  GraphqlClient,
  type HasField as Has,
  isTooLarge,
  type PartError,
  queryInBatches,
} from '../services/requests/graphql-client'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { readPages } from '../services/requests/pages'
import { cleanText } from '../services/requests/response-errors'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import type { SettingNames } from '../services/setting-names'
import type { RepositoryAddress } from './address'

/** Fields and types that older servers do not have. Without them an issue has no type, no hierarchy, no dependencies or no fields of its organization. */
type NewerField =
  | 'issueType'
  | 'issueTypes'
  | 'parent'
  | 'subIssues'
  | 'blockedBy'
  | 'blocking'
  | 'issueFields'
  | 'issueFieldValues'
  | 'IssueFieldMultiSelect'
  | 'IssueFieldMultiSelectValue'
  | 'closedByPullRequestsReferences'
  | 'linkedBranches'
export type HasField = Has<NewerField>

interface RepositoryQuery {
  /** The fields of the repository, for a server that has, or does not have, the newer fields. */
  select(has: HasField): string
  fragments?(has: HasField): string
  variables?: Record<string, unknown>
  /** The declarations of these variables: `$after: String`. */
  declarations?: string
  /** Whether the caller asks for less if the tracker cannot answer for all of it. */
  isDivisible?: boolean
}

interface ConnectionQuery<Shape> {
  name: string
  /** The arguments besides the size of the page. */
  args?: string
  fields(has: HasField): string
  shape: Shape
  /** The cursor at which it begins; null for the first page. */
  after?: string | null
}

interface IssuesQuery<Shape> {
  batchSize: number
  fields(has: HasField): string
  /** The fields of one issue, if those of each issue differ. */
  fieldsOf?(number: number): string
  shape: Shape
  /** Further fields of the repository in each request. */
  beside?: string
  /** Is called with the answer to each request. */
  onAnswer?(repository: Record<string, unknown>): void
  /** Is called with each issue that GitHub has, but does not show. */
  onRefusal?(number: number, error: TrackerError): void
}

const MAX_PAGE_SIZE = 100
const MAX_NOTICES = 3

/** Queries one repository. */
export class RepositoryClient extends GraphqlClient<NewerField> {
  readonly #noticed = new Set<string>()

  constructor(
    client: RetryingClient,
    readonly repository: RepositoryAddress,
    private readonly names: SettingNames,
    private readonly notice: (text: string) => void = () => {},
  ) {
    super(client, repository.graphqlPath)
  }

  /** Reads fields of the repository. Throws `invalid` if the token cannot read it. */
  async queryRepository<Shape extends z.ZodType>(
    query: RepositoryQuery,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    return (await this.#queryParts(query, shape, signal)).repository
  }

  async #queryParts<Shape extends z.ZodType>(
    { select, fragments, variables, declarations, isDivisible }: RepositoryQuery,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<{ repository: z.output<Shape>; errors: PartError[] }> {
    const { owner, name, api } = this.repository
    const write = () =>
      `query(${['$owner: String!, $name: String!', declarations].filter(Boolean).join(', ')}) ` +
      `{ repository(owner: $owner, name: $name) { ${select(this.has)} } } ${fragments?.(this.has) ?? ''}`
    const createRequest = () => ({ query: write(), variables: { owner, name, ...variables } })
    const dataShape = z.object({ repository: shape.nullable() })
    const { data, errors } = await this.queryParts(createRequest, dataShape, { signal, isDivisible })
    const { repository } = data as { repository: z.output<Shape> | null }
    if (repository !== null) return { repository, errors: errors.filter(({ path }) => path[0] === 'repository') }
    throw new TrackerError('invalid', `The repository ${api.label} does not exist, or the token may not read it.`, {
      hint: `Check ${this.names.url} and ${this.names.project}, and that the token has access to the repository.`,
    })
  }

  /** Reads a connection of the repository page by page, in smaller pages where GitHub cannot answer for a whole one. */
  readConnection<Shape extends z.ZodType>(
    { name, args = '', fields, shape, after: start = null }: ConnectionQuery<Shape>,
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Shape>[], void, undefined> {
    let size = MAX_PAGE_SIZE
    const select = (has: HasField) =>
      `connection: ${name}(first: $first, ${args} after: $after) { nodes { ${fields(has)} } ${PAGE_INFO} }`
    const pageShape = z.object({ connection: createPageShape(shape).nullable() })
    const readPage = async (after: string | null) => {
      for (;;) {
        const query = {
          select,
          declarations: '$first: Int!, $after: String',
          variables: { first: size, after: after ?? start },
          isDivisible: size > 1,
        }
        try {
          return (await this.queryRepository(query, pageShape, signal)).connection ?? { entries: [], next: null }
        } catch (error) {
          if (!isTooLarge(error) || size === 1) throw error
          size = Math.ceil(size / 2)
        }
      }
    }
    return readPages(readPage)
  }

  /** Reads fields of issues, in requests of at most `batchSize`. Issues that cannot be read are absent. */
  async queryIssues<Shape extends z.ZodType>(
    numbers: readonly number[],
    { batchSize, fields, fieldsOf = () => '...Fields', shape, beside = '', onAnswer, onRefusal }: IssuesQuery<Shape>,
    signal: AbortSignal,
  ): Promise<Map<number, z.output<Shape>>> {
    const found = new Map<number, z.output<Shape>>()
    const usesFragment = fieldsOf(0) === '...Fields'
    const read = async (chunk: readonly number[]): Promise<void> => {
      const issues = chunk.map((number) => `i${number}: issue(number: ${number}) { ${fieldsOf(number)} }`)
      const query = {
        select: () => [...issues, beside].join(' '),
        fragments: (has: HasField) => (usesFragment ? `fragment Fields on Issue { ${fields(has)} }` : ''),
        isDivisible: chunk.length > 1,
      }
      const answer = await this.#queryParts(query, z.record(z.string(), z.unknown()), signal)
      const repository = answer.repository as Record<string, unknown>
      onAnswer?.(repository)
      for (const number of chunk) {
        const value = repository[`i${number}`]
        const parsed = value == null ? null : shape.safeParse(value)
        if (parsed?.success) found.set(number, parsed.data as z.output<Shape>)
        else if (parsed) onRefusal?.(number, createShapeError(number, parsed.error))
      }
      this.#reportParts(answer.errors, repository, onRefusal)
    }
    await queryInBatches(numbers, batchSize, read)
    return found
  }

  /** GitHub answers for what the token may read. What it leaves out is named, and does not count as absent. */
  #reportParts(
    errors: readonly PartError[],
    repository: Record<string, unknown>,
    onRefusal: IssuesQuery<unknown>['onRefusal'],
  ): void {
    for (const { path, message } of errors) {
      const number = Number(/^i(\d+)$/.exec(String(path[1]))?.[1])
      // An issue that does not exist is an error of the same path, and of another type.
      if (!Number.isInteger(number) || /^Could not resolve to/.test(message)) continue
      const reason = cleanText(message)
      if (path.length === 2 && repository[`i${number}`] == null)
        onRefusal?.(
          number,
          new TrackerError('tracker_forbidden', `GitHub does not let the token read issue ${number}: ${reason}`),
        )
      else if (path.length > 2) this.#noticeOnce(`${String(path[2])} of issue ${number}: ${reason}`)
    }
  }

  #noticeOnce(part: string): void {
    if (this.#noticed.has(part) || this.#noticed.size > MAX_NOTICES) return
    this.#noticed.add(part)
    this.notice(
      this.#noticed.size > MAX_NOTICES
        ? 'GitHub leaves out more linked issues that the token cannot read.'
        : `GitHub leaves out what the token cannot read: ${part}`,
    )
  }
}

function createShapeError(number: number, cause: z.ZodError): TrackerError {
  return new TrackerError('tracker_answer', `The answer of GitHub about issue ${number} has an unexpected shape.`, {
    cause,
  })
}
