import { describe, expect, it } from 'vitest'
import { type Background, compute, pureTasks } from '../../src/kernel'

const tasks = pureTasks('texts', { count: (texts: { text: string }[]) => texts.map(({ text }) => text.length) })

/** Notes the tasks that it is asked for, and answers with the same as the function. */
function notingBackground() {
  const asked: { name: string; limitMs: number }[] = []
  const background: Background = {
    async run(name, args, { limitMs }) {
      asked.push({ name, limitMs })
      return tasks.count.run(...(args as [{ text: string }[]]))
    },
  }
  return { asked, background }
}

const { signal } = new AbortController()

describe('a pure task', () => {
  it('runs in place if its texts are short', async () => {
    const { asked, background } = notingBackground()
    expect(await compute({ signal, background }, tasks.count, [{ text: 'short' }])).toEqual([5])
    expect(asked).toEqual([])
  })

  it('runs on the other thread if its texts are long, however many they are', async () => {
    const { asked, background } = notingBackground()
    const texts = Array.from({ length: 10 }, () => ({ text: 'x'.repeat(5_000) }))
    expect(await compute({ signal, background }, tasks.count, texts)).toEqual(texts.map(() => 5_000))
    expect(asked.map(({ name }) => name)).toEqual(['texts.count'])
  })

  it('gives the same where there is no other thread', async () => {
    expect(await compute({ signal }, tasks.count, [{ text: 'x'.repeat(100_000) }])).toEqual([100_000])
  })
})
