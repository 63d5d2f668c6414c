/**
 * A model's text without what no reader sees and a terminal or a database would stumble over: control characters but line feed and tab,
 * and with them the carriage returns of line ends.
 */
export function cleanText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

/** The same for a text that is kept: halves of characters become the replacement character, and blank lines at the ends go. */
export function cleanWhole(text: string): string {
  return cleanText(text)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}

/**
 * How far an answer has come out of the thinking that some models write ahead of it, between `<think>` and `</think>`. `held` is what
 * cannot be told apart yet.
 */
export type ThinkingState =
  | { in: 'beginning'; held: string; hasThought: boolean }
  | { in: 'thinking'; held: string }
  | { in: 'answer' }

export const INITIAL_THINKING_STATE: ThinkingState = { in: 'beginning', held: '', hasThought: false }

const OPEN = '<think>'
const CLOSE = '</think>'

/** The part of `text` that belongs to the answer, and where that leaves us. Only thinking at the very beginning is taken for such. */
export function removeThinking(state: ThinkingState, text: string): { state: ThinkingState; answer: string } {
  if (state.in === 'answer') return { state, answer: text }
  const held = state.held + text
  if (state.in === 'thinking') return insideThinking(held)
  const begun = held.trimStart()
  if (begun.startsWith(OPEN)) return insideThinking(begun.slice(OPEN.length))
  if (OPEN.startsWith(begun)) return { state: { ...state, held }, answer: '' }
  return { state: { in: 'answer' }, answer: state.hasThought ? begun : held }
}

function insideThinking(held: string): { state: ThinkingState; answer: string } {
  const end = held.indexOf(CLOSE)
  if (end >= 0) return removeThinking({ in: 'beginning', held: '', hasThought: true }, held.slice(end + CLOSE.length))
  // Only what could be the beginning of the closing mark must be remembered.
  return { state: { in: 'thinking', held: held.slice(-(CLOSE.length - 1)) }, answer: '' }
}

/** What was held back when the answer ended. */
export function pendingText(state: ThinkingState): string {
  if (state.in !== 'beginning') return ''
  return state.hasThought ? state.held.trimStart() : state.held
}

/**
 * The same of a whole answer, also where the opening mark belongs to the model's prompt, so that only the closing one is in the answer. As
 * long as an answer comes in parts nobody can know that of its beginning.
 */
export function removeUnopenedThinking(answer: string): string {
  const close = new RegExp(`${CLOSE}[ \\t]*(?:\\n|$)`).exec(answer)
  if (!close || answer.slice(0, close.index).includes(OPEN)) return answer
  return answer.slice(close.index + CLOSE.length).trimStart()
}
