import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderBriefing } from '../../../src/reports/rules/render-briefing'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { parseMarkdown } from '../../markdown-reference'
import { buildFigures } from '../at-once'
import { anyLinks, shuffled } from '../random-workspace'
import { item, shop } from '../sample-workspace'
import { buildShopHistory } from '../shop-history'

const textOf = (items: readonly ReportItem[], ids: readonly number[] = []) =>
  renderBriefing(buildFigures(items, { ids }))

describe('the deterministic briefing', () => {
  it('matches this example', () => {
    expect(textOf(shop)).toMatchInlineSnapshot(`
      "# Status briefing, 18 Nov 2026

      **None of the 3 features is at risk; 12 of 26 points are done (46%).**

      2 items are blocked or waiting. 1 item in progress has not changed for 14 days or more. 2 open backlog items have no estimate, so more work is left than the points show.

      ## Decisions needed

      None.

      ## Changes since 4 Nov 2026

      - No backlog item was completed, started or added.

      ## Progress

      | Feature | State | Progress | Points done | Items done | Blockers |
      | --- | --- | --- | --- | --- | --- |
      | #101 Self-service returns | Active | \`████░░░░░░\` 38% | 5 of 13 | 2 of 7 | 1 |
      | #102 Carrier onboarding | Active | \`████░░░░░░\` 40% | 2 of 5 | 1 of 3 | 0 |
      | #103 Order history | Closed | \`██████████\` 100% | 5 of 5 | 2 of 2 | 0 |
      | Outside the features |  | \`░░░░░░░░░░\` 0% | 0 of 3 | 0 of 3 | 1 |
      | **Total** |  | \`█████░░░░░\` 46% | 12 of 26 | 5 of 15 | 2 |

      ## Blockers

      - #112 Print the return label (User Story, Active, in #101): waits for #131 Sign the carrier contract
      - #161 Total is wrong \\| with \\\`two\\\` vouchers (Bug, Active): tagged Blocked

      ## Pace

      - The history is too short for a throughput: at least 3 whole weeks since the first known completion are needed, and there are none.
      - The history is too short for cycle times: at least 5 completed items with a known start and end are needed, and there are none.
      - 3 completed items are left out: it is not known when they were completed.

      ## Not estimated

      - #113 Refund to the original card (User Story)
      - #114 Tell the customer where the parcel is (User Story)

      ## Not moving

      - #122 Ask the carrier for a test account (Task, Priya Nair): no change since 20 Oct 2026 (29 days)

      ---

      As of 18 Nov 2026, 09:30 UTC, from 15 work items read from the tracker between 17 Nov 2026, 16:00 UTC and 18 Nov 2026, 09:30 UTC. How the figures are made: \`studio brief --explain\`.
      "
    `)
  })

  it('covers one feature only if asked to', () => {
    expect(textOf(shop, [103])).toMatchInlineSnapshot(`
      "# Status briefing, 18 Nov 2026

      **#103 Order history is done; 5 of 5 points are done (100%).**

      Nothing is blocked.

      ## Decisions needed

      None.

      ## Changes since 4 Nov 2026

      - No backlog item was completed, started or added.

      ## Progress

      | Feature | State | Progress | Points done | Items done | Blockers |
      | --- | --- | --- | --- | --- | --- |
      | #103 Order history | Closed | \`██████████\` 100% | 5 of 5 | 2 of 2 | 0 |

      ## Pace

      - The history is too short for a throughput: at least 3 whole weeks since the first known completion are needed, and there are none.
      - The history is too short for cycle times: at least 5 completed items with a known start and end are needed, and there are none.
      - 1 completed item is left out: it is not known when it was completed.

      ---

      As of 18 Nov 2026, 09:30 UTC, from 2 work items read from the tracker. How the figures are made: \`studio brief --explain\`.
      "
    `)
  })

  it('reports the pace of a workspace with a history, and puts designated features first', () => {
    const text = renderBriefing(buildShopHistory())
    expect(text).toContain(
      [
        '## Pace',
        '',
        '- 0.8 backlog items (4.2 points) were completed per week on average over the 5 weeks up to the week of 9 Nov 2026.',
        '- From first work to completion, the median of 5 items is 4 days.',
        '- 3 completed items are left out: it is not known when they were completed.',
      ].join('\n'),
    )
    expect(text).toContain('| --- | --- | --- | --- | --- | --- |\n| #201 Pick-up points |')
    expect(renderBriefing(buildShopHistory(), { explain: true })).toContain(
      '- Features are in the order of the priorities that were set',
    )
  })

  it('explains how to fill an empty workspace', () => {
    expect(textOf([])).toMatchInlineSnapshot(`
      "# Status briefing

      **There is nothing to report yet: the workspace holds no work items.**

      Import a feature with its whole tree, then ask for the briefing again:

          studio import <featureId>
          studio brief
      "
    `)
  })

  it('counts items without a feature', () => {
    const text = textOf([item(1, { stateCategory: 'Completed' }), item(2)])
    expect(text).toContain('**No feature is reported; 1 of 2 items is done (50%).**')
    expect(text).toContain('| Outside the features |  | `█████░░░░░` 50% | none estimated | 1 of 2 | 0 |')
    expect(text).not.toContain('## At risk')
  })

  it('says if all features are at risk', () => {
    const blocked = { level: 2, blocked: [{ by: 'tag' as const, itemId: null, evidence: 'tagged Blocked' }] }
    expect(textOf([item(1, blocked), item(2, blocked)])).toContain(
      '**All 2 features are at risk; 0 of 2 items are done (0%).**',
    )
  })

  it('says if all items were removed', () => {
    expect(textOf([item(1, { level: 2, stateCategory: 'Removed' })])).toContain('all its items were removed')
  })

  it('says if no feature is at risk, and if all are done', () => {
    const done = { level: 2, stateCategory: 'Completed' } as const
    expect(textOf([item(1, { level: 2 }), item(2, done)])).toContain('None of the 2 features is at risk; 1 of 2 items')
    expect(textOf([item(1, done), item(2, done)])).toContain('All 2 features are done; 2 of 2 items are done (100%).')
  })

  it('truncates long lists, and says how much is left out and where to read it', () => {
    const stories = Array.from({ length: 25 }, (_, i) => item(i + 10, { parentId: 1 }))
    const text = textOf([item(1, { level: 2 }), ...stories])
    expect(text).toContain('- #29 Item 29 (User Story)\n- and 5 more, all of which `studio report summary` lists\n')
    expect(text).not.toContain('#30')
  })

  it('sums the features that its table leaves out', () => {
    const features = Array.from({ length: 60 }, (_, i) => item(i + 1, { level: 2, storyPoints: 2 }))
    expect(textOf(features)).toContain('| and 10 more |  | `░░░░░░░░░░` 0% | 0 of 20 | 0 of 10 | 0 |')
  })

  it('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(
        anyLinks.chain((items) => fc.tuple(fc.constant(items), shuffled(items))),
        ([items, sameItems]) => {
          expect(textOf(sameItems)).toBe(textOf(items))
        },
      ),
    )
  })

  it('ends with one newline and has no two consecutive blank lines', () => {
    fc.assert(
      fc.property(anyLinks, (items) => {
        expect(textOf(items)).toMatch(/[^\n]\n$/)
        expect(textOf(items)).not.toContain('\n\n\n')
      }),
    )
  })
})

describe('hostile texts from the tracker', () => {
  const structureOf = (markdown: string) => {
    const kinds: string[] = []
    const waiting: any[] = [parseMarkdown(markdown)]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      kinds.push(node.type)
      waiting.push(...(node.children ?? []))
    }
    return kinds.sort()
  }

  /** The shop with `text` in every field that users of the tracker can edit. */
  const shopSaying = (text: string) =>
    shop.map((one) => ({
      ...one,
      title: text,
      state: text,
      type: text,
      assignedTo: one.assignedTo && { displayName: text, uniqueName: null },
      blocked: one.blocked.map((blocker) => ({ ...blocker, evidence: `waits for #131 ${text}` })),
    }))

  const plain = structureOf(textOf(shopSaying('harmless')))

  it.each([
    ['lines and headings', 'a\n\n# Fired\n\n- b\n> c\n---\n'],
    ['a table cell', 'a | b || c |'],
    ['code', '`a` ``b`` ```c``` `'],
    ['emphasis', '**a** _b_ ***c*** ~~d~~'],
    ['a link and an image', '[a](javascript:alert(1)) ![b](http-x) [c][d] [^e]'],
    ['HTML', '<script>alert(1)</script><!-- a --><b>&lt;'],
    ['backslashes', 'a\\| \\` \\\\| \\'],
    ['control characters', 'a\u0000b\u001b[2Jc\u0007\u0085\u2028d'],
    ['a turned direction', '\u202Efdp.exe\u2066'],
    ['table rules', '--- | :-: | ==='],
  ])('cannot inject %s', (_, hostile) => {
    const text = textOf(shopSaying(hostile))
    expect(structureOf(text)).toEqual(plain)
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/)
  })

  it('cannot inject any structure', () => {
    const anyMarkup = fc.string({ unit: fc.constantFrom(...'ab1 #|`*_[]()<>!&;~\\\n\r\t-=+:.{}$^"\u0000\u202E\uD800') })
    fc.assert(
      fc.property(anyMarkup, (hostile) => {
        expect(structureOf(textOf(shopSaying(`x${hostile}x`)))).toEqual(plain)
      }),
    )
  })
})
