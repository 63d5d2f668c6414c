import { type AnyOperation, authorize } from '../../kernel'
import { memoizeAsync } from '../../kernel/work/memoize-async'
import { SharedBody } from '../answers/shared-body'
import type { AppContext, AppRoute } from '../app-env'
import type { AppOptions } from '../app-options'
import { DOCS_POLICY, docsAssets } from './docs-assets'
import { documentList, type ListedDocument } from './document-list'
import type { ServiceFacts } from './service-facts'

/** Every caller may read the documents, so each is rendered once per base URL. Beyond this number the rendered ones are dropped. */
const MAX_BODIES = 100

const encoder = new TextEncoder()

/** The routes of the documents in which the service describes itself. */
export function discoveryRoutes(load: () => Promise<readonly AnyOperation[]>, options: AppOptions): AppRoute[] {
  const loadOnce = memoizeAsync(load)
  const write = async ({ path }: ListedDocument, variant: Pick<ServiceFacts, 'baseUrl' | 'isOpen'>) => {
    const { readPrepared } = await import('./prepared-documents')
    const prepared = await readPrepared(path, variant)
    if (prepared !== null) return prepared
    const { version, studio } = options
    const { writeDocument } = await import('./write-document')
    return writeDocument(path, studio.settings, { ...variant, version, operations: await loadOnce() })
  }
  const bodies = new Map<string, () => Promise<SharedBody>>()
  const bodyOf = (c: AppContext, document: ListedDocument) => {
    const access = document.guarded ? 'workspace' : 'public'
    const actor = options.caller.actorFor(c.env.call, access)
    authorize({ access, effect: 'read' }, actor)
    const variant = { baseUrl: new URL(c.req.url).origin, isOpen: actor.kind === 'local' }
    const key = [document.path, variant.isOpen, variant.baseUrl].join(' ')
    if (bodies.size >= MAX_BODIES) bodies.clear()
    const body =
      bodies.get(key) ?? memoizeAsync(async () => new SharedBody(encoder.encode(await write(document, variant))))
    bodies.set(key, body)
    return body()
  }
  const documents = documentList.map((document): AppRoute => {
    const headers = headersOf(document)
    return route(document.path, async (c) => (await bodyOf(c, document)).answer(c, headers))
  })
  const assets = Object.entries(docsAssets).map(([name, { mediaType, load }]) => {
    const read = memoizeAsync(async () => new SharedBody(toBytes(await load())))
    const headers = { 'Content-Type': `${mediaType}; charset=utf-8` }
    return route(`/docs/${name}`, async (c) => (await read()).answer(c, headers))
  })
  return [...documents, ...assets]
}

function toBytes(content: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? encoder.encode(content) : content
}

function route(path: string, handler: AppRoute['handler']): AppRoute {
  return { method: 'GET', path, handler }
}

function headersOf({ path, mediaType }: ListedDocument): Record<string, string> {
  return {
    'Content-Type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    Link: '</.well-known/api-catalog>; rel="api-catalog"',
    ...(path === '/docs' ? { 'Content-Security-Policy': DOCS_POLICY, 'Referrer-Policy': 'no-referrer' } : {}),
  }
}
