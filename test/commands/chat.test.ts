import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChatInput } from '../../commands/chat/chat-input'
import { converse, type Opening } from '../../commands/chat/converse'
import { runCommand } from '../../commands/start/command-line'
import { takeGlobalFlags } from '../../commands/start/invocation'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { type StubModel, type StubSettings, startStubModel } from '../assistant/stub-model'

type Step = string | (() => Promise<string | null>)

interface Talk {
  exitCode: number
  out: string
  err: string
  stub: StubModel
  home: string
}

interface TalkSettings extends StubSettings {
  opening?: Partial<Opening>
  argv?: string[]
  /** Receives what goes to standard error. */
  err?(text: string): void
}

interface Stage {
  stub: StubModel
  home: string
  /** Ctrl-C. */
  interrupt(): void
}

/** A conversation whose lines are typed one by one; a function as a line may wait, and do something before it is typed. */
async function talk(
  lines: (stage: Stage) => Step[],
  { opening = {}, argv = [], err, ...settings }: TalkSettings = {},
): Promise<Talk> {
  const stub = await startStubModel(settings)
  const home = await mkdtemp(join(tmpdir(), 'studio-chat-'))
  onTestFinished(async () => {
    await stub.close()
    await rm(home, { recursive: true, force: true })
  })
  const env = { STUDIO_HOME: home, STUDIO_LLM_HOST: stub.url }
  const terminal = memoryTerminal({ env, cwd: home, canAsk: true, ...(err && { err }) })
  let interrupt = () => {}
  let closed = false
  const steps = lines({ stub, home, interrupt: () => interrupt() })
  const input: ChatInput = {
    async line() {
      const step = closed ? undefined : steps.shift()
      return typeof step === 'function' ? step() : (step ?? null)
    },
    onInterrupt: (handler) => {
      interrupt = handler
    },
    close: () => {
      closed = true
    },
  }
  const signal = new AbortController().signal
  const invocation = {
    flags: takeGlobalFlags(['--no-color', ...argv]).flags,
    terminal,
    signal,
    session: {},
    runCommand,
    loadManifest: async () => [],
  }
  const exitCode = await converse(input, invocation, { story: null, promptId: null, model: null, ...opening })
  return { exitCode, out: terminal.output, err: terminal.errors, stub, home }
}

async function command(home: string, argv: string[]): Promise<any> {
  const terminal = memoryTerminal({ env: { STUDIO_HOME: home }, cwd: home })
  await runCommand([...argv, '--json'], terminal, new AbortController().signal)
  return JSON.parse(terminal.output)
}

const said = (stub: StubModel) =>
  stub.chats().map(({ messages }) => messages.slice(1).map((message: any) => message.content))

describe('a conversation', () => {
  it('remembers what was said, and ends with the input', async () => {
    const { exitCode, out, stub } = await talk(() => ['One?', '', 'Two?'])
    expect([exitCode, out]).toEqual([0, 'Hello there.\nHello there.\n'])
    expect(said(stub)).toEqual([['One?'], ['One?', 'Hello there.', 'Two?']])
  })

  it('loads the model while the first question is typed', async () => {
    const { stub } = await talk(({ stub }) => [
      async () => {
        while (!stub.asked.some(({ path, body }) => path === '/api/chat' && body.messages.length === 0))
          await new Promise((resolve) => setImmediate(resolve))
        return 'One?'
      },
    ])
    expect(said(stub)).toEqual([['One?']])
  })

  it.each([
    ['no model is installed', { models: [] }, {}, 'No language model is installed'],
    ['the model that is named is missing', {}, { model: 'absent' }, 'The model absent is not installed'],
  ])('does not greet where %s', async (_, settings, opening, message) => {
    const greetings: string[] = []
    await expect(
      talk(() => ['never typed'], { ...settings, opening, err: (text) => greetings.push(text) }),
    ).rejects.toMatchObject({ code: 'llm_model_missing', message: expect.stringContaining(message) })
    expect(greetings).toEqual([])
  })

  it('is about a draft, by a template, and the answer is saved where it belongs', async () => {
    const { home, err, stub } = await talk(
      ({ home }) => [
        async () => {
          await command(home, ['draft', 'save', '--title', 'Door', '--description', 'By text message.'])
          return '/draft 1'
        },
        '/prompt acceptance-criteria',
        'Shorter, please',
        '/save',
      ],
      { replies: [{ pieces: ['**One**'] }, { pieces: ['**Two**'] }] },
    )
    expect(err).toContain('draft 1  Door')
    expect(said(stub)[0][0]).toContain('By text message.')
    expect(said(stub)[1].slice(1)).toEqual(['**One**', 'Shorter, please'])
    expect(await command(home, ['draft', 'get', '1'])).toMatchObject({
      description: 'By text message.',
      acceptanceCriteria: '**Two**',
    })
    await command(home, ['draft', 'undo', '1'])
    expect(await command(home, ['draft', 'get', '1'])).toMatchObject({ acceptanceCriteria: null })
  })

  it('makes a draft where there is none', async () => {
    const { home } = await talk(() => ['Write it', '/save story'], {
      replies: [{ pieces: ['# Tell the door\n\nAs a driver'] }],
    })
    expect(await command(home, ['draft', 'get', '1'])).toMatchObject({
      title: 'Tell the door',
      description: 'As a driver',
    })
  })

  it('stops an answer on Ctrl-C, and goes on', async () => {
    const { exitCode, out, err, stub } = await talk(
      ({ stub, interrupt }) => [
        () => {
          void stub.chatsAsked(1).then(interrupt)
          return Promise.resolve('Long?')
        },
        async () => {
          await stub.cancelled(0)
          return 'Short?'
        },
      ],
      { replies: [{ loading: new Promise(() => {}) }, { pieces: ['Yes.'] }] },
    )
    expect([exitCode, out]).toEqual([0, 'Yes.\n'])
    expect(err).toContain('stopped')
    expect(said(stub)).toEqual([['Long?'], ['Short?']])
  })

  it('leaves on the second Ctrl-C at the prompt', async () => {
    const { exitCode, err, stub } = await talk(({ interrupt }) => [
      async () => {
        interrupt()
        interrupt()
        return null
      },
      'never typed',
    ])
    expect(exitCode).toBe(0)
    expect(err).toContain('Ctrl-C again')
    expect(stub.chats()).toEqual([])
  })

  it.each([
    ['/nope', /There is no \/nope/],
    ['/constructor', /There is no/],
    ['/save', /Say what to save it as/],
    ['/save summary', /no answer to save/],
    ['/draft 9', /no draft 9/],
    ['/item x', /Specify an ID/],
    ['/item 9', /no snapshot/],
    ['/prompt poem', /no prompt "poem"/],
    ['/prompt summary', /needs a story/],
    ['/model', /Name a model/],
  ])('survives %s', async (line, message) => {
    const { exitCode, err, out } = await talk(() => [line, 'Still there?'])
    expect(err).toMatch(message)
    expect([exitCode, out]).toEqual([0, 'Hello there.\n'])
  })

  it('survives a model that fails, and asks again with what was said before', async () => {
    const { out, err, stub } = await talk(() => ['One?', 'Two?', 'Three?'], {
      replies: [{ pieces: ['1'] }, { status: { code: 500, message: 'crashed' } }, { pieces: ['3'] }],
    })
    expect(err).toContain('crashed')
    expect(out).toBe('1\n3\n')
    expect(said(stub)[2]).toEqual(['One?', '1', 'Three?'])
  })

  it('begins anew, with another model, with help', async () => {
    const models = [{ name: 'a' }, { name: 'b' }]
    const { err, stub } = await talk(() => ['One?', '/new', '/model b', 'Two?', '/help', '/prompt', '/exit', 'never'], {
      models,
    })
    expect(stub.chats().map(({ model }) => model)).toEqual(['a', 'b'])
    expect(said(stub)[1]).toEqual(['Two?'])
    expect(err).toMatch(/\/save.*\n.*save the last answer/)
    expect(err).toContain('acceptance-criteria')
  })

  it('shows nothing that a terminal would obey', async () => {
    const { out, err } = await talk(() => ['One?', '/nope\u001b[2J'], { replies: [{ pieces: ['a\u001b]0;x\u0007b'] }] })
    expect(out).toBe('a]0;xb\n')
    expect(err).not.toContain('\u001b')
  })
})
