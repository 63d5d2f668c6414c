import * as z from 'zod'
import { AsyncMemo } from '../services/async-memo'
import { type ChangeResult, readChangeResult, toFailedResult } from '../services/change-result'
import type { HttpRequest } from '../services/http-client'
import { type Page, readPages } from '../services/pages'
import type { RetryingClient } from '../services/retrying-client'
import { TrackerError } from '../services/tracker-error'
import type { JiraProject } from './address'
import { REJECTED_CODE } from './response-error'

export type Deployment = 'cloud' | 'server'

const ServerInfo = z.object({ deploymentType: z.string().optional() })

const IssueList = z.object({
  issues: z.array(z.unknown()).default([]),
  nextPageToken: z.string().nullish(),
  total: z.int().optional(),
  startAt: z.int().optional(),
})

const Changed = z.object({ id: z.string().optional() })

interface Jql {
  jql: string
  fields: readonly string[]
  /** At most so many pages. */
  maxPages?: number
  pageSize?: number
  /** Cloud: issues whose newest version is searched, because the index is behind. */
  reconcile?: readonly number[]
}

/** Sends requests to the REST API of the version that the site has. */
export class JiraClient {
  readonly #deployment: AsyncMemo<Deployment>

  constructor(
    readonly http: RetryingClient,
    readonly project: JiraProject,
  ) {
    const isHosted = new URL(project.site.base).hostname.endsWith('.atlassian.net')
    this.#deployment = new AsyncMemo(async (signal) => {
      if (isHosted) return 'cloud'
      const info = await this.#readServerInfo(signal)
      return info.deploymentType?.toLowerCase() === 'cloud' ? 'cloud' : 'server'
    })
  }

  get limits() {
    return this.http.limits
  }

  deployment(signal: AbortSignal): Promise<Deployment> {
    return this.#deployment.get(signal)
  }

  async read<Shape extends z.ZodType>(request: HttpRequest, shape: Shape, signal: AbortSignal) {
    return this.http.read(await this.#withVersion(request, signal), shape, signal)
  }

  /** Sends a change. A rejection is for the values of this change alone. */
  async change(request: HttpRequest, signal: AbortSignal): Promise<ChangeResult<{ id: string | null; json: unknown }>> {
    const sending = this.http.write(await this.#withVersion(request, signal), signal)
    return readChangeResult(sending, (response, error) => {
      if (error?.trackerCode === REJECTED_CODE || error?.code === 'not_found')
        return { kind: 'rejected', message: error.message }
      if (error !== null) return toFailedResult(error)
      return {
        kind: 'done',
        data: { id: Changed.safeParse(response.json).data?.id ?? null, json: response.json },
      }
    })
  }

  /** Finds issues with JQL, page by page, in the way of the deployment. */
  async *search<Shape extends z.ZodType>(
    { jql, fields, maxPages, pageSize = 100, reconcile = [] }: Jql,
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
        : { jql, fields, maxResults: pageSize, startAt: Number(cursor ?? 0), validateQuery: 'warn' }
      const path = isCloud ? '/search/jql' : '/search'
      const found = await this.read({ method: 'POST', path, body }, IssueList, signal)
      const entries = z.array(shape).parse(found.issues)
      const end = (found.startAt ?? 0) + entries.length
      const hasMore = entries.length > 0 && end < (found.total ?? 0)
      return { entries, next: isCloud ? (found.nextPageToken ?? null) : hasMore ? String(end) : null }
    }
    yield* readPages(readPage, maxPages)
  }

  /** Data Center has no version 3. */
  async #readServerInfo(signal: AbortSignal): Promise<z.output<typeof ServerInfo>> {
    const read = (version: number) =>
      this.http.read({ method: 'GET', path: `/rest/api/${version}/serverInfo` }, ServerInfo, signal)
    return read(2).catch((error: unknown) => {
      if (error instanceof TrackerError && error.code === 'not_found') return read(3)
      throw error
    })
  }

  async #withVersion(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    if (request.path.startsWith('/rest/')) return request
    const version = (await this.deployment(signal)) === 'cloud' ? 3 : 2
    return { ...request, path: `/rest/api/${version}${request.path}` }
  }
}
