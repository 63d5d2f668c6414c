import type { z } from 'zod'
import type { AnswerEvent } from '../../src/assistant/schemas'
import { formatCommand, loadOperation } from '../../src/catalog'
import { asStudioError, execute, executeStream, withPlainHint } from '../../src/kernel'
import { openStudio, type Studio } from '../../src/studio'
import { takeDailyNotice } from '../operation/with-studio'
import type { Invocation } from '../start/invocation'
import { canvasFor } from '../terminal/colors'
import { errorText } from '../terminal/error-text'
import { escapeForTerminal } from '../terminal/format-json'
import { showProgress } from '../terminal/progress'
import { renderAnswerPart } from '../views/stories/assistant'
import type { ChatInput } from './chat-input'
import { type Session, type StoryName, writeNotice } from './session'
import { beginWith, openStory, runSlash } from './slash-commands'

export interface Opening {
  story: StoryName | null
  promptId: string | null
  model: string | null
}

/** A conversation from its first line to its last; resolves with the exit code. */
export async function converse(input: ChatInput, invocation: Invocation, opening: Opening): Promise<number> {
  const { terminal, flags, signal } = invocation
  const studio = openStudio({
    env: terminal.env,
    cwd: terminal.cwd,
    onNotice: (text, kind) => {
      if (flags.quiet || (kind && !takeDailyNotice(kind, terminal.env))) return
      writeNotice({ invocation }, text)
    },
  })
  const leaving = new AbortController()
  const close = () => input.close()
  signal.addEventListener('abort', close)
  try {
    const session = begin(studio, invocation, opening)
    if (terminal.canAsk) {
      input.onInterrupt(() => leaving.abort(new DOMException('Stopped.', 'AbortError')))
      await requireModel(session, AbortSignal.any([signal, leaving.signal]))
    }
    if (opening.story) await openStory(session, opening.story)
    if (terminal.canAsk) {
      writeNotice(session, session.colors.faint('/help lists the commands, Ctrl-C stops an answer, Ctrl-D exits.'))
      void loadAhead(session, leaving.signal)
    }
    const turns = turnsOf(input, session)
    if (opening.promptId !== null) {
      await beginWith(session, opening.promptId)
      await turns.answer()
    }
    for (;;) {
      const line = await input.line(flags.json ? '' : session.colors.accent('> '))
      if (line === null || signal.aborted) return signal.aborted ? 130 : 0
      if (line.trim() === '') continue
      if ((await turns.take(line)) === 'leave') return 0
    }
  } finally {
    signal.removeEventListener('abort', close)
    leaving.abort(new DOMException('The conversation has ended.', 'AbortError'))
    await studio.close()
  }
}

function begin(studio: Studio, invocation: Invocation, { model }: Opening): Session {
  const { signal } = invocation
  return {
    invocation,
    colors: canvasFor('err', invocation).colors,
    context: (stop = signal, progress = () => {}) =>
      studio.context({
        actor: { kind: 'terminal', tenant: studio.settings.tenant },
        signal: stop,
        progress: ({ label }) => progress(label),
      }),
    story: null,
    prompt: null,
    model,
    turns: [],
  }
}

/** Throws if no model can answer, before the user types a question. */
async function requireModel({ model: name, context }: Session, leaving: AbortSignal): Promise<void> {
  const { model, signal } = context(leaving)
  await (await model()).choose(name, signal)
}

/** Loads the model while the user types the first question. */
async function loadAhead(session: Session, leaving: AbortSignal): Promise<void> {
  try {
    await execute(await loadOperation('llm.load'), { model: session.model }, session.context(leaving))
  } catch (error) {
    if (!leaving.aborted) await reportError(session, error)
  }
}

interface Turns {
  /** One line: a command, or words for the model. */
  take(line: string): Promise<'go on' | 'leave'>
  answer(): Promise<void>
}

function turnsOf(input: ChatInput, session: Session): Turns {
  const { terminal, signal } = session.invocation
  let answering: AbortController | null = null
  let warned = false
  input.onInterrupt(() => {
    if (answering) return answering.abort(new DOMException('Stopped.', 'AbortError'))
    if (warned) return input.close()
    warned = true
    writeNotice(session, '\nPress Ctrl-C again or Ctrl-D to exit.')
  })

  async function answer(): Promise<void> {
    answering = new AbortController()
    try {
      const stop = AbortSignal.any([signal, answering.signal])
      if ((await answerTurn(session, stop)) === 'stopped') writeNotice(session, session.colors.faint('stopped'))
    } finally {
      answering = null
    }
  }

  async function taken(line: string): Promise<'go on' | 'leave'> {
    const { turns, prompt } = session
    if (line.startsWith('/')) {
      const next = await runSlash(session, line)
      if (next !== 'answer') return next
    } else session.turns = [...turns, { role: 'user', content: line }]
    try {
      await answer()
    } finally {
      // A question without any answer is removed again.
      if (session.turns.at(-1)?.role !== 'assistant') Object.assign(session, { turns, prompt })
    }
    return 'go on'
  }

  return {
    answer,
    async take(line) {
      warned = false
      try {
        return await taken(line)
      } catch (error) {
        // A script must not continue without the answer.
        if (!terminal.canAsk) throw error
        await reportError(session, error)
        return 'go on'
      }
    },
  }
}

async function reportError({ invocation }: Session, error: unknown): Promise<void> {
  const known = await withPlainHint(asStudioError(error), formatCommand)
  invocation.terminal.err(errorText(known, invocation.terminal, invocation.flags.noColor))
}

/** Sends the conversation to the model, shows its answer as it arrives, and adds it to the conversation, also if `stop` ends it. */
export async function answerTurn(session: Session, stop: AbortSignal): Promise<'answered' | 'stopped'> {
  const { terminal, flags } = session.invocation
  const progress = showProgress(session.invocation)
  const operation = await loadOperation('chat.stream')
  const context = session.context(stop, (label) => progress.show({ label }))
  let text = ''
  try {
    for await (const given of executeStream(operation, inputOf(session), context)) {
      const event = given as z.infer<typeof AnswerEvent>
      if (event.event === 'token') {
        progress.end()
        text += event.text
      }
      if (flags.json) terminal.out(`${escapeForTerminal(JSON.stringify(event))}\n`)
      else show(given, session)
    }
    return 'answered'
  } catch (error) {
    if (!stop.aborted) throw error
    return 'stopped'
  } finally {
    progress.end()
    if (text !== '' && !flags.json) terminal.out('\n')
    if (text !== '') session.turns = [...session.turns, { role: 'assistant', content: text }]
  }
}

function show(event: Parameters<typeof renderAnswerPart>[0], { invocation, colors }: Session): void {
  const { out = '', err = '' } = renderAnswerPart(event, colors)
  if (out !== '') invocation.terminal.out(out)
  if (err !== '' && !invocation.flags.quiet) invocation.terminal.err(`\n${err}`)
}

function inputOf({ turns, story, prompt, model }: Session): Record<string, unknown> {
  return {
    messages: turns,
    storyId: story?.kind === 'draft' ? story.id : null,
    itemId: story?.kind === 'item' ? story.id : null,
    promptId: prompt?.id ?? null,
    variables: prompt?.variables ?? {},
    model,
  }
}
