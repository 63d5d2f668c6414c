import type { Context } from 'hono'
import { type AnyOperation, authorize } from '../../kernel'
import type { AppEnv, AppRoute } from '../app-env'
import type { AppOptions } from '../app-options'
import { openApiDocument } from '../openapi'
import { DOCS_POLICY, docsAssets } from './docs-page'
import { type DiscoveryDocument, discoveryDocuments } from './documents'
import { factsOf, type ServiceFacts } from './service-facts'

/** Every caller may read the documents, so each is rendered once per base URL. Beyond this number the rendered texts are dropped. */
const MAX_TEXTS = 100

const encoder = new TextEncoder()

/** The routes of the documents in which the service describes itself. */
export function discoveryRoutes(load: () => Promise<readonly AnyOperation[]>, options: AppOptions): AppRoute[] {
  const described = once(async () => {
    const operations = await load()
    return { operations, openApi: once(() => openApiDocument(operations, options.version)) }
  })
  const factsFor = async (c: Context<AppEnv>, { guarded }: DiscoveryDocument): Promise<ServiceFacts> => {
    const access = guarded ? 'workspace' : 'public'
    const actor = options.caller.actorFor(c.env.call, access)
    authorize({ access, effect: 'read' }, actor)
    const { operations, openApi } = await described()
    return factsOf(options.studio.settings, {
      baseUrl: new URL(c.req.url).origin,
      version: options.version,
      operations,
      openApi,
      isOpen: actor.kind === 'local',
    })
  }
  // As bytes, which all callers share.
  const texts = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const textOf = (document: DiscoveryDocument, facts: ServiceFacts) => {
    const key = [document.path, facts.isOpen, facts.baseUrl].join(' ')
    if (texts.size >= MAX_TEXTS) texts.clear()
    const text = texts.get(key) ?? Promise.resolve(document.write(facts)).then((written) => encoder.encode(written))
    texts.set(key, text)
    return text
  }
  const documents = discoveryDocuments.map((document): AppRoute => {
    const headers = headersOf(document)
    return route(document.path, async (c) => c.body(await textOf(document, await factsFor(c, document)), 200, headers))
  })
  const assets = Object.entries(docsAssets).map(([name, { mediaType, load }]) => {
    const read = once(load)
    const headers = { 'Content-Type': `${mediaType}; charset=utf-8` }
    return route(`/docs/${name}`, async (c) => c.body(await read(), 200, headers))
  })
  return [...documents, ...assets]
}

function route(path: string, handler: AppRoute['handler']): AppRoute {
  return { method: 'GET', path, handler }
}

function headersOf({ path, mediaType }: DiscoveryDocument): Record<string, string> {
  return {
    'Content-Type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    Link: '</.well-known/api-catalog>; rel="api-catalog"',
    ...(path === '/docs' ? { 'Content-Security-Policy': DOCS_POLICY, 'Referrer-Policy': 'no-referrer' } : {}),
  }
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => {
    made ??= make()
    return made
  }
}
