import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import type { WebhookTable } from '../../../src/docks/events/migrations'
import { addWebhook } from '../../../src/docks/events/operations/add-webhook'
import type { FailedAttempt, WebhookSender } from '../../../src/docks/events/services/send-webhook'
import { type DockOffice, load, NO_MAIL, NOW, officeWith } from '../dock-fixtures'

interface Received {
  headers: IncomingHttpHeaders
  body: any
  text: string
}

/** A receiver on this machine that answers with the status that `answer` returns. */
export async function startReceiver(answer: () => number = () => 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const status = answer()
    if (status === 200) {
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
      received.push({ headers: request.headers, body, text })
    }
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** The row of a webhook that gets all events. */
export function newWebhook(row: Pick<WebhookTable, 'id' | 'tenant_id'>): WebhookTable {
  return {
    ...row,
    url: 'https://acme.example/',
    secret: '',
    previous_secret: null,
    previous_secret_until: null,
    facility_id: null,
    carrier: null,
    event_kinds: null,
    body_template: null,
    authorization: null,
    created_at: NOW,
    stopped_at: null,
    stop_reason: null,
  }
}

/** The office with what the operations of webhooks need, and a webhook at `url`. */
export async function officeWithWebhook(url: string, more: object = {}) {
  const office = await officeWith({ minMinutes: 15, slotMinutes: 15 })
  const ctx = { ...office.ctx, webhooks: { allowedNetworks: ['127.0.0.1'] }, findPublicUrl: () => null, mail: NO_MAIL }
  const webhook = await office.run(addWebhook as any, { url, ...more }, ctx)
  return { office, ctx, webhook: webhook as { id: string; secret: string } }
}

/** A sender that keeps what it accepts. `answer` returns null to accept an event, or why it refuses it, which can take a while. */
export function createSender(
  answer: (eventId: number, url: string) => null | FailedAttempt | Promise<null | FailedAttempt> = () => null,
) {
  const accepted: any[] = []
  const sender: WebhookSender = {
    async send({ url }, { body }) {
      const { data } = JSON.parse(body)
      const failure = await answer(data.eventId, url)
      if (failure === null) accepted.push(data)
      return failure
    },
    close() {},
  }
  return { sender, accepted }
}

export const REFUSED: FailedAttempt = { error: 'refused', isGone: false }

export const book = async (office: DockOffice, more = {}) =>
  (await office.run(bookAppointment, load({ durationMinutes: 15, ...more }))).data

/** A promise that the test resolves. */
export function createDeferred<Value>() {
  let resolve!: (value: Value) => void
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
