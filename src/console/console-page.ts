import type { Operations, ResultOf } from '../catalog'
import type { Access, Actor, OffersCapability, OperationId } from '../kernel'
import type { Studio } from '../studio'
import type { AssetName } from './assets'
import type { Html } from './html'
import type { ToMarkdown, ToPageHtml } from './rich-text'

/** The parts of the console, in the order of its menu. */
export const sections = {
  home: { title: 'Home', path: '/console' },
  work: { title: 'Work', path: '/console/work' },
  drafts: { title: 'Drafts', path: '/console/drafts' },
  reports: { title: 'Reports', path: '/console/reports' },
  docks: { title: 'Docks', path: '/console/docks' },
  settings: { title: 'Settings', path: '/console/settings' },
} as const

export type Section = keyof typeof sections

/** A page of the console. It calls operations and writes HTML. */
export interface ConsolePage {
  section: Section
  /** What its main operation requires. A caller without that gets the sign-in form in its place. */
  access: Access
  render(request: PageRequest): Promise<PageContent>
}

/** Lists that a page shows only the beginning of. */
type ListId = 'drafts.list' | 'items.list' | 'audit.list' | 'appointments.list'

export interface PageRequest {
  params: Record<string, string>
  query: Record<string, string>
  /** Path and query of the page. */
  url: string
  now: number
  /** Runs an operation as the caller. */
  run<Id extends OperationId>(id: Id, input: Operations[Id]['input']): Promise<ResultOf<Id>>
  /** Reads the first entries of a list, and how many it has. */
  runList<Id extends ListId>(
    id: Id,
    input: Operations[Id]['input'],
    limit: number,
  ): Promise<{ entries: ResultOf<Id>; total: number }>
  toPageHtml: ToPageHtml
  toMarkdown: ToMarkdown
  service: Service
  /** The caller of an operation with that access. */
  actorFor(access: Access): Actor
  /** Whether the caller may run an operation. Forms ask this themselves; a page asks it before it shows what only leads to a form. */
  may(id: OperationId): Promise<boolean>
}

/** What pages say about the service itself. */
export interface Service {
  version: string
  /** Who is let in, as sentences. */
  accessSummary: readonly string[]
  /** Whether a tracker of the settings has the capability. */
  isOffered: OffersCapability
  /** Whether people can sign in with a link by mail. */
  sendsSignInLinks: boolean
  listTrackerSettings: Studio['listTrackerSettings']
}

export interface PageContent {
  title: string
  body: Html
  /** Seconds after which a browser reads the page again, while no one works in it. */
  refreshSeconds?: number
  /** Stylesheets beside that of all pages. */
  styles?: readonly AssetName[]
  /** For a page that fills a screen, without the menu. */
  bodyClass?: string
}
