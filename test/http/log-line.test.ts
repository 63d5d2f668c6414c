import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineWriter } from '../../src/http/log-line'
import { redactFacts, redactText, removeKnown } from '../../src/http/redact'

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

describe('a line of the log', () => {
  it('has the level, the time, the facts and the message, in this order', () => {
    const write = createLineWriter([])
    const before = Date.now()
    const line = JSON.parse(
      write('info', 'request', { status: 200, path: '/api/health', route: null, code: undefined }),
    )
    expect(Object.keys(line)).toEqual(['level', 'time', 'status', 'path', 'route', 'message'])
    expect(line).toMatchObject({ level: 'info', message: 'request', status: 200, path: '/api/health', route: null })
    const at = Date.parse(line.time)
    expect(new Date(at).toISOString()).toBe(line.time)
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  it('has any fact as JSON writes it, without secrets', () => {
    const write = createLineWriter(['tracker"secret'])
    const withoutSecrets = (_: string, value: unknown) =>
      typeof value === 'string' ? removeKnown(value, ['tracker"secret']) : value
    const name = fc.constantFrom('path', 'token', 'Authorization', 'a"b', 'deep', '__proto', 'count')
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(TOKEN, `/x/${TOKEN}`, 'tracker"secret', 'GET'))
    const value = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.jsonValue())
    fc.assert(
      fc.property(fc.dictionary(name, value), text, (facts, message) => {
        const { time: _, ...line } = JSON.parse(write('warn', message, facts))
        const shown = { level: 'warn', ...redactFacts(facts), message: redactText(message) }
        expect(line).toEqual(JSON.parse(JSON.stringify(shown, withoutSecrets)))
      }),
    )
  })

  it('is without secrets when a text occurs again, and when many others came between', () => {
    const write = createLineWriter(['tracker-secret', '0b5c1f7e-8a3d-4c1b-9f00-2d6e7a8b9c0d'])
    const lines: string[] = []
    for (let i = 0; i < 3_000; i++) {
      const often = {
        path: `/x/${TOKEN}`,
        note: 'with tracker-secret',
        requestId: '0b5c1f7e-8a3d-4c1b-9f00-2d6e7a8b9c0d',
      }
      lines.push(write('info', 'request', { ...often, other: `text ${i}` }))
    }
    expect(lines.filter((line) => /ghp_|tracker-secret|0b5c1f7e/.test(line))).toEqual([])
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      note: 'with [removed]',
      requestId: '[removed]',
      other: 'text 2999',
    })
  })
})
