import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Invocation } from '../start/invocation'

/** Where the lines of a conversation come from. */
export interface ChatInput {
  /** The next line; null at the end of the input. */
  line(prompt: string): Promise<string | null>
  /** Sets what a Ctrl-C calls. */
  onInterrupt(handler: () => void): void
  close(): void
}

export function chatInput(invocation: Pick<Invocation, 'terminal' | 'signal'>): ChatInput {
  return invocation.terminal.canAsk ? keyboardInput() : pipedInput(invocation)
}

/** Each line is a message; the process handles Ctrl-C. */
function pipedInput({ terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>): ChatInput {
  let lines: string[] | null = null
  return {
    async line() {
      lines ??= (await terminal.readInput(signal)).split(/\r?\n/)
      return lines.shift() ?? null
    },
    onInterrupt() {},
    close() {},
  }
}

/**
 * Reads the keyboard all the time, so that Ctrl-C is a key and not the signal that ends the program. Text that is typed during an answer
 * is not shown, and becomes the next line.
 */
function keyboardInput(): ChatInput {
  let muted = true
  const output = new Writable({
    write(chunk, encoding, done) {
      if (!muted) process.stderr.write(chunk, encoding as BufferEncoding)
      done()
    },
  })
  const keyboard = createInterface({ input: process.stdin, output, terminal: true, historySize: 200 })
  const typed: string[] = []
  let waiting: ((line: string | null) => void) | null = null
  let ended = false
  let interrupt = () => {}
  const answer = (line: string | null) => {
    muted = true
    const resolve = waiting!
    waiting = null
    resolve(line)
  }
  keyboard.on('line', (line) => (waiting ? answer(line) : typed.push(line)))
  keyboard.on('SIGINT', () => {
    if (waiting && keyboard.line !== '') keyboard.write(null, { ctrl: true, name: 'u' })
    else interrupt()
    if (waiting) keyboard.prompt(true)
  })
  keyboard.on('close', () => {
    ended = true
    if (waiting) answer(null)
  })
  return {
    line(prompt) {
      const next = typed.shift()
      if (next !== undefined || ended) return Promise.resolve(next ?? null)
      return new Promise((resolve) => {
        waiting = resolve
        muted = false
        keyboard.setPrompt(prompt)
        keyboard.prompt(true)
      })
    },
    onInterrupt(handler) {
      interrupt = handler
    },
    close: () => keyboard.close(),
  }
}
