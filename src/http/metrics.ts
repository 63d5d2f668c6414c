import { authorize } from '../kernel'
import type { AppRoute } from './app-env'
import type { Observer } from './call'
import type { Caller } from './caller'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Metrics in the Prometheus format. Labels are patterns of the API, never values that a caller chose. */
export async function openMetrics() {
  const { default: prometheus } = await import('prom-client')
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = prometheus
  const registers = [new Registry()]
  collectDefaultMetrics({ register: registers[0]! })
  const requests = new Counter({
    name: 'studio_http_requests_total',
    help: 'Requests that were answered, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'studio_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const underWay = new Gauge({ name: 'studio_http_requests_in_progress', help: 'Requests under way', registers })
  const aborted = new Counter({
    name: 'studio_http_requests_aborted_total',
    help: 'Requests whose caller left before the end of the answer',
    registers,
  })
  const observer: Observer = {
    begun: () => underWay.inc(),
    ended(call, outcome) {
      const method = METHODS.has(call.method) ? call.method : 'other'
      const route = call.route ?? 'unmatched'
      underWay.dec()
      if (outcome.aborted) aborted.inc()
      requests.inc({ method, route, status: outcome.status })
      durations.observe({ method, route }, outcome.durationMs / 1000)
    },
  }
  /** `GET /metrics`, for callers who may read. */
  const route = (caller: Pick<Caller, 'actorFor'>): AppRoute => ({
    method: 'GET',
    path: '/metrics',
    async handler(c) {
      authorize({ access: 'workspace', effect: 'read' }, caller.actorFor(c.env.call, 'workspace'))
      return c.body(await registers[0]!.metrics(), 200, { 'Content-Type': registers[0]!.contentType })
    },
  })
  return { ...observer, route }
}
