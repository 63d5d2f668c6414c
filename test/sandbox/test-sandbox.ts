import type { IncomingHttpHeaders } from 'node:http'
import { type Exchange, type RunningSandbox, type SandboxOptions, startSandbox, writeHead } from '../../src/sandbox'
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

const MAX_RECORDS = 1_000

/** Starts a sandbox in memory that records its requests and has faults. */
export async function startTestSandbox({
  faults = [],
  ...options
}: Partial<SandboxOptions> & { faults?: Faults } = {}): Promise<TestSandbox> {
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
      return answerWithFault(exchange, chooseFault({ method, path, body, nth: ++nth }) ?? {}, record)
    },
  })
  return { ...running, requests }
}

async function answerWithFault(exchange: Exchange, fault: Fault, record: RequestRecord): Promise<void> {
  const { request, incoming, response } = exchange
  // The client gets ECONNRESET.
  const reset = () => void incoming.socket.resetAndDestroy()
  if (fault.reset === 'before') return reset()
  const carriedOut = await (fault.respond ? fault.respond(exchange) : exchange.dispatch(request))
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
