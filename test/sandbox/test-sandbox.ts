import type { IncomingHttpHeaders } from 'node:http'
import {
  type Exchange,
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
  type WireResponse,
  writeHead,
} from '../../src/sandbox'
import { type Fault, type Faults, planFaults } from './fault-presets'

/** A received request. */
export interface RequestRecord {
  method: string
  /** Path and query as they came. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Null where no answer was sent. */
  status: number | null
}

export interface TestSandbox extends RunningSandbox {
  /** The latest requests, oldest first. */
  requests: RequestRecord[]
}

export type TestSandboxOptions = Partial<SandboxOptions> & {
  faults?: Faults
  /** Sees each request with the sandbox's own answer, or null if a fault replaces or prevents it. */
  observe?: (request: Exchange['request'], answer: WireResponse | null) => void
}

const MAX_RECORDS = 1_000

/** Starts a sandbox in memory that records its requests and has faults. */
export async function startTestSandbox({
  faults = [],
  observe = () => {},
  ...options
}: TestSandboxOptions = {}): Promise<TestSandbox> {
  const requests: RequestRecord[] = []
  const chooseFault = planFaults(faults)
  let nth = 0
  const running = await startSandbox({
    file: null,
    ...options,
    answer(exchange) {
      const { method, url: path, headers, body } = exchange.request
      const record = { method, path, headers, body, status: null }
      requests.push(record)
      if (requests.length > MAX_RECORDS) requests.shift()
      return answerWithFault(exchange, chooseFault({ method, path, body, nth: ++nth }) ?? {}, record, observe)
    },
  })
  return { ...running, requests }
}

async function answerWithFault(
  exchange: Exchange,
  fault: Fault,
  record: RequestRecord,
  observe: NonNullable<TestSandboxOptions['observe']>,
): Promise<void> {
  const { request, incoming, response } = exchange
  // The client gets ECONNRESET.
  const reset = () => void incoming.socket.resetAndDestroy()
  const isOwn = fault.reset !== 'before' && !fault.respond
  if (!isOwn) observe(request, null)
  if (fault.reset === 'before') return reset()
  const carriedOut = await (fault.respond ? fault.respond(exchange) : exchange.dispatch(request))
  if (isOwn) observe(request, carriedOut)
  const answer = fault.editResponse ? fault.editResponse(carriedOut) : carriedOut
  await fault.hold?.()
  if (fault.reset === 'after') return reset()
  record.status = answer.status
  writeHead(response, { ...answer, headers: { ...answer.headers, ...fault.headers } })
  if (!fault.truncateBody) return void response.end(answer.content ?? answer.body)
  const { after, by } = fault.truncateBody
  response.flushHeaders()
  response.write((answer.content ?? Buffer.from(answer.body)).subarray(0, after), () => {
    if (by === 'cut') response.destroy()
  })
}
