import { loadOperation } from '../../../catalog'
import { createStreamBody, jsonLines, PING_AFTER_MS, streamHeaders } from '../../../http/answers/stream-body'
import type { ConsoleHandler } from '../../console-call'

/** All entries of the audit as a file, a JSON object a line. The filters of the page apply. */
export const exportAudit: ConsoleHandler = async (call) => {
  const { c } = call
  const given = Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''))
  const left = new AbortController()
  const events = call.stream(await loadOperation('audit.export'), given, left.signal)
  // An error before the first entry is a page with a status of its own.
  const first = await events.next()
  const body = createStreamBody({
    first,
    events,
    format: jsonLines,
    requestId: c.env.call.requestId,
    pingAfterMs: PING_AFTER_MS,
    cancel: () => left.abort(new DOMException('The caller has left.', 'AbortError')),
    done() {},
  })
  return c.body(body, 200, {
    ...streamHeaders(jsonLines),
    'Content-Disposition': 'attachment; filename="audit.ndjson"',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  })
}
