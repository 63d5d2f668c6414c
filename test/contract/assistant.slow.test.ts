import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type StubModel, type StubSettings, startStubModel } from '../assistant/stub-model'
import { firstJsonLine, type Program, program } from './program'

interface Served {
  stub: StubModel
  studio: Program
  url: string
}

async function served(settings: StubSettings = {}): Promise<Served> {
  const stub = await stubbed(settings)
  const studio = await program()
  const running = studio.start(['serve', '--port', '0', '--json', '--quiet'], { STUDIO_LLM_HOST: stub.url })
  return { stub, studio, url: (await firstJsonLine(running)).url }
}

async function stubbed(settings: StubSettings = {}): Promise<StubModel> {
  const stub = await startStubModel(settings)
  onTestFinished(() => stub.close())
  return stub
}

const hello = { messages: [{ role: 'user', content: 'Hello?' }] }

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** The events of a body of server-sent events; comments are left out. */
function eventsIn(text: string): { event: string; data: any }[] {
  return text
    .split('\n\n')
    .map((block) => /^event: (\w+)\ndata: (.*)$/.exec(block))
    .filter((found) => found !== null)
    .map(([, event, data]) => ({ event: event!, data: JSON.parse(data!) }))
}

describe('the chat stream', () => {
  it('is server-sent events', async () => {
    const { url } = await served()
    const response = await post(`${url}/api/chat/stream`, hello)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(eventsIn(await response.text())).toEqual([
      { event: 'start', data: expect.objectContaining({ model: 'stub:latest' }) },
      { event: 'token', data: { text: 'Hello' } },
      { event: 'token', data: { text: ' there' } },
      { event: 'token', data: { text: '.' } },
      {
        event: 'done',
        data: expect.objectContaining({
          model: 'stub:latest',
          durationMs: expect.any(Number),
          promptTokens: 7,
          responseTokens: 3,
        }),
      },
    ])
  })

  it('is lines, or the whole answer, for those who ask for it', async () => {
    const { url } = await served()
    const lines = await (await post(`${url}/api/chat/stream`, hello, { accept: 'application/x-ndjson' })).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['start', 'token', 'token', 'token', 'done'])
    const whole = await post(`${url}/api/chat/stream`, hello, { accept: 'application/json' })
    expect(await whole.json()).toMatchObject({ response: 'Hello there.', done: true })
  })

  it('gives a token when it is there, not when the answer is whole', async () => {
    let finish: (text: null) => void = () => {}
    const last = new Promise<null>((resolve) => {
      finish = resolve
    })
    const { url } = await served({ replies: [{ pieces: (at) => (at === 0 ? 'first' : last) }] })
    const reader = (await post(`${url}/api/chat/stream`, hello)).body!.getReader()
    let text = ''
    while (!text.includes('first')) text += new TextDecoder().decode((await reader.read()).value)
    finish(null)
    for (let rest = await reader.read(); !rest.done; rest = await reader.read())
      text += new TextDecoder().decode(rest.value)
    expect(eventsIn(text).at(-1)?.event).toBe('done')
  })

  it('sends an error as an event, with the error body', async () => {
    const { url } = await served({
      replies: [{ pieces: ['a', 'b'], errorAfter: { pieces: 1, message: 'out of memory' } }],
    })
    const response = await post(`${url}/api/chat/stream`, hello)
    const events = eventsIn(await response.text())
    expect(events.map(({ event }) => event)).toEqual(['start', 'token', 'error'])
    expect(events[2]!.data).toMatchObject({
      status: 'error',
      code: 'llm_answer',
      requestId: response.headers.get('x-request-id'),
    })
  })

  it('sends a refusal of the model as an error, and no token of its server anywhere', async () => {
    const token = 'sk-very-secret-token'
    const stub = await stubbed({ token: () => token, replies: [{ refusal: ['I cannot ', 'help.'] }] })
    const studio = await program()
    const env = { STUDIO_LLM_HOST: stub.url, STUDIO_LLM_API: 'openai', STUDIO_LLM_TOKEN: token }
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet'], env))
    const events = eventsIn(await (await post(`${url}/api/chat/stream`, hello)).text())
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'llm_refused', message: 'The language model refused to answer: I cannot help.' },
    })
    const whole = await post(`${url}/api/llm/chat`, { prompt: 'Hello?' })
    expect([whole.status, await whole.json()]).toMatchObject([400, { code: 'llm_refused' }])
    const listed = await studio.run(['config', 'list', '--sources'], { env })
    expect(listed.out).toMatch(/llm\.token +set +STUDIO_LLM_TOKEN/)
    const rejected = await studio.run(['llm', 'models'], { env: { ...env, STUDIO_LLM_TOKEN: 'sk-wrong-secret-token' } })
    expect(rejected).toMatchObject({ exitCode: 4, err: expect.stringContaining('STUDIO_LLM_TOKEN') })
    expect([listed.out, rejected.out, rejected.err].join()).not.toContain('secret-token')
  })

  it('rejects a call before the stream, with a status', async () => {
    const { url, stub } = await served()
    expect((await post(`${url}/api/chat/stream`, {})).status).toBe(400)
    expect((await post(`${url}/api/chat/stream`, { ...hello, storyId: 9 })).status).toBe(404)
    expect((await post(`${url}/api/chat/stream`, { ...hello, model: 'absent' })).status).toBe(404)
    await stub.close()
    const response = await post(`${url}/api/chat/stream`, hello)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'llm_unavailable', hint: expect.stringContaining(stub.url) })
  })

  it('ends the work of the model when the client leaves, before the first token and after it', async () => {
    const { url, stub } = await served({
      replies: [{ loading: new Promise(() => {}) }, { pieces: ['a'], silentAfter: 1 }],
    })
    for (const chat of [0, 1]) {
      const call = request(`${url}/api/chat/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      })
      call.on('error', () => {})
      call.end(JSON.stringify(hello))
      await stub.chatsAsked(chat + 1)
      call.destroy()
      await stub.cancelled(chat)
    }
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  })

  it('stays in order for many who read slowly', async () => {
    const count = 300
    const { url } = await served({ replies: [{ pieces: (at) => (at < count ? `${at} ${'x'.repeat(200)}` : null) }] })
    const texts = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const reader = (await post(`${url}/api/chat/stream`, hello)).body!.getReader()
        let text = ''
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
          text += new TextDecoder().decode(chunk.value)
          await new Promise((resolve) => setImmediate(resolve))
        }
        return text
      }),
    )
    for (const text of texts) {
      const tokens = eventsIn(text).filter(({ event }) => event === 'token')
      expect(
        tokens.map(({ data }) => Number.parseInt(data.text, 10)),
        text.slice(0, 1000),
      ).toEqual(Array.from({ length: count }, (_, i) => i))
    }
  })
})

describe('the other calls', () => {
  it('answer over HTTP what the commands print', async () => {
    const { url, studio, stub } = await served()
    const env = { STUDIO_LLM_HOST: stub.url }
    const get = async (path: string) => (await fetch(url + path)).json()
    expect(await get('/api/llm/models')).toEqual(await studio.json(['llm', 'models'], { env }))
    expect(await get('/api/prompts')).toEqual(await studio.json(['prompt', 'list']))
    expect(await get('/api/prompts/story')).toEqual(await studio.json(['prompt', 'get', 'story']))
    const { durationMs: _, ...answer } = (await (await post(`${url}/api/llm/chat`, { prompt: 'Hello?' })).json()) as any
    expect(answer).toEqual({
      model: 'stub:latest',
      response: 'Hello there.',
      done: true,
      promptTokens: 7,
      responseTokens: 3,
      notice: null,
    })
    expect(await studio.json(['llm', 'chat', 'Hello?'], { env })).toMatchObject(answer)
  })

  it('outlast the usual limit of a call, and are described with their parts', async () => {
    const { url } = await served()
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as any
    expect(Object.keys(paths['/api/chat/stream'].post.responses['200'].content)).toEqual(
      expect.arrayContaining(['application/json', 'text/event-stream', 'application/x-ndjson']),
    )
    expect(paths['/api/llm/chat'].post.responses).toHaveProperty('503')
  })
})

describe('on the command line', () => {
  it('an answer is text in a pipe, without what a terminal would obey', async () => {
    const stub = await stubbed({ replies: [{ pieces: ['a\u001b[2Jb', '\u202ec'] }] })
    const studio = await program()
    const { exitCode, out } = await studio.run(['llm', 'chat', '-'], {
      input: 'Hello?\n',
      env: { STUDIO_LLM_HOST: stub.url },
    })
    expect([exitCode, out]).toEqual([0, 'a[2Jb\ufffdc\n'])
    expect(stub.chats()[0].messages[1].content).toBe('Hello?\n')
  })

  it('a model that fails on the way is exit 7, after what it said', async () => {
    const stub = await stubbed({ replies: [{ pieces: ['half', 'x'], cutAfter: 1 }] })
    const studio = await program()
    const { exitCode, out, err } = await studio.run(['llm', 'chat', 'Hello?'], { env: { STUDIO_LLM_HOST: stub.url } })
    expect([exitCode, out]).toEqual([7, 'half\n'])
    expect(err).toMatch(/error: .*was cut off/)
  })

  it('a draft is refined: shown, saved, taken back', async () => {
    const summary = JSON.stringify({ summary: 'Drivers learn their door at the gate.' })
    const stub = await stubbed({ replies: [{ pieces: [summary] }] })
    const studio = await program()
    const env = { STUDIO_LLM_HOST: stub.url }
    await studio.json(['draft', 'save', '--title', 'Door', '--description', 'Long.'])
    const shown = await studio.run(['draft', 'refine', '1', '--prompt', 'summary'], { env })
    expect(shown).toMatchObject({ exitCode: 0, err: expect.stringContaining('--apply') })
    expect(shown.out).toContain('+ Drivers learn their door at the gate.')
    expect((await studio.json(['draft', 'get', '1'])).description).toBe('Long.')
    await studio.run(['draft', 'refine', '1', '--prompt', 'summary', '--yes'], { env })
    expect((await studio.json(['draft', 'get', '1'])).description).toBe(
      'Long.\n\n## Summary\n\nDrivers learn their door at the gate.',
    )
    await studio.run(['draft', 'undo', '1'])
    expect((await studio.json(['draft', 'get', '1'])).description).toBe('Long.')
    expect(await studio.json(['draft', 'refine', '1', '--prompt', 'summary', '--apply'], { env })).toMatchObject({
      applied: true,
    })
  })

  it('a conversation comes from a pipe, and as lines of JSON', async () => {
    const stub = await stubbed()
    const studio = await program()
    const env = { STUDIO_LLM_HOST: stub.url }
    const { exitCode, out } = await studio.run(['chat'], { input: 'One?\nTwo?\n', env })
    expect([exitCode, out]).toEqual([0, 'Hello there.\nHello there.\n'])
    expect(
      stub
        .chats()[1]
        .messages.slice(1)
        .map(({ content }: any) => content),
    ).toEqual(['One?', 'Hello there.', 'Two?'])
    const json = await studio.run(['chat', '--json'], { input: 'One?\n', env })
    expect(
      json.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['start', 'token', 'token', 'token', 'done'])
  })

  it('settings that cannot be are refused by name', async () => {
    const studio = await program()
    for (const [name, value] of [
      ['STUDIO_LLM_HOST', 'localhost:11434'],
      ['STUDIO_LLM_API', 'telnet'],
    ] as const) {
      const { exitCode, err } = await studio.run(['llm', 'models'], { env: { [name]: value } })
      expect([exitCode, err]).toEqual([2, expect.stringContaining(name)])
    }
  })
})
