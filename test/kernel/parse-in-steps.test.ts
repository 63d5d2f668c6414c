import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { runAtOnce } from '../../src/kernel'
import { isLarge, parseInSteps } from '../../src/kernel/work/parse-in-steps'

const Node = z.object({
  id: z.int(),
  title: z.string().nullable(),
  note: z.string().optional(),
  tags: z.array(z.string()).default([]),
  get children() {
    return z.array(Node)
  },
})
const Forest = z.object({
  features: z.array(Node),
  byName: z.record(z.string(), z.array(z.int())),
  others: z.array(Node).nullable().describe('May be null'),
  few: z.array(z.int()).max(3),
})

const node = (id: number, children: unknown[] = []) => ({ id, title: `Item ${id}`, children, unknown: true })
const many = (count: number, entry = node) => Array.from({ length: count }, (_, id) => entry(id))
const deep = many(300).reduce<unknown>((below, { id }) => node(id, [below]), node(-1))
const forest = {
  features: [...many(300), node(7, many(1_000)), deep],
  byName: Object.fromEntries(many(400).map(({ id }) => [`Name ${id}`, [id]])),
  others: many(600),
  few: [1, 2],
  unknown: 'removed',
}

function countSteps(value: unknown): number {
  let steps = 0
  for (const work = parseInSteps(Forest, value); !work.next().done; ) steps++
  return steps
}

describe('parseInSteps', () => {
  it('parses as the schema does', () => {
    expect(isLarge(forest)).toBe(true)
    expect(runAtOnce(parseInSteps(Forest, forest))).toEqual(Forest.parse(forest))
    expect(countSteps(forest)).toBeGreaterThan(100)
    const without = { ...forest, others: null }
    expect(runAtOnce(parseInSteps(Forest, without))).toEqual(Forest.parse(without))
  })

  it('refuses what the schema refuses, wherever it is', () => {
    const places = fc.constantFrom('features', 'others')
    fc.assert(
      fc.property(places, fc.nat(599), fc.constantFrom('1', 1.5, null, undefined), (place, index, id) => {
        const list = forest[place as 'others'].with(index % 300, { ...node(1), id: id as never })
        expect(() => runAtOnce(parseInSteps(Forest, { ...forest, [place]: list }))).toThrow(z.ZodError)
      }),
    )
    const { few: _few, ...incomplete } = forest
    for (const wrong of [incomplete, { ...forest, few: [1, 2, 3, 4] }, { ...forest, features: {} }, [forest]])
      expect(() => runAtOnce(parseInSteps(Forest, wrong))).toThrow(z.ZodError)
  })
})
