import { describe, expect, it } from 'vitest'
import { collect, openOffice } from '../office'
import { withResolvers } from '../stub-model'

describe('asking the model a question', () => {
  it('returns the answer with its metadata', async () => {
    const office = await openOffice()
    expect(await office.run('llm.chat', { prompt: 'Hello?' })).toEqual({
      model: 'stub:latest',
      response: 'Hello there.',
      done: true,
      durationMs: expect.any(Number),
      promptTokens: 7,
      responseTokens: 3,
      notice: null,
    })
  })

  it('sends the prompt with the instructions of studio or of the caller', async () => {
    const office = await openOffice()
    await office.run('llm.chat', { prompt: 'Hello?' })
    await office.run('llm.chat', { prompt: 'Hello?', systemPrompt: 'Answer in Latin.', model: 'stub' })
    const [usual, own] = office.stub.chats()
    expect(usual.messages).toEqual([
      { role: 'system', content: expect.stringContaining('product people') },
      { role: 'user', content: 'Hello?' },
    ])
    expect(own).toMatchObject({
      model: 'stub:latest',
      messages: [{ content: 'Answer in Latin.' }, { content: 'Hello?' }],
    })
  })

  it('sends the text of a work item between marks, without people and secrets', async () => {
    const office = await openOffice()
    await office.run('items.get', { id: 204 })
    await office.run('llm.chat', { prompt: 'What is missing?', itemId: 204 })
    const [{ messages }] = office.stub.chats()
    const word = /<data-([0-9A-Za-z]{24}) /.exec(messages[0].content)![1]
    expect(messages[1].content).toMatch(
      new RegExp(
        `^<data-${word} name="story">\n[^]*Driver is told the dock door by text message[^]*\n</data-${word}>\n\nWhat is missing\\?$`,
      ),
    )
    expect(messages[1].content).toContain('[secret removed]')
  })

  it.each([
    ['only thinking beside it', { thinking: ['Hm.'], pieces: [] }, /only its thinking, and no answer\.$/],
    ['only thinking in it', { pieces: ['<think>Hm.</think>\n'] }, /only its thinking, and no answer\.$/],
    ['only thinking without an opening mark', { pieces: ['Hm.\n</think>\n'] }, /only its thinking, and no answer\.$/],
    [
      'only thinking up to a limit',
      { pieces: ['<think>Hm.'], reason: 'length', promptTokens: 400 },
      /only its thinking.*limit of 3 tokens/,
    ],
    ['nothing', { pieces: [] }, /returned an empty answer\.$/],
  ] as const)('is an error if the answer has %s', async (_, reply, message) => {
    const office = await openOffice({ replies: [reply] })
    const error = { code: 'llm_answer', message: expect.stringMatching(message) }
    await expect(office.run('llm.chat', { prompt: 'Hello?' })).rejects.toMatchObject(error)
  })

  it('is an error with the text of the refusal if the model refuses, also in a stream', async () => {
    const office = await openOffice({ replies: [{ refusal: ['REFUSED-', 'BECAUSE'] }] }, { STUDIO_LLM_API: 'openai' })
    const error = { code: 'llm_refused', message: 'The language model refused to answer: REFUSED-BECAUSE' }
    await expect(office.run('llm.chat', { prompt: 'Hello?' })).rejects.toMatchObject(error)
    await expect(collect(office.stream('llm.chat', { prompt: 'Hello?' }))).rejects.toMatchObject(error)
    expect(office.logged.join('\n')).not.toContain('REFUSED-BECAUSE')
  })

  it('omits thinking that has only a closing mark', async () => {
    const office = await openOffice({ replies: [{ pieces: ['They want', ' this.\n</thi', 'nk>\n\nYes.'] }] })
    expect(await office.run('llm.chat', { prompt: 'Hello?' })).toMatchObject({ response: 'Yes.' })
  })

  it('generates a new boundary for each prompt', async () => {
    const office = await openOffice()
    const { id } = await office.run('drafts.save', { title: 'T' })
    for (let i = 0; i < 3; i++) await office.run('llm.chat', { prompt: 'x', storyId: id })
    const words = office.stub.chats().map(({ messages }) => /data-(\w{24})/.exec(messages[0].content)![1])
    expect(new Set(words).size).toBe(3)
  })

  it.each([
    [{ prompt: '' }, 'invalid'],
    [{ prompt: 'a\u0000b' }, 'invalid'],
    [{ prompt: 'x', storyId: 99 }, 'not_found'],
    [{ prompt: 'x', itemId: 99 }, 'not_found'],
    [{ prompt: 'x', itemId: 1, storyId: 1 }, 'invalid'],
    [{ prompt: 'x', model: 'absent' }, 'llm_model_missing'],
    [{ prompt: 'x', temperature: 2 }, 'invalid'],
  ])('rejects %j: %s', async (input, code) => {
    const office = await openOffice()
    await expect(office.run('llm.chat', input)).rejects.toMatchObject({ code })
    expect(office.stub.chats()).toEqual([])
  })
})

describe('a conversation', () => {
  it('is streamed as start, tokens and done', async () => {
    const office = await openOffice()
    const events = await collect(office.stream('chat.stream', { messages: [{ role: 'user', content: 'Hello?' }] }))
    expect(events).toEqual([
      { event: 'start', model: 'stub:latest', loaded: true, contextTokens: 8192 },
      { event: 'token', text: 'Hello' },
      { event: 'token', text: ' there' },
      { event: 'token', text: '.' },
      {
        event: 'done',
        model: 'stub:latest',
        durationMs: expect.any(Number),
        promptTokens: 7,
        responseTokens: 3,
        complete: true,
        notice: null,
      },
    ])
  })

  it('reports that the model must be loaded first', async () => {
    const office = await openOffice({ models: [{ name: 'warm' }, { name: 'cold' }] })
    const [start] = await collect(
      office.stream('chat.stream', { model: 'cold', messages: [{ role: 'user', content: 'x' }] }),
    )
    expect(start).toMatchObject({ event: 'start', model: 'cold', loaded: false })
    expect(office.progress.map(({ label }) => label)).toContain('loading cold')
  })

  it('begins with a template and the story', async () => {
    const office = await openOffice()
    const { id } = await office.run('drafts.save', { title: 'Tell the door', description: 'By text message.' })
    await collect(
      office.stream('chat.stream', { promptId: 'summary', storyId: id, variables: { audience: 'the board' } }),
    )
    const [{ messages }] = office.stub.chats()
    expect(messages.map(({ role }: any) => role)).toEqual(['system', 'user'])
    expect(messages[1].content).toContain('Summarize this story for the board')
    expect(messages[1].content).toContain('By text message.')
  })

  it.each([
    [{}, /messages/],
    [{ messages: [] }, /messages/],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, /message of the user/],
    [{ messages: [{ role: 'robot', content: 'x' }] }, /role/],
    [{ promptId: 'summary' }, /needs a story/],
    [{ promptId: 'poem', messages: [{ role: 'user', content: 'x' }] }, /no prompt "poem"/],
  ])('rejects %j', async (input, message) => {
    const office = await openOffice()
    await expect(collect(office.stream('chat.stream', input))).rejects.toThrow(message)
    expect(office.stub.asked).toEqual([])
  })

  it('ends with an error after the text so far if the model fails', async () => {
    const office = await openOffice({
      replies: [{ pieces: ['a', 'b'], errorAfter: { pieces: 1, message: 'out of memory' } }],
    })
    const events = office.stream('chat.stream', { messages: [{ role: 'user', content: 'x' }] })
    expect((await events.next()).value).toMatchObject({ event: 'start' })
    expect((await events.next()).value).toEqual({ event: 'token', text: 'a' })
    await expect(events.next()).rejects.toMatchObject({
      code: 'llm_answer',
      message: expect.stringContaining('out of memory'),
    })
  })

  it('ends the work of the model when the caller aborts', async () => {
    const office = await openOffice({ replies: [{ loading: withResolvers<void>().promise }] })
    const leave = new AbortController()
    const events = office.stream('chat.stream', { messages: [{ role: 'user', content: 'x' }] }, leave.signal)
    await events.next()
    const next = events.next()
    await office.stub.chatsAsked(1)
    leave.abort(new DOMException('gone', 'AbortError'))
    await expect(next).rejects.toMatchObject({ code: 'interrupted' })
    await office.stub.cancelled(0)
  })

  it('is also available as a complete answer', async () => {
    const office = await openOffice()
    const input = { messages: [{ role: 'user', content: 'x' }] }
    expect(await office.run('chat.stream', input)).toMatchObject({ response: 'Hello there.', done: true })
  })
})

describe('the log', () => {
  it('contains no prompts, no answers and no people', async () => {
    const office = await openOffice({
      replies: [
        { pieces: ['ANSWER-TEXT'] },
        { pieces: ['ANSWER-TEXT'], malformedAfter: 1 },
        { status: { code: 500, message: 'SERVER-WORDS about PROMPT-TEXT' } },
        { pieces: ['ANSWER-TEXT'], cutAfter: 1 },
        { pieces: ['{"summary": "ANSWER-TEXT"'] },
      ],
    })
    const { id } = await office.run('drafts.save', { title: 'STORY-TEXT' })
    for (let i = 0; i < 4; i++)
      await office.run('llm.chat', { prompt: 'PROMPT-TEXT', systemPrompt: 'SYSTEM-TEXT', storyId: id }).catch(() => {})
    await expect(office.run('drafts.refine', { id, promptId: 'summary' })).rejects.toMatchObject({ code: 'llm_answer' })
    expect(office.stub.chats()).toHaveLength(6)
    expect(office.logged.length).toBeGreaterThan(4)
    expect(office.logged.join('\n')).not.toMatch(/PROMPT-TEXT|SYSTEM-TEXT|STORY-TEXT|ANSWER-TEXT|SERVER-WORDS/)
  })
})

describe('without a model', () => {
  it('reports the address and how to start a server, and everything else works', async () => {
    const office = await openOffice()
    await office.stub.close()
    const refusal = {
      code: 'llm_unavailable',
      hint: expect.stringMatching(new RegExp(`${office.stub.url}.*ollama serve`)),
    }
    await expect(office.run('llm.models', {})).rejects.toMatchObject(refusal)
    await expect(office.run('llm.chat', { prompt: 'x' })).rejects.toMatchObject(refusal)
    await expect(
      collect(office.stream('chat.stream', { messages: [{ role: 'user', content: 'x' }] })),
    ).rejects.toMatchObject(refusal)
    const { id } = await office.run('drafts.save', { title: 'T' })
    await expect(office.run('drafts.refine', { id, promptId: 'story' })).rejects.toMatchObject(refusal)
    expect(await office.run('prompts.list', {})).toHaveLength(5)
    expect(await office.run('drafts.get', { id })).toMatchObject({ title: 'T' })
  })
})

describe('the models', () => {
  it('are listed with their properties and the default', async () => {
    const models = [{ name: 'mxbai-embed-large', family: 'bert' }, { name: 'talker:latest' }]
    const office = await openOffice({ models })
    expect(await office.run('llm.models', {})).toEqual([
      expect.objectContaining({ name: 'mxbai-embed-large', isDefault: false, loaded: true }),
      {
        name: 'talker:latest',
        sizeBytes: 2_019_393_189,
        parameterSize: '3.2B',
        quantization: 'Q4_K_M',
        modifiedAt: '2026-01-02T03:04:05.678Z',
        loaded: false,
        contextTokens: null,
        isDefault: true,
      },
    ])
    const chosen = await openOffice({ models: [{ name: 'a' }, { name: 'b' }] }, { STUDIO_LLM_MODEL: 'b' })
    expect(await chosen.run('llm.models', {})).toMatchObject([{ isDefault: false }, { isDefault: true }])
    expect(await chosen.run('llm.load', {})).toMatchObject({ model: 'b', contextTokens: 8192 })
  })
})
