import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from '../state/store'
import type { TrackerModel } from '../state/tracker-model'
import { createBadRequestError, createErrorResponse, WireError, type WireResponse } from '../wire/response'
import { checkCredential, checkHostAndOrigin, checkVersion } from './access-checks'
import type { EndpointCall, InnerRequest } from './endpoint'
import { QueryParameters } from './endpoint'
import { decodePathPart, type Router } from './router'

export interface WireRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Site {
  store: Store
  router: Router
  /** `http://127.0.0.1:PORT`. */
  origin: string
  /** The origin for browsers. */
  webOrigin: string
  organization: string
  boundTo: string
  token: string | null
  clock(): number
}

/** Answers a request without any simulated error. */
export async function dispatch(request: WireRequest, site: Site, isBatchAtomic: boolean): Promise<WireResponse> {
  try {
    checkHostAndOrigin(request.headers, site.boundTo)
    checkCredential(request.headers.authorization, site.token)
    const url = parseUrl(request.url, site)
    const path = stripOrganization(url.pathname, site.organization)
    const query = new QueryParameters(url.searchParams)
    if (path.toLowerCase().includes('_apis/')) checkVersion(request.method, query, request.headers.accept)

    const route = site.router.find(request.method, path, await site.store.read())
    const call = {
      base: `${site.origin}/${site.organization}`,
      web: `${site.webOrigin}/${site.organization}`,
      inProject: route.inProject,
      params: route.params,
      query,
      contentType: request.headers['content-type'] ?? '',
      body: request.body,
      now: site.clock(),
      isBatchAtomic,
    }
    const run = (model: TrackerModel) =>
      route.endpoint.run({ ...call, model, runInner: (inner) => runBatchPart(inner, { ...call, model }, site) })
    return route.endpoint.isWrite ? await site.store.change(run) : run(await site.store.read())
  } catch (error) {
    if (error instanceof WireError) return createErrorResponse(error)
    throw error
  }
}

function parseUrl(uri: string, { origin }: Site): URL {
  if (URL.canParse(uri, origin)) return new URL(uri, origin)
  throw createBadRequestError(`The address '${uri}' is not valid.`)
}

/** `/organization/Harbor/_apis/…` without its first part. */
function stripOrganization(path: string, organization: string): string {
  const [, first = '', ...rest] = path.split('/')
  if (first === '' || decodePathPart(first).toLowerCase() === organization.toLowerCase()) return rest.join('/')
  throw new WireError(404, 'OrganizationNotFoundException', `The organization ${first} does not exist here.`)
}

/** Runs one request of a batch, which must be a write of a single item. */
function runBatchPart(inner: InnerRequest, call: Omit<EndpointCall, 'runInner'>, site: Site): WireResponse {
  try {
    const url = parseUrl(inner.uri, site)
    const prefix = `/${site.organization}/`.toLowerCase()
    const path = url.pathname.toLowerCase().startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname
    const { endpoint, params, inProject } = site.router.find(inner.method, path, call.model)
    if (!endpoint.isWrite || endpoint.path.endsWith('$batch')) {
      throw createBadRequestError(`The request ${inner.method} ${inner.uri} is not supported in a batch.`)
    }
    const { contentType, body } = inner
    const rejectBatch = () => {
      throw createBadRequestError('A batch cannot contain a batch.')
    }
    return endpoint.run({
      ...call,
      params,
      inProject,
      contentType,
      body,
      query: new QueryParameters(url.searchParams),
      runInner: rejectBatch,
    })
  } catch (error) {
    if (error instanceof WireError) return createErrorResponse(error)
    throw error
  }
}
