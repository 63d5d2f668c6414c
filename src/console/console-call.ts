import type { Session } from '../access'
import type { AppContext } from '../http/app-env'
import type { AppOptions } from '../http/app-options'
import type { AnyOperation, ListPage, StreamEvent } from '../kernel'
import type { Page } from './layout'
import type { ToMarkdown, ToPageHtml } from './rich-text'

/** A request of a browser, and how to answer it. */
export interface ConsoleCall {
  c: AppContext
  options: AppOptions
  /** The session of its cookie. */
  session: Session | null
  /** The form that the request sends, once it is read. */
  form?: SentForm
  /** Runs an operation as the caller. */
  run(op: AnyOperation, input: unknown): Promise<unknown>
  /** Reads the first entries of a list. */
  runList(op: AnyOperation, input: unknown, limit: number): Promise<Pick<ListPage, 'entries' | 'total'>>
  /** Runs an operation whose answer comes in parts. It ends when `left` is aborted. */
  stream(op: AnyOperation, input: unknown, left: AbortSignal): AsyncGenerator<StreamEvent, void>
  toPageHtml: ToPageHtml
  toMarkdown: ToMarkdown
  page(page: Omit<Page, 'signedInAs' | 'tenantChoice' | 'actingMember'>, status?: number): Promise<Response>
}

/** A form as a browser has sent it. */
export interface SentForm {
  op: AnyOperation
  fields: Record<string, unknown>
  /** The path that it was sent to. */
  action: string
}

export type ConsoleHandler = (call: ConsoleCall) => Response | Promise<Response>

/** Scripts send JSON and are answered in JSON. */
export function isFromScript({ c }: Pick<ConsoleCall, 'c'>): boolean {
  return /^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')
}

/** Path and query of the request. */
export function addressOf({ c }: Pick<ConsoleCall, 'c'>): string {
  const { pathname, search } = new URL(c.req.url)
  return `${pathname}${search}`
}
