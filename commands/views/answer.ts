import type { z } from 'zod'
import type { AnswerEvent } from '../../src/assistant/schemas'
import { printable } from '../layout'
import type { PartView } from './parts'

/** What a model says, as it says it; what must be known of it follows. */
export const renderAnswerPart: PartView = (given, colors) => {
  const event = given as z.infer<typeof AnswerEvent>
  if (event.event === 'token') return { out: printable(event.text) }
  if (event.event !== 'done') return {}
  const notices = [
    event.complete ? null : 'The answer is not complete: the context of the model was used up.',
    event.notice,
  ].filter((text) => text !== null)
  return { err: notices.map((text) => `${colors.warn('!')} ${printable(text)}\n`).join('') }
}
