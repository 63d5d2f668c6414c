import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './app'
import { type Encoding, encodingFor } from './content-encoding'
import { keyOfCall, type RenderedAnswers } from './rendered-answers'

/** Below this an answer fits into one packet anyway. */
const LEAST_BYTES = 1_024

const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
}

/**
 * Makes a whole answer smaller where the caller takes that and it pays; never one that comes in parts, which would be held back. No
 * answer holds a secret beside what a stranger chose, so the size of one tells nothing. What has become of an answer that lasts is kept.
 */
export function packedAndKept(rendered: RenderedAnswers): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next()
    const encoding = encodingFor(c.env.incoming.headers['accept-encoding'])
    const isPacked = encoding !== null && c.req.method !== 'HEAD' && pays(c.res)
    const packed = isPacked ? await pack(c, encoding) : null
    const { lasting, route, caller } = c.env.call
    if (lasting === null || c.req.method !== 'GET' || c.res.status !== 200) return
    const { version, headers, text } = lasting
    const sent = packed ? { headers: { ...headers, ...packed.headers }, body: packed.bytes } : { headers, body: text }
    rendered.keep(version, keyOfCall(c.env.call, c.env.incoming), { route, caller, ...sent })
  }
}

async function pack(
  c: Context<AppEnv>,
  encoding: Encoding,
): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const { status, headers } = c.res
  const plain = Buffer.from(await c.res.arrayBuffer())
  const bytes = plain.length < LEAST_BYTES ? plain : await encoders[encoding](plain)
  const changed: Record<string, string> = {
    'Content-Length': String(bytes.length),
    ...(bytes === plain ? {} : { 'Content-Encoding': encoding }),
  }
  const own = new Headers(headers)
  for (const [name, value] of Object.entries(changed)) own.set(name, value)
  // Else the router would put the headers of the answer before over those of this one.
  c.res = undefined
  c.res = new Response(bytes, { status, headers: own })
  return { bytes, headers: changed }
}

const TEXTS =
  /^(text\/(?!event-stream)|application\/(json|problem\+json|javascript|yaml|manifest\+json|linkset\+json)|image\/svg\+xml)/

function pays(answer: Response): boolean {
  const { status, headers, body } = answer
  if (status === 304 || status === 204 || body === null || headers.has('content-encoding')) return false
  const length = headers.get('content-length')
  if (length !== null && Number(length) < LEAST_BYTES) return false
  return TEXTS.test(headers.get('content-type') ?? '')
}
