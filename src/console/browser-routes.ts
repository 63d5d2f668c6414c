import type { AppContext, AppRoute } from '../http/app-env'

/** Called for an error of a request, which may have been refused. */
export type OnRefused = (error: unknown, call: AppContext['env']['call']) => Promise<void>

/** Makes the routes of pages and forms, whose handlers `answer` runs. It counts the request for the caller that it finds. */
export function createBrowserRoutes<Handler>(answer: (c: AppContext, handler: Handler) => Promise<Response>) {
  return (
    method: AppRoute['method'],
    path: string,
    handler: Handler,
    limits: Pick<AppRoute, 'maxBodyBytes'> = {},
  ): AppRoute => ({ method, path, handler: (c) => answer(c, handler), countsRequest: true, ...limits })
}
