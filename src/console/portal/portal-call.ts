import type { PortalSession } from '../../access'
import type { Operations, ResultOf } from '../../catalog'
import type { AppContext } from '../../http/app-env'
import type { AppOptions } from '../../http/app-options'
import type { AnyOperation, OperationId } from '../../kernel'
import type { SentForm } from '../console-call'
import type { PageContent } from '../console-page'

/** A request of a browser to the portal, and how to answer it. */
export interface PortalCall {
  c: AppContext
  options: AppOptions
  /** The session of its cookie. */
  session: PortalSession | null
  /** The form that the request sends, once it is read. */
  form?: SentForm
  /** Runs an operation as the carrier. */
  run(op: AnyOperation, input: unknown): Promise<unknown>
  page(page: PageContent, status?: number): Promise<Response>
}

export type PortalHandler = (call: PortalCall) => Response | Promise<Response>

/** A page for a carrier that is signed in. It calls operations and writes HTML. */
export type PortalPage = (request: PortalRequest) => Promise<PageContent>

export interface PortalRequest {
  params: Record<string, string>
  query: Record<string, string>
  carrier: string
  /** The address that was invited; null if there is none. */
  email: string | null
  now: number
  run<Id extends OperationId>(id: Id, input: Operations[Id]['input']): Promise<ResultOf<Id>>
}

export function portalFacilityPath(id: string, page = ''): string {
  return `/portal/facilities/${id}${page}`
}

export function portalAppointmentPath(id: string): string {
  return `/portal/appointments/${id}`
}
