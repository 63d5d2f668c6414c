import { decodePart, equalsIgnoringCase } from '../../kernel/text/text'
import type { Store } from '../state/store'
import type { TrackerModel } from '../state/tracker-model'
import {
  createBadRequestError,
  createErrorResponse,
  createResponse,
  WireError,
  type WireRequest,
  type WireResponse,
} from '../wire/response'
import { checkCredential, checkHostAndOrigin, checkVersion } from './access-checks'
import { type EndpointCall, QueryParameters } from './endpoint'
import { findRoute } from './router'

export interface Site {
  store: Store
  /** `http://127.0.0.1:PORT`. */
  origin: string
  /** The origin for browsers. */
  webOrigin: string
  organization: string
  token: string | null
  clock(): number
}

export async function dispatch(request: WireRequest, site: Site): Promise<WireResponse> {
  const { method, headers, body, bytes = Buffer.from(body) } = request
  try {
    checkHostAndOrigin(headers)
    checkCredential(headers.authorization, site.token)
    const url = parseUrl(request.url, site)
    const path = stripOrganization(url.pathname, site.organization)
    const query = new QueryParameters(url.searchParams)
    if (path.toLowerCase().includes('_apis/')) checkVersion(method, query, headers.accept)

    const { run, isWrite, params, inProject } = findRoute(method, path, await site.store.read())
    const runOn = (model: TrackerModel) => {
      const call: EndpointCall = {
        model,
        base: `${site.origin}/${site.organization}`,
        web: `${site.webOrigin}/${site.organization}`,
        inProject,
        params,
        query,
        contentType: headers['content-type'] ?? '',
        contentRange: headers['content-range'] ?? null,
        body,
        bytes,
        now: site.clock(),
        runInner: (inner) => runBatchPart(inner, call, site),
      }
      return run(call)
    }
    return createResponse(isWrite ? await site.store.change(runOn) : runOn(await site.store.read()))
  } catch (error) {
    return createErrorResponse(error)
  }
}

function parseUrl(uri: string, { origin }: Site): URL {
  if (URL.canParse(uri, origin)) return new URL(uri, origin)
  throw createBadRequestError(`The address '${uri}' is not valid.`)
}

/** `/organization/Harbor/_apis/…` without its first part. */
function stripOrganization(path: string, organization: string): string {
  const [, first = '', ...rest] = path.split('/')
  if (first === '' || equalsIgnoringCase(decodePart(first), organization)) return rest.join('/')
  throw new WireError(404, 'OrganizationNotFoundException', `The organization ${first} does not exist here.`)
}

/** Runs one request of a batch, which must be a write of a single item. */
function runBatchPart({ method, url: uri, headers, body }: WireRequest, call: EndpointCall, site: Site): WireResponse {
  try {
    const url = parseUrl(uri, site)
    const prefix = `/${site.organization}/`.toLowerCase()
    const path = url.pathname.toLowerCase().startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname
    const { run, isWrite, parts, params, inProject } = findRoute(method, path, call.model)
    if (!isWrite || parts.includes('$batch')) {
      throw createBadRequestError(`The request ${method} ${uri} is not supported in a batch.`)
    }
    const query = new QueryParameters(url.searchParams)
    return createResponse(run({ ...call, params, inProject, query, contentType: headers['content-type'] ?? '', body }))
  } catch (error) {
    return createErrorResponse(error)
  }
}
