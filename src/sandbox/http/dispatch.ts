import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from '../state/store'
import type { World } from '../state/world'
import { type Answer, refusalAnswer } from '../wire/answer'
import { badRequest, Refusal } from '../wire/refusal'
import type { Call, InnerRequest } from './call'
import { checkCaller, checkCredential, checkVersion } from './gate'
import { Query } from './query-parameters'
import { decoded, type Router } from './router'

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
  /** Where people find it. */
  webOrigin: string
  organization: string
  boundTo: string
  token: string | null
  clock(): number
}

/** The true answer to a request: no fault is in it yet. */
export async function dispatch(request: WireRequest, site: Site, atomicBulk: boolean): Promise<Answer> {
  try {
    checkCaller(request.headers, site.boundTo)
    checkCredential(request.headers.authorization, site.token)
    const url = addressOf(request.url, site)
    const path = belowOrganization(url.pathname, site.organization)
    const query = new Query(url.searchParams)
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
      atomicBulk,
    }
    const run = (world: World) =>
      route.endpoint.run({ ...call, world, inner: (inner) => runInner(inner, { ...call, world }, site) })
    return route.endpoint.changes ? await site.store.change(run) : run(await site.store.read())
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error)
    throw error
  }
}

function addressOf(uri: string, { origin }: Site): URL {
  if (URL.canParse(uri, origin)) return new URL(uri, origin)
  throw badRequest(`The address '${uri}' is not valid.`)
}

/** `/organization/Harbor/_apis/…` without its first part. */
function belowOrganization(path: string, organization: string): string {
  const [, first = '', ...rest] = path.split('/')
  if (first === '' || decoded(first).toLowerCase() === organization.toLowerCase()) return rest.join('/')
  throw new Refusal(404, 'OrganizationNotFoundException', `The organization ${first} does not exist here.`)
}

/** One request of a bulk: only changes of single items may stand in one. */
function runInner(inner: InnerRequest, call: Omit<Call, 'inner'>, site: Site): Answer {
  try {
    const url = addressOf(inner.uri, site)
    const prefix = `/${site.organization}/`.toLowerCase()
    const path = url.pathname.toLowerCase().startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname
    const { endpoint, params, inProject } = site.router.find(inner.method, path, call.world)
    if (!endpoint.changes || endpoint.path.endsWith('$batch')) {
      throw badRequest(`The request ${inner.method} ${inner.uri} is not supported in a batch.`)
    }
    const { contentType, body } = inner
    const refuse = () => {
      throw badRequest('A batch cannot stand in a batch.')
    }
    return endpoint.run({
      ...call,
      params,
      inProject,
      contentType,
      body,
      query: new Query(url.searchParams),
      inner: refuse,
    })
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error)
    throw error
  }
}
