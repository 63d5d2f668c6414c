import { describe, expect, it } from 'vitest'
import { type OptionalKind, optionalKinds, sanitizeLine, sanitizeText } from '../../../src/sanitize'

const line = (text: string, also?: readonly OptionalKind[]) => sanitizeLine(text, { trackerHosts: [], also }).text
const markdown = (text: string, also: readonly OptionalKind[] = optionalKinds) =>
  sanitizeText({ format: 'markdown', text }, { trackerHosts: [], also })

const removed: readonly [OptionalKind, string, readonly string[]][] = [
  [
    'iban',
    '[IBAN removed]',
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', 'ES91 2100 0418 4502 0005 1332', 'NO9386011117947'],
  ],
  [
    'card',
    '[card number removed]',
    ['4111 1111 1111 1111', '5500-0000-0000-0004', '3400 000000 00009', '4111111111111111'],
  ],
  [
    'national-id',
    '[ID number removed]',
    [
      '536-22-8726',
      '2 95 10 99 126 111 93',
      '12345678Z',
      'X1234567L',
      'RSSMRA85T10A562S',
      '44051401359',
      '36 574 261 809',
      '390.533.447-05',
      '85.07.30-033.28',
      '756.9217.0769.85',
      '2341 2341 2346',
    ],
  ],
  [
    'ip',
    '[IP address removed]',
    ['10.20.0.15', '203.0.113.7', '2001:db8::8a2e:370:7334', 'fe80::1', '::ffff:10.0.0.1'],
  ],
  ['mac', '[MAC address removed]', ['00:1A:2B:3C:4D:5E', '00-1a-2b-3c-4d-5e', '001a.2b3c.4d5e']],
]

describe.each(removed)('the optional kind %s', (kind, mark, samples) => {
  it.each(samples)('removes %s only on request', (sample) => {
    expect(line(`Use ${sample} for now`, [kind])).toBe(`Use ${mark} for now`)
    expect(line(`(${sample}), ${sample}.`, [kind])).toBe(`(${mark}), ${mark}.`)
    expect(line(`Use ${sample} for now`)).toBe(`Use ${sample} for now`)
    const others = optionalKinds.filter((other) => other !== kind)
    expect(line(`Use ${sample} for now`, others)).toBe(`Use ${sample} for now`)
  })
})

describe('all optional kinds together', () => {
  it.each([
    'PO 4500012345 of 2026-11-20, order 100-200-300',
    'DE00 3704 0044 0532 0130 00 has wrong check digits',
    'GTIN 04006381333931 and SSCC 003401234567890123',
    'version 10.0.4.2, v1.2.3.4 and build 10.0.19045.3693',
    'from 08:00:15 to 17:30:00, std::vector and a::b',
    '4111 1111 1111 1112 fails the check digit',
    '666-22-8726 and 000-12-3456 were never given out',
    '12345678A has the wrong letter',
    'item 8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d',
    'sha 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  ])('do not match other numbers: %s', (text) => {
    expect(line(text, optionalKinds)).toBe(text)
  })

  it('are removed from code, tables, and the addresses of links', () => {
    expect(markdown('`ping 10.0.0.1`').markdown).toBe('`ping [IP address removed]`')
    expect(markdown('| host |\n| --- |\n| 10.0.0.1 |').markdown).toContain('| [IP address removed] |')
    expect(markdown('[console](http://10.0.0.1:8080/x)').markdown).toBe('console')
    expect(markdown('see http://10.0.0.1:8080/x now').markdown).toBe('see [IP address removed] now')
    expect(markdown('[console](http://0x0a000001/)').markdown).toBe('console')
    expect(markdown('[pay](https://bank.example/pay?to=DE89370400440532013000)').markdown).toBe('pay')
    expect(markdown('![plan](https://[2001:db8::1]/plan.png)').markdown).toBe('plan')
  })

  it('are counted by kind, and the result contains none', () => {
    const text =
      'From 10.0.0.1 (00:1A:2B:3C:4D:5E) 12345678Z paid with 4111 1111 1111 1111 to DE89 3704 0044 0532 0130 00.'
    const first = markdown(text)
    expect(first.removed).toEqual(optionalKinds.map((kind) => ({ kind, count: 1 })))
    expect(markdown(first.markdown)).toEqual({ markdown: first.markdown, removed: [] })
  })
})
