import type { StreamEvent } from '../../src/kernel'
import type { Colors } from '../colors'

/** A part of an answer as a person reads it: what belongs to the answer, and what is said of it on the side. */
export type PartView = (event: StreamEvent, colors: Colors) => { out?: string; err?: string }

const partViews: Record<string, () => Promise<PartView>> = {
  'llm.chat': async () => (await import('./answer')).renderAnswerPart,
  'chat.stream': async () => (await import('./answer')).renderAnswerPart,
}

export async function partViewOf(operationId: string): Promise<PartView> {
  return (await partViews[operationId]?.()) ?? ((event) => ({ out: `${JSON.stringify(event)}\n` }))
}
