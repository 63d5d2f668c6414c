import { describe, expect, it } from 'vitest'
import { hello, never } from './model-server'
import { answering } from './raw-server'

const tags = { text: '{"models":[{"name":"one:latest"}]}' }
const lines = (...texts: string[]) => ({ '/api/tags': tags, '/api/chat': { text: texts.join('\n') } })
const list = { text: '{"data":[{"id":"one"}]}' }
const events = (text: string) => ({ '/v1/models': list, '/v1/chat/completions': { text } })

describe('a server of the ollama API', () => {
  it('has no models if the list is null', async () => {
    const model = await answering('ollama', { '/api/tags': { text: '{"models":null}' } })
    expect(await model.listModels(never)).toEqual([])
    await expect(model.chat(hello, never)).rejects.toMatchObject({ code: 'llm_model_missing' })
  })

  it('lists a model without the fields that have an unexpected type', async () => {
    const text =
      '{"models":[{"name":"one","size":"2 GB","modified_at":7,"details":{"family":["a"],"parameter_size":"3B"}}]}'
    const model = await answering('ollama', { '/api/tags': { text } })
    expect(await model.listModels(never)).toMatchObject([
      { name: 'one', sizeBytes: null, modifiedAt: null, parameterSize: '3B', canAnswer: true },
    ])
  })

  it('may report an error as an object', async () => {
    const model = await answering(
      'ollama',
      lines('{"message":{"content":"So"},"done":false}', '{"error":{"message":"out of memory","code":500}}'),
    )
    await expect(model.chat(hello, never)).rejects.toMatchObject({
      code: 'llm_answer',
      message: expect.stringContaining('out of memory'),
    })
  })

  it('may split a character between two lines', async () => {
    const model = await answering(
      'ollama',
      lines(
        '{"message":{"content":"a\\ud83d"},"done":false}',
        '{"message":{"content":"\\ude00b"},"done":false}',
        '{"done":true}',
      ),
    )
    const texts: string[] = []
    for await (const part of model.stream(hello, never)) if (part.kind === 'text') texts.push(part.text)
    expect(texts).toEqual(['a', '😀b'])
  })
})

describe('a server of the openai API', () => {
  it.each([
    '{"id":"one","created":1e20}',
    '{"id":"one","created":"2026-01-02","max_model_len":0,"meta":"none"}',
    '{"id":"one","max_context_length":-1,"meta":{"size":"large","n_params":null}}',
  ])('lists a model although some fields have an unexpected type: %s', async (entry) => {
    const model = await answering('openai', { '/v1/models': { text: `{"data":[${entry}]}` } })
    expect(await model.listModels(never)).toMatchObject([{ name: 'one', modifiedAt: null, contextTokens: null }])
  })

  describe.each([
    ['is empty', { text: '{"object":"list","data":[]}' }],
    ['is null', { text: '{"data":null}' }],
    ['is not served', { status: 404, text: '{"error":{"message":"Not Found"}}' }],
    ['is not allowed', { status: 405 }],
  ])('whose list of models %s', (_how, models) => {
    const paths = {
      '/v1/models': models,
      '/v1/chat/completions': { text: 'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n' },
    }

    it('is asked for the model of the call', async () => {
      const model = await answering('openai', paths)
      const asked = model.chat({ ...hello, model: 'served-anyway' }, never)
      expect(await asked).toMatchObject({ model: 'served-anyway', text: 'Yes.' })
      expect(await model.load('served-anyway', never)).toMatchObject({ model: 'served-anyway' })
    })

    it('is asked for the model of the settings, which is listed as the only one', async () => {
      const model = await answering('openai', paths, 'served-anyway')
      expect(await model.chat(hello, never)).toMatchObject({ model: 'served-anyway', text: 'Yes.' })
      expect(await model.listModels(never)).toMatchObject([{ name: 'served-anyway', canAnswer: true }])
    })

    it('is rejected if no model is configured', async () => {
      const model = await answering('openai', paths)
      await expect(model.chat(hello, never)).rejects.toMatchObject({
        code: expect.stringMatching(/^llm_(model_missing|unavailable)$/),
        hint: expect.stringMatching(/./),
      })
    })
  })

  it('may end without a reason', async () => {
    const model = await answering(
      'openai',
      events('data: {"choices":[{"delta":{"content":"Yes."}}]}\n\ndata: [DONE]\n\n'),
    )
    expect(await model.chat(hello, never)).toMatchObject({ text: 'Yes.', complete: true })
  })

  it('may send a complete answer instead of events', async () => {
    const model = await answering(
      'openai',
      events('{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}'),
    )
    expect(await model.chat(hello, never)).toMatchObject({ text: 'Yes.', complete: true, responseTokens: 2 })
  })

  it('may report an error with status 200, also when it loads a model', async () => {
    const model = await answering('openai', events('{"error":{"message":"no memory left"}}'))
    const refusal = { code: 'llm_answer', message: expect.stringContaining('no memory left') }
    await expect(model.chat(hello, never)).rejects.toMatchObject(refusal)
    await expect(model.load(null, never)).rejects.toMatchObject(refusal)
  })
})

describe('a server of either API', () => {
  it.each(['ollama', 'openai'] as const)('is not followed if it redirects: %s', async (api) => {
    const away = { status: 302, headers: { location: 'http://127.0.0.1:1/' } }
    const model = await answering(api, { '/api/tags': away, '/v1/models': away })
    await expect(model.listModels(never)).rejects.toMatchObject({
      code: 'llm_unavailable',
      message: expect.stringContaining('302'),
      hint: expect.stringContaining('STUDIO_LLM_HOST'),
    })
  })
})
