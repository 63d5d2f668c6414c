import { cleanText } from '../clean-answer'

/**
 * Reads the texts of a JSON answer while it is written, for a person who waits: the strings that are values, each on a line of its own.
 * What is around the JSON is left out. Nothing is checked here, and the answer may still turn out not to be valid.
 */
export class AnswerTexts {
  /** The brackets that are open. */
  readonly #open: string[] = []
  /** A string is the name of a field until the colon after it. */
  #isName = false
  #isString = false
  /** The beginning of an escape sequence. The rest arrives with a later piece. */
  #escape = ''
  #hasText = false

  /** The texts in the next piece of the answer. */
  read(piece: string): string {
    let texts = ''
    for (const character of piece) texts += this.#isString ? this.#readString(character) : this.#readMark(character)
    return cleanText(texts)
  }

  #readMark(character: string): string {
    if (character === '{' || character === '[') this.#open.push(character)
    else if (character === '}' || character === ']') this.#open.pop()
    if (character === ':') this.#isName = false
    else if (character === '{' || character === ',') this.#isName = this.#open.at(-1) === '{'
    else if (character === '[') this.#isName = false
    if (character !== '"' || this.#open.length === 0) return ''
    this.#isString = true
    if (this.#isName || !this.#hasText) return ''
    return '\n'
  }

  #readString(character: string): string {
    const text = this.#decode(character)
    if (this.#isName || text === '') return ''
    this.#hasText = true
    return text
  }

  #decode(character: string): string {
    if (this.#escape === '') {
      if (character === '"') this.#isString = false
      else if (character === '\\') this.#escape = character
      else return character
      return ''
    }
    this.#escape += character
    if (this.#escape.startsWith('\\u') && this.#escape.length < '\\u0000'.length) return ''
    const decoded = decodeEscape(this.#escape)
    this.#escape = ''
    return decoded
  }
}

function decodeEscape(sequence: string): string {
  try {
    return JSON.parse(`"${sequence}"`) as string
  } catch {
    return ''
  }
}
