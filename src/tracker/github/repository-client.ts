import * as z from 'zod'
import { GraphqlClient, type HasField as Has, queryInBatches } from '../services/requests/graphql-client'
import { createPageShape, PAGE_INFO } from '../services/requests/graphql-pages'
import { readPages } from '../services/requests/pages'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import type { SettingNames } from '../services/setting-names'
import type { RepositoryAddress } from './address'

/** Fields that older servers do not have. Without them an issue has no type, no hierarchy or no dependencies. */
type NewerField = 'issueType' | 'issueTypes' | 'parent' | 'subIssues' | 'blockedBy' | 'blocking'
export type HasField = Has<NewerField>

interface RepositoryQuery {
  /** The fields of the repository, for a server that has, or does not have, the newer fields. */
  select(has: HasField): string
  fragments?(has: HasField): string
  variables?: Record<string, unknown>
  /** The declarations of these variables: `$after: String`. */
  declarations?: string
}

interface ConnectionQuery<Shape> {
  name: string
  args: string
  fields(has: HasField): string
  shape: Shape
  /** The cursor at which it begins; null for the first page. */
  after?: string | null
}

/** Queries one repository. */
export class RepositoryClient extends GraphqlClient<NewerField> {
  constructor(
    client: RetryingClient,
    private readonly repository: RepositoryAddress,
    private readonly names: SettingNames,
  ) {
    super(client, repository.graphqlPath)
  }

  /** Reads fields of the repository. Throws `invalid` if the token cannot read it. */
  async queryRepository<Shape extends z.ZodType>(
    { select, fragments, variables, declarations }: RepositoryQuery,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    const { owner, name, api } = this.repository
    const write = () =>
      `query(${['$owner: String!, $name: String!', declarations].filter(Boolean).join(', ')}) ` +
      `{ repository(owner: $owner, name: $name) { ${select(this.has)} } } ${fragments?.(this.has) ?? ''}`
    const createRequest = () => ({ query: write(), variables: { owner, name, ...variables } })
    const found = await this.query(createRequest, z.object({ repository: shape.nullable() }), signal)
    const { repository } = found as { repository: z.output<Shape> | null }
    if (repository !== null) return repository
    throw new TrackerError('invalid', `The repository ${api.label} does not exist, or the token may not read it.`, {
      hint: `Check ${this.names.url} and ${this.names.project}, and that the token has access to the repository.`,
    })
  }

  /** Reads a connection of the repository page by page: `labels` with the arguments `first: 100`. */
  readConnection<Shape extends z.ZodType>(
    { name, args, fields, shape, after: start = null }: ConnectionQuery<Shape>,
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Shape>[], void, undefined> {
    const select = (has: HasField) =>
      `connection: ${name}(${args}, after: $after) { nodes { ${fields(has)} } ${PAGE_INFO} }`
    const pageShape = z.object({ connection: createPageShape(shape).nullable() })
    const readPage = async (after: string | null) => {
      const query = { select, declarations: '$after: String', variables: { after: after ?? start } }
      return (await this.queryRepository(query, pageShape, signal)).connection ?? { entries: [], next: null }
    }
    return readPages(readPage)
  }

  /** Reads fields of issues, in requests of at most `batchSize`. Issues that cannot be read are absent. */
  async queryIssues<Shape extends z.ZodType>(
    numbers: readonly number[],
    { batchSize, fields, shape }: { batchSize: number; fields(has: HasField): string; shape: Shape },
    signal: AbortSignal,
  ): Promise<Map<number, z.output<Shape>>> {
    const found = new Map<number, z.output<Shape>>()
    const read = async (chunk: readonly number[]): Promise<void> => {
      const query = {
        select: () => chunk.map((number) => `i${number}: issue(number: ${number}) { ...Fields }`).join(' '),
        fragments: (has: HasField) => `fragment Fields on Issue { ${fields(has)} }`,
      }
      const answer = await this.queryRepository(query, z.record(z.string(), shape.nullish()), signal)
      for (const number of chunk) {
        const value = answer[`i${number}`]
        if (value != null) found.set(number, value as z.output<Shape>)
      }
    }
    await queryInBatches(numbers, batchSize, read)
    return found
  }
}
