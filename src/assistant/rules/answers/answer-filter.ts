import {
  ANSWER_MARKS,
  ANSWER_MARKS_AFTER_THINKING,
  HARMONY,
  HARMONY_WITHOUT_MARKS,
  type Marks,
  THINKING_MARKS,
} from './thinking-marks'

type Place =
  /** Before the answer. Only here can thinking begin. */
  | { in: 'beginning'; end: string | null }
  | { in: 'thinking'; end: string }
  /** In an answer without marks, or between two marks: until `end`. */
  | { in: 'answer'; end: string | null }
  | { in: 'harmony header' }
  | { in: 'harmony message'; isShown: boolean }
  | { in: 'between harmony messages' }
  /** After a word that may be the name of a channel without its marks. */
  | { in: 'unmarked thinking' }

/** The header of a message has a role, a channel and perhaps a format. */
const MAX_HEADER_LENGTH = 500
/** An answer does not begin with more white space than this. */
const MAX_WHITE_SPACE = 1_000

/**
 * Removes a model's thinking from its answer while the answer arrives in pieces, which can cut a mark. What is inside an answer stays, even
 * if it looks like a mark.
 */
export class AnswerFilter {
  #place: Place = { in: 'beginning', end: null }
  /** Text that may turn out to be part of a mark. */
  #pending = ''
  /** What is hidden and becomes the answer if the answer never begins. */
  #held: string[] = []
  #hasHidden = false

  /** Whether the model has thought in the text. */
  get hasHidden(): boolean {
    return this.#hasHidden
  }

  /** The part of the next piece that belongs to the answer. */
  read(piece: string): string {
    this.#pending += piece
    let answer = ''
    for (let text = this.#advance(); text !== null; text = this.#advance()) answer += text
    return answer
  }

  /** The text that is still pending when the answer ends. */
  end(): string {
    if (this.#place.in === 'beginning') return this.#leading()
    if (this.#place.in === 'unmarked thinking') return this.#held.join('') + this.#pending
    return this.#place.in === 'answer' || (this.#place.in === 'harmony message' && this.#place.isShown)
      ? this.#pending
      : ''
  }

  /** Goes on to the next mark and returns the answer before it; null if that needs more text. */
  #advance(): string | null {
    const place = this.#place
    if (place.in === 'beginning') return this.#begin(place.end)
    if (place.in === 'thinking') {
      const { mark } = this.#take([place.end])
      return mark === null ? null : this.#move({ in: 'beginning', end: null })
    }
    if (place.in === 'answer') {
      const { text, mark } = this.#take(place.end === null ? [] : [place.end])
      if (mark !== null) this.#place = { in: 'answer', end: null }
      return mark === null && text === '' ? null : text
    }
    if (place.in === 'harmony header') return this.#readHeader()
    if (place.in === 'unmarked thinking') return this.#skipUnmarkedThinking()
    const isMessage = place.in === 'harmony message'
    const { text, mark } = this.#take(isMessage ? [...HARMONY.ends, ...HARMONY.starts] : HARMONY.starts)
    if (mark !== null) this.#enterAfter(mark)
    if (mark === null && text === '') return null
    return isMessage && place.isShown ? text : ''
  }

  /** `end` is the mark at the end of the answer, if its mark at the beginning was there. */
  #begin(end: string | null): string | null {
    const text = this.#pending.trimStart()
    if (text === '' && this.#pending.length < MAX_WHITE_SPACE) return null
    const startsWith = ([open]: Marks) => text.startsWith(open)
    const thinking = THINKING_MARKS.find(startsWith)
    if (thinking) return this.#hide(text.slice(thinking[0].length), { in: 'thinking', end: thinking[1] })
    const answerMarks = this.#hasHidden ? [...ANSWER_MARKS, ...ANSWER_MARKS_AFTER_THINKING] : ANSWER_MARKS
    const answer = answerMarks.find(startsWith)
    if (answer) {
      this.#pending = text.slice(answer[0].length)
      return this.#move({ in: 'beginning', end: answer[1] })
    }
    if (HARMONY.starts.some((start) => text.startsWith(start))) {
      this.#pending = text
      return this.#move({ in: 'harmony header' })
    }
    const word = HARMONY_WITHOUT_MARKS.thinking
    // The text of the channel follows without a space, and begins as a sentence does.
    if (text.startsWith(word) && /^[A-Z]/.test(text.slice(word.length))) return this.#move({ in: 'unmarked thinking' })
    const openings = [...[...THINKING_MARKS, ...answerMarks].map(([open]) => open), ...HARMONY.starts]
    // The word arrives in one piece, as it is one token. Waiting for the rest of it would delay other answers.
    if (text === word || (text !== '' && openings.some((opening) => opening.startsWith(text)))) return null
    this.#pending = this.#leading()
    return this.#move({ in: 'answer', end })
  }

  /** The white space after marks is not part of the answer. */
  #leading(): string {
    const place = this.#place
    const isAfterMarks = this.#hasHidden || (place.in === 'beginning' && place.end !== null)
    return isAfterMarks ? this.#pending.trimStart() : this.#pending
  }

  #readHeader(): string | null {
    const end = this.#pending.indexOf(HARMONY.message)
    if (end < 0 && this.#pending.length < MAX_HEADER_LENGTH) return null
    const isHeader = end >= 0 && end < MAX_HEADER_LENGTH
    const channel = this.#pending.slice(0, end).split(HARMONY.channel)[1]?.trim()
    this.#pending = this.#pending.slice(isHeader ? end + HARMONY.message.length : MAX_HEADER_LENGTH)
    const isShown = isHeader && (channel === undefined || channel.startsWith(HARMONY.answerChannel))
    if (!isShown) this.#hasHidden = true
    return this.#move({ in: 'harmony message', isShown })
  }

  #skipUnmarkedThinking(): string | null {
    const { text, mark } = this.#take([HARMONY_WITHOUT_MARKS.answer])
    if (mark === null) {
      if (text !== '') this.#held.push(text)
      return null
    }
    this.#held = []
    return this.#hide(this.#pending, { in: 'beginning', end: null })
  }

  /** After a mark of Harmony: the header of a message, or whatever is between two of them. */
  #enterAfter(mark: string): void {
    if ((HARMONY.starts as readonly string[]).includes(mark)) {
      this.#pending = mark + this.#pending
      this.#place = { in: 'harmony header' }
    } else this.#place = { in: 'between harmony messages' }
  }

  #hide(pending: string, place: Place): string {
    this.#hasHidden = true
    this.#pending = pending
    return this.#move(place)
  }

  #move(place: Place): string {
    this.#place = place
    return ''
  }

  /** Takes the text before the first of the marks from what is pending, and the mark. What may be the beginning of a mark stays. */
  #take(marks: readonly string[]): { text: string; mark: string | null } {
    const pending = this.#pending
    const found = marks
      .map((mark) => ({ mark, at: pending.indexOf(mark) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0]
    const until = found?.at ?? pending.length - lengthOfCutMark(pending, marks)
    this.#pending = pending.slice(found ? found.at + found.mark.length : until)
    return { text: pending.slice(0, until), mark: found?.mark ?? null }
  }
}

/** The length of the longest end of the text that is the beginning of one of the marks. */
function lengthOfCutMark(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map((mark) => mark.length - 1))
  for (let length = Math.min(longest, text.length); length > 0; length--)
    if (marks.some((mark) => mark.startsWith(text.slice(-length)))) return length
  return 0
}

/**
 * Removes thinking from a complete answer that has only the closing mark, because some models have the opening mark in their prompt. In a
 * streamed answer this cannot be detected.
 */
export function removeUnopenedThinking(answer: string): string {
  for (const [open, close] of THINKING_MARKS) {
    const at = findAtLineEnd(answer, close)
    if (at >= 0 && !answer.slice(0, at).includes(open)) return answer.slice(at + close.length).trimStart()
  }
  return answer
}

/** The position of the mark where nothing follows on its line; -1 if there is none. */
function findAtLineEnd(text: string, mark: string): number {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    let next = at + mark.length
    while (text[next] === ' ' || text[next] === '\t') next++
    if (next === text.length || text[next] === '\n') return at
  }
  return -1
}
