import type { z } from 'zod'
import type { AnswerEvent } from '../../src/assistant/schemas'
import { loadOperation } from '../../src/catalog'
import { executeStream } from '../../src/kernel'
import { showProgress } from '../progress'
import { escapeForTerminal } from '../terminal-safe'
import { renderAnswerPart } from '../views/answer'
import type { Session } from './session'

/**
 * Asks the model with all that was said, shows its answer as it comes and keeps it. `stop` ends the answer; what has come of it until then
 * is kept too, for it was read.
 */
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
