import * as z from 'zod'
import { type AtlassianTexts, loadAtlassianTexts } from '../../rich-text/atlassian-texts'
import { AsyncMemo } from '../services/async-memo'
import { type ChangeResult, readChangeResult, toFailedResult } from '../services/change-result'
import type { HttpRequest } from '../services/requests/http-client'
import { type Page, parseEntries, readPages } from '../services/requests/pages'
import type { RetryingClient } from '../services/requests/retrying-client'
import type { ContentStream, StreamPosition } from '../tracker'
import type { JiraProject } from './address'
import { listFieldErrors, REJECTED_CODE } from './response-error'

export type Deployment = 'cloud' | 'server'

const WireField = z.object({
  id: z.string(),
  name: z.string(),
  custom: z.boolean().default(false),
  schema: z
    .object({
      type: z.string().optional(),
      system: z.string().optional(),
      custom: z.string().optional(),
      items: z.string().optional(),
    })
    .optional(),
  /** The project that alone has the field. */
  scope: z.object({ project: z.object({ id: z.string().optional() }).optional() }).optional(),
})
const WireAccount = z.object({ accountId: z.string().optional(), name: z.string().optional() })
const WireServer = z.object({ deploymentType: z.string().default('Server') })
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
  /** Cloud: the entity properties to return. */
  properties?: readonly string[]
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
  readonly #account: AsyncMemo<string | null>
  /** The IDs of issues by their keys, because Data Center names epics by their keys. */
  readonly knownIds = new Map<string, number>()

  constructor(
    readonly http: RetryingClient,
    readonly project: JiraProject,
  ) {
    const { hostname } = new URL(project.site.base)
    const isHosted = hostname.endsWith('.atlassian.net') || hostname === 'api.atlassian.com'
    this.#account = new AsyncMemo(async (signal) => {
      const { accountId, name } = await this.get('/myself', {}, WireAccount, signal)
      return accountId ?? name ?? null
    })
    this.#deployment = new AsyncMemo(async (signal) => (isHosted ? 'cloud' : this.#findDeployment(signal)))
  }

  /** What identifies the account of the token: the account ID on Cloud, the name on Data Center. */
  whoAmI = (signal: AbortSignal): Promise<string | null> => this.#account.get(signal)

  /** Throws if Jira answers as to anyone, and so says of everything that it was not found. */
  async confirmCredential(signal: AbortSignal): Promise<void> {
    await this.get('/myself', {}, WireAccount, signal)
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
  listFields(signal: AbortSignal): Promise<WireField[]> {
    return this.get('/field', {}, z.array(WireField), signal)
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
    { jql, fields, properties = [], maxPages, pageSize = 100, reconcile = [], isStrict = false }: Jql,
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
            ...(properties.length > 0 ? { properties } : {}),
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

  /** Both deployments have version 2, which says which of them it is. */
  async #findDeployment(signal: AbortSignal): Promise<Deployment> {
    const server = await this.http.read({ method: 'GET', path: '/rest/api/2/serverInfo' }, WireServer, signal)
    return /^cloud$/i.test(server.deploymentType) ? 'cloud' : 'server'
  }

  /** Opens content below the address of the site or of its API. */
  async openContent(path: string, position: StreamPosition, signal: AbortSignal): Promise<ContentStream> {
    return this.http.openContent(await this.#withVersion({ method: 'GET', path }, signal), position, signal)
  }

  async #withVersion(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    if (/^\/(?:rest|secure)\//.test(request.path)) return request
    const version = (await this.deployment(signal)) === 'cloud' ? 3 : 2
    return { ...request, path: `/rest/api/${version}${request.path}` }
  }
}
