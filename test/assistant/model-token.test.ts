import { describe, expect, it, onTestFinished } from 'vitest'
import { openModel } from '../../src/assistant/services/open-model'
import { createCommand, createScript, FAILING_SCRIPT } from '../credentials/printed-tokens'
import { all, apis, hello, never } from './model-server'
import { openOffice } from './office'
import { answering, type RawRequest, startRawServer } from './raw-server'
import { type StubSettings, startStubModel } from './stub-model'

const TOKEN = 'sk-very-secret-token'

async function open(api: (typeof apis)[number], settings: object, stubSettings: StubSettings = {}) {
  const stub = await startStubModel({ token: () => TOKEN, ...stubSettings })
  const model = openModel({ host: stub.url, api, model: null, ...settings })
  onTestFinished(async () => {
    await model.close()
    await stub.close()
  })
  return { stub, model }
}

describe.each(apis)('a server of the %s API that requires a token', (api) => {
  it('gets it with every request', async () => {
    const { stub, model } = await open(api, { token: TOKEN })
    expect(await model.listModels(never)).toHaveLength(1)
    await model.load(null, never)
    expect(await model.chat(hello, never)).toMatchObject({ text: 'Hello there.' })
    expect(stub.asked.length).toBeGreaterThan(3)
    expect(new Set(stub.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]))
  })

  it('gets none if none is set', async () => {
    const { stub, model } = await open(api, {}, { token: undefined })
    await model.chat(hello, never)
    expect(new Set(stub.asked.map(({ authorization }) => authorization))).toEqual(new Set([null]))
  })

  it('reports which setting is missing', async () => {
    const { model } = await open(api, {})
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_token',
      message: expect.stringMatching(/requires a token, and none is set\.$/),
      hint: expect.stringMatching(/STUDIO_LLM_TOKEN.*llm\.tokenCommand/),
    })
  })

  it('reports which setting to change if it rejects the token, and does not show the token', async () => {
    const { model } = await open(api, { token: 'wrong-token' })
    const error = await model.listModels(never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'llm_token',
      message: expect.stringContaining('does not accept the token'),
      hint: expect.stringContaining('STUDIO_LLM_TOKEN'),
    })
    expect(JSON.stringify(error)).not.toContain('wrong-token')
  })

  it('gets the token of a command, and a new one once it rejects that', async () => {
    let accepted = 'first'
    const { command, countCalls } = await createCommand(['first', 'second', 'third'])
    const { stub, model } = await open(api, { tokenCommand: command }, { token: () => accepted })
    await model.chat(hello, never)
    expect(await countCalls()).toBe(1)
    accepted = 'second'
    expect((await all(model.stream(hello, never))).at(-1)).toMatchObject({ kind: 'end' })
    expect(await countCalls()).toBe(2)
    expect(stub.asked.at(-1)!.authorization).toBe('Bearer second')
    accepted = 'none of them'
    const asked = stub.asked.length
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_token',
      hint: expect.stringContaining('llm.tokenCommand'),
    })
    expect(await countCalls()).toBe(3)
    // Each of the concurrent requests is sent at most twice.
    expect(stub.asked.length - asked).toBeLessThanOrEqual(4)
  })

  it('reports a command that fails, and does not count its time as that of the server', async () => {
    const failing = await open(api, { tokenCommand: (await createScript(FAILING_SCRIPT)).command })
    const error = await failing.model.chat(hello, never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'llm_token',
      message: expect.stringMatching(/llm\.tokenCommand.*please sign in/),
    })
    expect(JSON.stringify(error)).not.toContain('secret-output')
    expect(failing.stub.asked).toEqual([])
    const { command } = await createScript(`setTimeout(() => console.log('${TOKEN}'), 300)`)
    // On a busy machine the server alone may need longer than the limit.
    const list = async () => {
      const slow = await open(api, { tokenCommand: command, limits: { requestMs: 200 } })
      return slow.model.listModels(never)
    }
    await expect.poll(list).toHaveLength(1)
  })

  it('is left at once by a caller that leaves while the command runs', async () => {
    const { command } = await createScript('setTimeout(() => {}, 30_000)')
    const { stub, model } = await open(api, { tokenCommand: command })
    const leave = new AbortController()
    const left = model.chat(hello, leave.signal)
    leave.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    expect(stub.asked).toEqual([])
  })

  it('is refused before the token is sent if others could read it', () => {
    for (const settings of [{ token: TOKEN }, { tokenCommand: 'echo x' }]) {
      const opening = () => openModel({ host: 'http://models.example.com', api, model: null, ...settings })
      expect(opening).toThrow(/not sent to http:\/\/models\.example\.com, because it is not encrypted/)
      expect(opening).not.toThrow(/sk-very/)
    }
    expect(() => openModel({ host: 'http://models.example.com', api, model: null })).not.toThrow()
  })

  it('keeps it from another host to which it redirects', async () => {
    const asked: RawRequest[] = []
    const other = await startRawServer({}, asked)
    const away = { status: 307, headers: { location: `${other}/v1/models` } }
    const model = await answering(api, { '/api/tags': away, '/v1/models': away }, null, { token: TOKEN })
    await expect(model.listModels(never)).rejects.toMatchObject({ code: 'llm_unavailable' })
    expect(asked).toEqual([])
  })
})

describe('an error of a server with a token', () => {
  const quoting = `{"error":{"message":"${'x'.repeat(190)}${TOKEN} is not allowed","type":"${TOKEN}"}}`
  const list = { text: '{"data":[{"id":"one"}]}' }

  it.each([
    ['a 401', { status: 401, text: quoting }],
    ['a 403', { status: 403, text: quoting }],
    ['a 400', { status: 400, text: quoting }],
    ['an error of an answer', { text: `data: ${quoting}\n\n` }],
    ['a plain text', { status: 502, text: `bad token ${TOKEN}` }],
  ])('does not show the token, although the server repeats it: %s', async (_, chat) => {
    const model = await answering('openai', { '/v1/models': list, '/v1/chat/completions': chat }, null, {
      token: TOKEN,
    })
    const error = await model.chat(hello, never).catch((thrown: unknown) => thrown as Error)
    const shown = JSON.stringify(error) + String((error as Error).message)
    expect((error as { code?: string }).code).toMatch(/^llm_/)
    for (let length = TOKEN.length; length >= 8; length--) expect(shown).not.toContain(TOKEN.slice(0, length))
  })

  it('says what the token may not do', async () => {
    // docs.litellm.ai: the error of a key without access to a model
    const text =
      '{"error":{"message":"key not allowed to access model. This key can only access models=[\'small\']","type":"key_model_access_denied","param":"model","code":"403"}}'
    const paths = { '/v1/models': list, '/v1/chat/completions': { status: 403, text } }
    const model = await answering('openai', paths, null, { token: TOKEN })
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_token',
      message: expect.stringMatching(/does not allow this with the token: key not allowed to access model.*\.$/),
      hint: expect.arrayContaining([expect.stringContaining('STUDIO_LLM_TOKEN')]),
    })
  })
})

describe('the settings of a token', () => {
  it('are used by all calls, and neither their answers nor the log show it', async () => {
    const office = await openOffice({ token: () => TOKEN }, { STUDIO_LLM_TOKEN: TOKEN })
    expect(await office.run('llm.chat', { prompt: 'Hello?' })).toMatchObject({ response: 'Hello there.' })
    const wrong = await openOffice({ token: () => TOKEN }, { STUDIO_LLM_TOKEN: 'wrong-secret-token' })
    await expect(wrong.run('llm.models', {})).rejects.toMatchObject({ code: 'llm_token' })
    expect([...office.logged, ...wrong.logged].join('\n')).not.toMatch(/secret-token/)
  })

  it('name a command that prints it', async () => {
    const { command } = await createCommand([TOKEN])
    const office = await openOffice({ token: () => TOKEN }, { STUDIO_LLM_TOKEN_COMMAND: command })
    expect(await office.run('llm.models', {})).toHaveLength(1)
  })
})
