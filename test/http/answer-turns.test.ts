import { afterEach, describe, expect, it, vi } from 'vitest'
import { AnswerTurns, PageTurn } from '../../src/http/answers/answer-turns'
import { servedConsole } from '../console/console-fixtures'

const { signal } = new AbortController()

describe('the turns of large answers', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('are two at a time, and callers alternate', async () => {
    const turns = new AnswerTurns()
    const order: string[] = []
    const enter = async (caller: string) => {
      const end = await turns.begin(caller, signal)
      order.push(caller)
      return end
    }
    const [first, second] = await Promise.all([enter('ann'), enter('ann')])
    const waiting = ['ann', 'ann', 'ben'].map((caller) => enter(caller))
    first()
    ;(await waiting[0]!)()
    ;(await waiting[2]!)()
    ;(await waiting[1]!)()
    second()
    expect(order).toEqual(['ann', 'ann', 'ann', 'ben', 'ann'])
  })

  it('are shared by the answers of one page, so that pages never wait for each other', async () => {
    const turns = new AnswerTurns()
    const pages = Array.from({ length: 4 }, async (_, i) => {
      const turn = new PageTurn(turns)
      for (let answer = 0; answer < 3; answer++) await turn.begin(`caller ${i}`, signal)
      turn.end()
    })
    await Promise.all(pages)
  })

  it('do not keep a page waiting that has failed, and come back when its turn has begun', async () => {
    const turns = new AnswerTurns()
    const held = [await turns.begin('ann', signal), await turns.begin('ann', signal)]
    const page = new PageTurn(turns)
    const waiting = page.begin('ben', signal)
    page.end()
    for (const end of held) end()
    await waiting
    await Promise.all([turns.begin('ann', signal), turns.begin('ann', signal)])
  })

  it('are taken by every surface of the service', async () => {
    const { open, call, run } = await servedConsole()
    await run('drafts.save', { title: 'One' })
    const begin = AnswerTurns.prototype.begin
    let underWay = 0
    let openGate = () => {}
    const gate = new Promise<void>((resolve) => {
      openGate = resolve
    })
    const spy = vi.spyOn(AnswerTurns.prototype, 'begin').mockImplementation(async function (
      this: AnswerTurns,
      ...args
    ) {
      underWay++
      await gate
      const end = await begin.apply(this, args)
      return () => {
        underWay--
        end()
      }
    })
    const tool = {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'read_drafts', arguments: { action: 'drafts.list' } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    }
    let answered = 0
    const answers = [
      call('GET', '/api/stories/saved'),
      call('GET', '/api/stories/1/history'),
      call('POST', '/mcp', tool),
      open('/console/drafts/1'),
      open('/console/drafts'),
    ].map(async (sent) => {
      const answer = await sent
      answered++
      return answer
    })
    try {
      await expect.poll(() => spy.mock.calls.length).toBe(answers.length)
      expect(answered).toBe(0)
    } finally {
      openGate()
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
    await expect.poll(() => underWay).toBe(0)
  })
})
