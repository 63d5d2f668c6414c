/** Removes control characters except line feeds and tabs, because they can harm a terminal or a database. */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** Also replaces unpaired surrogates with the replacement character, and trims the text. For texts that are saved. */
export function cleanWholeText(text: string): string {
  return cleanText(text)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}

/**
 * The position in an answer that may begin with thinking, which some models write between `<think>` and `</think>`. `pending` is text that
 * may turn out to be part of a mark.
 */
export type ThinkingState =
  | { in: 'beginning'; pending: string; hasThought: boolean }
  | { in: 'thinking'; pending: string }
  | { in: 'answer' }

export const INITIAL_THINKING_STATE: ThinkingState = { in: 'beginning', pending: '', hasThought: false }

const OPEN = '<think>'
const CLOSE = '</think>'

/** Returns the part of `text` that belongs to the answer, and the next state. Only thinking at the very beginning is removed. */
export function removeThinking(state: ThinkingState, text: string): { state: ThinkingState; answer: string } {
  if (state.in === 'answer') return { state, answer: text }
  const pending = state.pending + text
  if (state.in === 'thinking') return skipThinking(pending)
  const trimmed = pending.trimStart()
  if (trimmed.startsWith(OPEN)) return skipThinking(trimmed.slice(OPEN.length))
  if (OPEN.startsWith(trimmed)) return { state: { ...state, pending }, answer: '' }
  return { state: { in: 'answer' }, answer: state.hasThought ? trimmed : pending }
}

function skipThinking(pending: string): { state: ThinkingState; answer: string } {
  const end = pending.indexOf(CLOSE)
  if (end >= 0)
    return removeThinking({ in: 'beginning', pending: '', hasThought: true }, pending.slice(end + CLOSE.length))
  // The end of the text could be the beginning of the closing mark.
  return { state: { in: 'thinking', pending: pending.slice(-(CLOSE.length - 1)) }, answer: '' }
}

/** The text that is still pending when the answer ends. */
export function getPendingText(state: ThinkingState): string {
  if (state.in !== 'beginning') return ''
  return state.hasThought ? state.pending.trimStart() : state.pending
}

/**
 * Removes thinking from a complete answer that has only the closing mark, because some models have the opening mark in their prompt. In a
 * streamed answer this cannot be detected.
 */
export function removeUnopenedThinking(answer: string): string {
  const close = new RegExp(`${CLOSE}[ \\t]*(?:\\n|$)`).exec(answer)
  if (!close || answer.slice(0, close.index).includes(OPEN)) return answer
  return answer.slice(close.index + CLOSE.length).trimStart()
}
