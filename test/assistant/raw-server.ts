import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Model } from '../../src/assistant/services/model'
import { type ModelSettings, openModel } from '../../src/assistant/services/open-model'
import type { Api } from './model-server'

export interface RawAnswer {
  status?: number
  headers?: Record<string, string>
  text?: string
}

export interface RawRequest {
  path: string
  authorization: string | null
  body: any
}

type Answers = Record<string, RawAnswer | ((request: RawRequest) => RawAnswer)>

/** A server that responds to each path with exactly these bytes. Every request is added to `asked`. */
export async function startRawServer(paths: Answers, asked: RawRequest[] = []): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { authorization = null } = request.headers
    const received = { path: request.url!, authorization, body: text === '' ? null : JSON.parse(text) }
    asked.push(received)
    const answer = paths[received.path] ?? { status: 404 }
    const { status = 200, headers = {}, text: sent = '' } = typeof answer === 'function' ? answer(received) : answer
    response.writeHead(status, headers).end(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A model on such a server. */
export async function answering(
  api: Api,
  paths: Answers,
  named: string | null = null,
  { asked, ...settings }: { asked?: RawRequest[] } & Partial<ModelSettings> = {},
): Promise<Model> {
  const model = openModel({ host: await startRawServer(paths, asked), api, model: named, ...settings })
  onTestFinished(() => model.close())
  return model
}
