import type { Settings } from '../../config'
import type { AnyOperation } from '../../kernel'
import type { Json } from '../../kernel/input/json-schema'
import { sampleSite } from '../../tracker/sample-site'

/** The content of the documents of discovery. Nothing in it is a secret, an item or a draft. */
export interface ServiceFacts {
  /** `http://127.0.0.1:4317`, without a slash at its end. */
  baseUrl: string
  version: string
  /** Those that have a route. */
  operations: readonly AnyOperation[]
  openApi(): Json
  /** Of the tracker, or of the sandbox if none is set. */
  organization: string | null
  project: string | null
  user: string | null
  /** Without credentials; the model is null if the first installed one is used. */
  llm: { host: string; model: string | null }
  /** True if the caller needs no credential for the story API. */
  isOpen: boolean
}

export function factsOf(
  settings: Settings,
  service: Pick<ServiceFacts, 'baseUrl' | 'version' | 'operations' | 'openApi' | 'isOpen'>,
): ServiceFacts {
  const { url, project } = settings.tracker
  return {
    ...service,
    organization: url === null ? sampleSite.organization : organizationOf(url),
    project: url === null ? sampleSite.project : project,
    user: settings.user,
    llm: { host: withoutCredentials(settings.llm.host), model: settings.llm.model },
  }
}

/** The last part of the path of the tracker's URL; the host if the path is empty. */
function organizationOf(url: string): string {
  const { pathname, hostname } = new URL(url)
  return decodeURIComponent(pathname.split('/').filter(Boolean).at(-1) ?? hostname)
}

function withoutCredentials(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
