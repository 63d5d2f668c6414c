import * as z from 'zod'
import { type AtlassianTexts, loadAtlassianTexts } from '../../rich-text/atlassian-texts'
import { AsyncMemo } from '../services/async-memo'
import { type ChangeResult, readChangeResult, toFailedResult } from '../services/change-result'
import type { HttpRequest } from '../services/requests/http-client'
import { type Page, parseEntries, readPages } from '../services/requests/pages'
import type { RetryingClient } from '../services/requests/retrying-client'
import { TrackerError } from '../services/requests/tracker-error'
import type { JiraProject } from './address'
import { listFieldErrors, REJECTED_CODE } from './response-error'

export type Deployment = 'cloud' | 'server'

const WireField = z.object({
  id: z.string(),
  name: z.string(),
  custom: z.boolean().default(false),
  schema: z
    .object({ type: z.string().optional(), custom: z.string().optional(), items: z.string().optional() })
    .optional(),
})
export type WireField = z.output<typeof WireField>

const IssueList = z.object({
  issues: z.array(z.unknown()).default([]),
  nextPageToken: z.string().nullish(),
  total: z.int().optional(),
  startAt: z.int().optional(),
})

const MAX_KNOWN_IDS = 50_000

interface Jql {
  jql: string
  fields: readonly string[]
  /** At most so many pages. */
  maxPages?: number
  pageSize?: number
  /** Cloud: issues whose newest version is searched, because the index is behind. */
  reconcile?: readonly number[]
  /** Data Center: whether the query is rejected if an issue or a field does not exist. Cloud always rejects it. */
  isStrict?: boolean
}

/** Sends requests to the REST API of the version that the site has. */
export class JiraClient {
  readonly #deployment: AsyncMemo<Deployment>
  /** The fields that came with finding out the deployment, until they are used. */
  #firstFields: WireField[] | null = null
  /** The IDs of issues by their keys, because Data Center names epics by their keys. */
  readonly knownIds = new Map<string, number>()

  constructor(
    readonly http: RetryingClient,
    readonly project: JiraProject,
  ) {
    const { hostname } = new URL(project.site.base)
    const isHosted = hostname.endsWith('.atlassian.net') || hostname === 'api.atlassian.com'
    this.#deployment = new AsyncMemo(async (signal) => (isHosted ? 'cloud' : this.#findDeployment(signal)))
  }

  rememberIds(issues: readonly { id: string; key: string }[]): void {
    if (this.knownIds.size > MAX_KNOWN_IDS) this.knownIds.clear()
    for (const { id, key } of issues) this.knownIds.set(key, Number(id))
  }

  get limits() {
    return this.http.limits
  }

  deployment = (signal: AbortSignal): Promise<Deployment> => this.#deployment.get(signal)

  async loadTexts(signal: AbortSignal): Promise<AtlassianTexts> {
    return loadAtlassianTexts((await this.deployment(signal)) === 'cloud' ? 'document' : 'wiki')
  }

  /** The fields of all projects of the site. */
  async listFields(signal: AbortSignal): Promise<WireField[]> {
    const deployment = await this.deployment(signal)
    const fields = this.#firstFields ?? (await this.#readFields(deployment === 'cloud' ? 3 : 2, signal))
    this.#firstFields = null
    return fields
  }

  get<Shape extends z.ZodType>(path: string, query: HttpRequest['query'], shape: Shape, signal: AbortSignal) {
    return this.read({ method: 'GET', path, query }, shape, signal)
  }

  async read<Shape extends z.ZodType>(request: HttpRequest, shape: Shape, signal: AbortSignal) {
    return this.http.read(await this.#withVersion(request, signal), shape, signal)
  }

  /** Sends a change, and returns the JSON of its response, which may be empty. A rejection is for the values of this change alone. */
  async change(request: HttpRequest, signal: AbortSignal): Promise<ChangeResult<unknown>> {
    const sending = this.http.write(await this.#withVersion(request, signal), signal)
    return readChangeResult(sending, (response, error) => {
      if (error?.trackerCode === REJECTED_CODE)
        return { kind: 'rejected', message: error.message, fields: listFieldErrors(response.json) }
      if (error?.code === 'not_found') return { kind: 'rejected', message: error.message, code: 'not_found' }
      const isConfirmed = error === null || (response.status < 300 && response.text === '')
      return isConfirmed ? { kind: 'done', data: response.json } : toFailedResult(error)
    })
  }

  /** Finds issues with JQL, page by page, in the way of the deployment. */
  async *search<Shape extends z.ZodType>(
    { jql, fields, maxPages, pageSize = 100, reconcile = [], isStrict = false }: Jql,
    shape: Shape,
    signal: AbortSignal,
  ): AsyncGenerator<z.output<Shape>[], void, undefined> {
    const isCloud = (await this.deployment(signal)) === 'cloud'
    const readPage = async (cursor: string | null): Promise<Page<z.output<Shape>>> => {
      const body = isCloud
        ? {
            jql,
            fields,
            maxResults: pageSize,
            ...(cursor === null ? {} : { nextPageToken: cursor }),
            ...(reconcile.length > 0 ? { reconcileIssues: reconcile.slice(0, 50) } : {}),
          }
        : { jql, fields, maxResults: pageSize, startAt: Number(cursor ?? 0), validateQuery: isStrict }
      const path = isCloud ? '/search/jql' : '/search'
      const found = await this.read({ method: 'POST', path, body }, IssueList, signal)
      const entries = parseEntries(found.issues, shape)
      const end = (found.startAt ?? 0) + entries.length
      const hasMore = entries.length > 0 && end < (found.total ?? 0)
      return { entries, next: isCloud ? (found.nextPageToken ?? null) : hasMore ? String(end) : null }
    }
    yield* readPages(readPage, maxPages)
  }

  /** Only Cloud has version 3. The request is for something that reading issues needs anyway. */
  async #findDeployment(signal: AbortSignal): Promise<Deployment> {
    try {
      this.#firstFields = await this.#readFields(3, signal)
      return 'cloud'
    } catch (error) {
      if (error instanceof TrackerError && error.code === 'not_found') return 'server'
      throw error
    }
  }

  #readFields(version: number, signal: AbortSignal): Promise<WireField[]> {
    return this.http.read({ method: 'GET', path: `/rest/api/${version}/field` }, z.array(WireField), signal)
  }

  async #withVersion(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    if (request.path.startsWith('/rest/')) return request
    const version = (await this.deployment(signal)) === 'cloud' ? 3 : 2
    return { ...request, path: `/rest/api/${version}${request.path}` }
  }
}
