import type { Reply, StubRequest } from '../azure-devops/stub-server'
import { openPublishedApi } from '../published-api/published-api'
import { REST } from './rest-description'

const api = openPublishedApi(REST)

export interface FakeRest {
  files: Map<string, string>
  hooks: { id: number; url: string; [name: string]: unknown }[]
  answer(request: StubRequest): Reply
}

/** The uploads and the webhooks of a project. */
export function createFakeRest(violations: string[]): FakeRest {
  const files = new Map<string, string>()
  const hooks: FakeRest['hooks'] = []

  function answer(request: StubRequest): Reply {
    const reply = carryOut(request)
    violations.push(...api.findMismatches({ ...request, url: request.rawUrl }, reply))
    return reply
  }

  function carryOut(request: StubRequest): Reply {
    const { method, body } = request
    const rawPath = request.rawUrl.split('?')[0]!
    if (rawPath.endsWith('/uploads')) return upload(String(body))
    const [, secret, file] = /\/uploads\/([0-9a-f]{32})\/([^/]+)$/.exec(rawPath) ?? []
    if (secret) {
      const content = files.get(`${secret}/${decodeURIComponent(file!)}`)
      if (content === undefined) return { status: 404, json: { message: '404 Not found' } }
      return { text: content, headers: { 'content-type': 'application/octet-stream', etag: `"${secret}"` } }
    }
    if (method === 'GET') return { json: hooks }
    const id = Number(/\/hooks\/(\d+)$/.exec(rawPath)?.[1] ?? 0)
    const known = hooks.find((hook) => hook.id === id)
    if (known) return { json: Object.assign(known, body) }
    hooks.push({ ...body, id: hooks.length + 1 })
    return { status: 201, json: hooks.at(-1) }
  }

  function upload(form: string): Reply {
    const [, name, content] =
      /name="file"; filename="([^"]*)"\r\nContent-Type: [^\r]*\r\n\r\n([\s\S]*)\r\n--/.exec(form) ?? []
    if (name === undefined) return { status: 400, json: { error: 'file is missing' } }
    const secret = String(files.size + 1).padStart(32, '0')
    const safe = name.replace(/[^\w.-]/g, '_')
    files.set(`${secret}/${safe}`, content!)
    const url = `/uploads/${secret}/${safe}`
    const isImage = /\.(?:png|jpe?g|gif)$/i.test(safe)
    const markdown = `${isImage ? '!' : ''}[${safe.replace(/\.\w+$/, '')}](${url})`
    return { status: 201, json: { id: files.size, alt: safe, url, full_path: `/-/project/7${url}`, markdown } }
  }

  return { files, hooks, answer }
}
