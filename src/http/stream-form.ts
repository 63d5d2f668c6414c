import type { AnyOperation, ErrorBody, StreamEvent } from '../kernel'

/** How the parts of an answer look on the wire. */
export interface StreamForm {
  mediaType: 'text/event-stream' | 'application/x-ndjson'
  part(event: StreamEvent): string
  error(body: ErrorBody): string
  /** Says nothing, and keeps what stands between us and the caller from taking the connection for dead. */
  ping: string
}

const eventStream: StreamForm = {
  mediaType: 'text/event-stream',
  part: ({ event, ...data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  error: (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
  ping: ':\n\n',
}

/** Lines know no comments, so here the sign of life is an event too. */
const lines: StreamForm = {
  mediaType: 'application/x-ndjson',
  part: (event) => `${JSON.stringify(event)}\n`,
  error: (body) => `${JSON.stringify({ event: 'error', ...body })}\n`,
  ping: '{"event":"ping"}\n',
}

/** The form that a caller takes best; null where it is to get the whole answer at once. */
export function streamFormFor(op: AnyOperation, accept: string | undefined): StreamForm | null {
  if (!op.stream) return null
  for (const type of acceptedTypes(accept ?? '*/*')) {
    if (type === 'text/event-stream') return eventStream
    if (type === 'application/x-ndjson' || type === 'application/ndjson') return lines
    if (type === 'application/json' || type === 'application/problem+json') return null
  }
  return op.stream.byDefault ? eventStream : null
}

/** Media types in the order of their weights (RFC 9110, 12.5.1); what has weight 0 is left out. */
function acceptedTypes(accept: string): string[] {
  return accept
    .split(',')
    .map((entry) => {
      const [type, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { type: type!, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ type }) => type)
}
