import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSampleBacklog } from '../../src/sandbox/seed/sample-backlog'
import { TrackerModel } from '../../src/sandbox/state/tracker-model'
import { findItems } from '../../src/sandbox/wiql/find-items'
import { parseWiql } from '../../src/sandbox/wiql/parse-wiql'
import { NOW } from './harness'

const model = new TrackerModel(createSampleBacklog())
const everything = [...model.listItems()].map((item) => item.id).sort((a, b) => a - b)

function find(where: string): number[] {
  const query = parseWiql(`SELECT [System.Id] FROM WorkItems WHERE ${where}`)
  return findItems(query, { model, inProject: true, now: NOW, timePrecision: false }).map((item) => item.id)
}

const atom = fc.constantFrom(
  "[System.State] = 'Active'",
  "[System.State] <> 'Closed'",
  "[System.WorkItemType] IN ('Bug', 'Task')",
  '[System.Id] IN (101, 204, 205, 361)',
  '[System.Id] >= 300',
  '[System.Parent] = 206',
  "[System.Tags] CONTAINS 'gate'",
  "[System.Title] NOT CONTAINS 'door'",
  "[System.AssignedTo] = ''",
  "[System.AreaPath] UNDER 'Harbor\\Floor'",
  '[Microsoft.VSTS.Scheduling.StoryPoints] < 5',
  '[System.ChangedDate] >= @today - 7',
)
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    tie('condition').map((inner) => `NOT (${inner})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
      .map(([a, word, b]) => `(${a}) ${word} (${b})`),
  ),
}))

describe('conditions', () => {
  it('combine with AND to the intersection and with OR to the union', () => {
    fc.assert(
      fc.property(condition, condition, (a, b) => {
        const [foundByA, foundByB] = [new Set(find(a)), new Set(find(b))]
        expect(find(`(${a}) AND (${b})`)).toEqual(everything.filter((id) => foundByA.has(id) && foundByB.has(id)))
        expect(find(`(${a}) OR (${b})`)).toEqual(everything.filter((id) => foundByA.has(id) || foundByB.has(id)))
      }),
    )
  })

  it('find the complement with NOT', () => {
    fc.assert(
      fc.property(condition, (a) => {
        const found = new Set(find(a))
        expect(find(`NOT (${a})`)).toEqual(everything.filter((id) => !found.has(id)))
      }),
    )
  })

  it('have a higher precedence for AND than for OR', () => {
    fc.assert(
      fc.property(atom, atom, atom, (a, b, c) => {
        expect(find(`${a} OR ${b} AND ${c}`)).toEqual(find(`${a} OR (${b} AND ${c})`))
      }),
    )
  })

  it('are independent of case and spaces', () => {
    fc.assert(
      fc.property(condition, fc.constantFrom(' ', '\n', '\t  '), (a, space) => {
        expect(
          find(a.replace(/\b(AND|OR|NOT|IN|UNDER|CONTAINS)\b/g, (word) => space + word.toLowerCase() + space)),
        ).toEqual(find(a))
      }),
    )
  })
})
