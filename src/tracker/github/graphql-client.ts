import * as z from 'zod'
import { StudioError } from '../../kernel'
import { chunksOf } from '../../kernel/chunks'
import { readInHalves } from '../services/read-in-halves'
import type { RetryingClient } from '../services/retrying-client'
import { ResponseTooLargeError, TrackerError } from '../services/tracker-error'
import type { RepositoryAddress } from './address'
import { TOO_LARGE_CODE, UNKNOWN_FIELDS_CODE } from './response-error'

/** Fields that older servers do not have. Without them an issue has no type, no hierarchy or no dependencies. */
type NewerField = 'issueType' | 'issueTypes' | 'parent' | 'subIssues' | 'blockedBy' | 'blocking'
export type HasField = (name: NewerField) => boolean

interface Query {
  /** The fields of the repository, for a server that has, or does not have, the newer fields. */
  select(has: HasField): string
  fragments?(has: HasField): string
  variables?: Record<string, unknown>
  /** The declarations of these variables: `$after: String`. */
  declarations?: string
}

/** Sends queries for one repository, and mutations. */
export class GraphqlClient {
  readonly #missingFields = new Set<string>()

  constructor(
    private readonly client: RetryingClient,
    private readonly repository: RepositoryAddress,
  ) {}

  get limits() {
    return this.client.limits
  }

  has: HasField = (name) => !this.#missingFields.has(name)

  /** Reads fields of the repository. Throws `invalid` if the token cannot read it. */
  async queryRepository<Shape extends z.ZodType>(
    { select, fragments, variables, declarations }: Query,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    const { owner, name, api } = this.repository
    const write = () =>
      `query(${['$owner: String!, $name: String!', declarations].filter(Boolean).join(', ')}) ` +
      `{ repository(owner: $owner, name: $name) { ${select(this.has)} } } ${fragments?.(this.has) ?? ''}`
    const found = await this.#read(
      () => ({ query: write(), variables: { owner, name, ...variables } }),
      z.object({ repository: shape.nullable() }),
      signal,
    )
    const { repository } = found as { repository: z.output<Shape> | null }
    if (repository !== null) return repository
    throw new StudioError('invalid', `The repository ${api.label} does not exist, or the token may not read it.`, {
      hint: 'Check STUDIO_TRACKER_URL and STUDIO_TRACKER_PROJECT, and that the token has access to the repository.',
    })
  }

  query<Shape extends z.ZodType>(
    query: string,
    variables: Record<string, unknown>,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    return this.#read(() => ({ query, variables }), shape, signal)
  }

  /**
   * Sends a change once, or again if GitHub refused to process it: because of a rate limit, or because its response would have fields
   * that the server does not know.
   */
  async mutate(write: (has: HasField) => string, variables: Record<string, unknown>, signal: AbortSignal) {
    for (;;) {
      const query = write(this.has)
      const sent = await this.client.write(this.#request({ query, variables }), signal)
      if (!this.#recordsMissingFields(sent.error) || write(this.has) === query) return sent
    }
  }

  /**
   * Reads one field of the repository for each number, in requests of at most `batchSize`. Requests the two halves if GitHub
   * cannot answer for all of them at once.
   */
  async queryEach<Shape extends z.ZodType>(
    numbers: readonly number[],
    { batchSize, fields, shape }: { batchSize: number; fields(has: HasField): string; shape: Shape },
    signal: AbortSignal,
  ): Promise<Map<number, z.output<Shape>>> {
    const found = new Map<number, z.output<Shape>>()
    const read = async (chunk: readonly number[]): Promise<void> => {
      const answer = await this.queryRepository(
        {
          select: () => chunk.map((number) => `i${number}: issue(number: ${number}) { ...Fields }`).join(' '),
          fragments: (has) => `fragment Fields on Issue { ${fields(has)} }`,
        },
        z.record(z.string(), shape.nullish()),
        signal,
      )
      for (const number of chunk) {
        const value = answer[`i${number}`]
        if (value != null) found.set(number, value as z.output<Shape>)
      }
    }
    for (const chunk of chunksOf(numbers.filter(isPossibleNumber), batchSize))
      await readInHalves(chunk, read, isTooLarge)
    return found
  }

  /** Repeats the request without the fields that the server does not know. */
  async #read<Shape extends z.ZodType>(
    createBody: () => { query: string; variables: Record<string, unknown> },
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    for (;;) {
      const body = createBody()
      try {
        const found = await this.client.read(this.#request(body), z.object({ data: shape }), signal)
        return (found as { data: z.output<Shape> }).data
      } catch (error) {
        // A concurrent request may have found the same fields missing, so what counts is whether this request would be another one now.
        if (!this.#recordsMissingFields(error) || createBody().query === body.query) throw error
      }
    }
  }

  /** Whether the error is that the server does not know fields, which are then left out of all requests. */
  #recordsMissingFields(error: unknown): boolean {
    if (!(error instanceof TrackerError) || !error.trackerCode.startsWith(UNKNOWN_FIELDS_CODE)) return false
    for (const name of error.trackerCode.slice(UNKNOWN_FIELDS_CODE.length).split(',')) this.#missingFields.add(name)
    return true
  }

  #request(body: { query: string; variables: Record<string, unknown> }) {
    return { method: 'POST', path: this.repository.graphqlPath, body } as const
  }
}

/** Numbers are 32-bit integers in GraphQL. */
function isPossibleNumber(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < 2 ** 31
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ResponseTooLargeError || (error instanceof TrackerError && error.trackerCode === TOO_LARGE_CODE)
  )
}
