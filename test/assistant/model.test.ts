import { describe, expect, it } from 'vitest'
import { openModel } from '../../src/assistant/services/open-model'
import { suggest } from '../../src/kernel'
import { all, apis, hello, never, served } from './model-server'
import { withResolvers } from './stub-model'

describe.each(apis)('a model that speaks the %s API', (api) => {
  it('lists the installed models', async () => {
    const { model } = await served(api, { models: [{ name: 'one:latest' }, { name: 'two:7b' }] })
    const installed = await model.listModels(never)
    expect(installed.map(({ name }) => name)).toEqual(['one:latest', 'two:7b'])
    expect(installed[0]!.modifiedAt).toMatch(/^2026-01-0\dT.*\.\d{3}Z$/)
  })

  it('answers with the numbers of tokens', async () => {
    const { model } = await served(api, {
      replies: [{ pieces: ['Good ', 'day', '!'], promptTokens: 11, responseTokens: 4 }],
    })
    expect(await model.chat(hello, never)).toMatchObject({
      model: 'stub:latest',
      text: 'Good day!',
      complete: true,
      promptTokens: 11,
      responseTokens: 4,
      notice: null,
    })
  })

  it('streams the answer in order between a start and an end', async () => {
    const pieces = Array.from({ length: 500 }, (_, i) => `${i} `)
    const { model } = await served(api, { replies: [{ pieces }] })
    const parts = await all(model.stream(hello, never))
    expect(parts[0]).toMatchObject({ kind: 'start', model: 'stub:latest' })
    expect(parts.slice(1, -1)).toEqual(pieces.map((text) => ({ kind: 'text', text })))
    expect(parts.at(-1)).toMatchObject({ kind: 'end', complete: true })
  })

  it('yields a part before the model writes the next one', async () => {
    const second = withResolvers<string>()
    const { model } = await served(api, {
      replies: [{ pieces: (at) => (at === 0 ? 'first' : at === 1 ? second.promise : null) }],
    })
    const parts = model.stream(hello, never)[Symbol.asyncIterator]()
    await parts.next()
    expect(await parts.next()).toMatchObject({ value: { kind: 'text', text: 'first' } })
    second.resolve('second')
    expect(await parts.next()).toMatchObject({ value: { kind: 'text', text: 'second' } })
  })

  it('omits thinking, in a separate field or between marks', async () => {
    const { model } = await served(api, {
      replies: [
        { thinking: ['Let me see', '…'], pieces: ['Yes.'] },
        { pieces: ['<th', 'ink>hm', 'm</thi', 'nk>\n\nYes', ' <think>'] },
      ],
    })
    expect((await model.chat(hello, never)).text).toBe('Yes.')
    expect((await model.chat(hello, never)).text).toBe('Yes <think>')
  })

  it('removes control characters from the answer', async () => {
    const { model } = await served(api, { replies: [{ pieces: ['a\u001b[2Jb\u0000\r\n', '\u009b31mc\td'] }] })
    expect((await model.chat(hello, never)).text).toBe('a[2Jb\n31mc\td')
  })

  it('reports an incomplete answer', async () => {
    const { model } = await served(api, { replies: [{ pieces: ['Once upon'], reason: 'length' }] })
    expect(await model.chat(hello, never)).toMatchObject({ text: 'Once upon', complete: false })
  })

  it('waits for a slow load, and fails if it takes too long', async () => {
    const load = withResolvers<void>()
    const { model, stub } = await served(api, { replies: [{ loading: load.promise, pieces: ['Here.'] }] })
    const answer = model.chat(hello, never)
    await stub.chatsAsked(1)
    load.resolve()
    expect((await answer).text).toBe('Here.')

    const slow = await served(
      api,
      { replies: [{ loading: withResolvers<void>().promise }] },
      { limits: { loadMs: 30 } },
    )
    // On a busy machine the limit may be over before the request arrives.
    while (slow.stub.chats().length === 0)
      await expect(slow.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_timeout' })
    await slow.stub.cancelled(0)
  })

  it('fails if the model stops sending', async () => {
    const { model, stub } = await served(
      api,
      { replies: [{ pieces: ['So'], silentAfter: 1 }] },
      { limits: { idleMs: 30 } },
    )
    await expect(model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_timeout' })
    await stub.cancelled(0)
  })

  it('fails if an answer lasts too long or becomes too long', async () => {
    const drip = (at: number) => new Promise<string>((resolve) => setTimeout(() => resolve(`${at} `), 5))
    const dripping = await served(api, { replies: [{ pieces: drip }] }, { limits: { answerMs: 60 } })
    await expect(dripping.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_timeout' })
    const growing = await served(
      api,
      { replies: [{ pieces: () => 'x'.repeat(1000) }] },
      { limits: { answerCharacters: 50_000 } },
    )
    await expect(growing.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_answer' })
    await growing.stub.cancelled(0)
  })

  it('limits what it reads, also if it is not part of the answer', async () => {
    const limits = { wireBytes: 100_000, lineCharacters: 20_000 }
    const thinking = await served(api, { replies: [{ thinking: Array(200).fill('y'.repeat(1000)) }] }, { limits })
    await expect(thinking.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_answer' })
    const oneLine = await served(api, { replies: [{ pieces: ['z'.repeat(50_000)] }] }, { limits })
    await expect(oneLine.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_answer' })
  })

  it.each([
    [
      'an error in the middle of the answer',
      { pieces: ['a', 'b'], errorAfter: { pieces: 1, message: 'out of memory' } },
      /out of memory/,
    ],
    ['a cut connection', { pieces: ['a', 'b'], cutAfter: 1 }, /was cut off/],
    ['an answer without an end', { pieces: ['a', 'b'], endAfter: 1 }, /was cut off/],
    ['a line that is not JSON', { pieces: ['a', 'b'], malformedAfter: 1 }, /is not valid/],
    ['a failure', { status: { code: 500, message: 'runner crashed' } }, /runner crashed/],
  ])('reports %s', async (_, reply, message) => {
    const { model } = await served(api, { replies: [reply] })
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_answer',
      message: expect.stringMatching(message),
    })
  })

  it('is unavailable when its queue is full, with a time for the next attempt', async () => {
    const { model } = await served(api, { replies: [{ status: { code: 503, message: 'server busy' } }] })
    await expect(model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_unavailable', retryAfterSeconds: 5 })
  })

  it('rejects a prompt that cannot fit, and reports a prompt that the server rejects', async () => {
    const { model, stub } = await served(api, { contextLength: 4096 })
    const long = { messages: [{ role: 'user', content: 'word '.repeat(10_000) }] } as const
    await expect(model.chat(long, never)).rejects.toMatchObject({ code: 'prompt_too_long' })
    expect(stub.chats()).toEqual([])

    const message = 'request (9412 tokens) exceeds the available context size (8192 tokens)'
    const strict = await served(api, {
      replies: [{ status: { code: 400, message, type: 'exceed_context_size_error' } }],
    })
    await expect(strict.model.chat(hello, never)).rejects.toMatchObject({ code: 'prompt_too_long' })
  })

  it('ends the work of the server when the caller aborts', async () => {
    const { model, stub } = await served(api, {
      replies: [{ pieces: ['a'], silentAfter: 1 }, { loading: withResolvers<void>().promise }],
    })
    const leave = new AbortController()
    const parts = model.stream(hello, leave.signal)[Symbol.asyncIterator]()
    await parts.next()
    await parts.next()
    const last = parts.next()
    leave.abort()
    await expect(last).rejects.toMatchObject({ name: 'AbortError' })
    await stub.cancelled(0)

    const leaveEarly = new AbortController()
    const answer = model.chat(hello, leaveEarly.signal)
    await stub.chatsAsked(2)
    leaveEarly.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    await stub.cancelled(1)
  })

  it('ends the work of the server when the consumer stops reading', async () => {
    const { model, stub } = await served(api, { replies: [{ pieces: () => 'more ' }] })
    for await (const part of model.stream(hello, never)) if (part.kind === 'text') break
    await stub.cancelled(0)
  })

  it('reports a missing model and suggests the list of models', async () => {
    const { model } = await served(api)
    await expect(model.chat({ ...hello, model: 'absent' }, never)).rejects.toMatchObject({
      code: 'llm_model_missing',
      message: expect.stringContaining('absent'),
      hint: expect.arrayContaining([suggest('llm.models')]),
    })
    const empty = await served(api, { models: [] })
    await expect(empty.model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_model_missing' })
  })

  it('skips embedding models by default', async () => {
    const models = [{ name: 'nomic-embed-text:latest', family: 'nomic-bert' }, { name: 'talker:latest' }]
    const { model, stub } = await served(api, { models })
    expect((await model.chat(hello, never)).model).toBe('talker:latest')
    expect((await model.chat({ ...hello, model: 'talker:latest' }, never)).model).toBe('talker:latest')
    expect(stub.chats().map((body) => body.model)).toEqual(['talker:latest', 'talker:latest'])
  })

  it('reports the address and how to start a server if the connection is refused', async () => {
    const { stub } = await served(api)
    await stub.close()
    const model = openModel({ host: stub.url, api, model: null })
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_unavailable',
      hint: expect.stringMatching(new RegExp(`${stub.url}.*${api === 'ollama' ? 'ollama serve' : 'llama-server'}`)),
    })
    await model.close()
  })

  it('suggests another API if the path is not found', async () => {
    const { stub } = await served(api)
    const model = openModel({ host: `${stub.url}/nowhere`, api, model: null })
    await expect(model.listModels(never)).rejects.toMatchObject({
      code: 'llm_unavailable',
      hint: expect.stringContaining('STUDIO_LLM_API'),
    })
    await model.close()
  })

  it('loads a model before the first chat', async () => {
    const { model, stub } = await served(api)
    expect(await model.load(null, never)).toMatchObject({ model: 'stub:latest' })
    expect(stub.asked.at(-1)!.path).toMatch(/chat/)
  })
})

describe('a model that accepts a context length', () => {
  it('requests a length that holds the prompt, limited by the context of the model', async () => {
    const { model, stub } = await served('ollama', { contextLength: 40_000 })
    await model.load(null, never)
    await model.chat(hello, never)
    await model.chat({ messages: [{ role: 'user', content: 'word '.repeat(8_000) }] }, never)
    await model.chat({ messages: [{ role: 'user', content: 'word '.repeat(30_000) }] }, never)
    const asked = stub.asked.filter(({ path }) => path === '/api/chat').map(({ body }) => body.options.num_ctx)
    expect(asked).toEqual([8192, 8192, 16_384, 40_000])
    expect(stub.chats().every((body) => body.truncate === false)).toBe(true)
  })

  it('reports that an older server truncated the prompt', async () => {
    const { model } = await served('ollama', {
      contextLength: 4096,
      replies: [{ pieces: ['Hm.'], promptTokens: 4096 }],
    })
    const answer = await model.chat({ messages: [{ role: 'user', content: 'word '.repeat(3_500) }] }, never)
    expect(answer.notice).toContain('4096 tokens')
  })

  it('works although the server reports neither loaded models nor their context', async () => {
    const { model } = await served('ollama', { hasDetails: false })
    expect((await model.listModels(never))[0]!.loaded).toBeNull()
    expect((await model.chat(hello, never)).text).toBe('Hello there.')
  })

  it('sends the schema of the answer to the server', async () => {
    const form = { type: 'object', properties: { a: { type: 'string' } } }
    const { model, stub } = await served('ollama')
    await model.chat({ ...hello, schema: form }, never)
    expect(stub.chats()[0].format).toEqual(form)
    const other = await served('openai')
    await other.model.chat({ ...hello, schema: form }, never)
    expect(other.stub.chats()[0].response_format).toMatchObject({ type: 'json_schema', json_schema: { schema: form } })
  })
})

describe('the address of a model', () => {
  it('may end with the version of the API', async () => {
    const { stub } = await served('openai')
    const model = openModel({ host: `${stub.url}/v1/`, api: 'openai', model: null })
    expect(await model.listModels(never)).toHaveLength(1)
    await model.close()
  })

  it('must not contain a password, and errors do not show it', () => {
    const open = () => openModel({ host: 'http://me:hunter2@127.0.0.1:1', api: 'ollama', model: null })
    expect(open).toThrow(/must not contain/)
    expect(open).not.toThrow(/hunter2/)
  })
})
