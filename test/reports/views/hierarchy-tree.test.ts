import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderHierarchyTree } from '../../../commands/views/reports/hierarchy-tree'
import { anyLinks } from '../random-workspace'
import { item, shop } from '../sample-workspace'
import { createCanvas, createHierarchyAnswer } from './view-answers'

const drawn = (width: number | null, items = shop) =>
  renderHierarchyTree(createHierarchyAnswer(items), createCanvas(width))

describe('the tree in a terminal', () => {
  it('shows progress at the left edge, state marks and blockers', () => {
    expect(drawn(100)).toMatchInlineSnapshot(`
      "████░░░░░░  38%  ● #101 Self-service returns  Active  Priya Nair  5 of 13 points
                       ├─ ✓ #111 Choose the items to send back  Closed  Mia Chen  5 points
      ░░░░░░░░░░   0%  ├─ ! #112 Print the return label  Active  Mia Chen  0 of 8 points
                       │  │ ↳ waits for #131 Sign the carrier contract
                       │  ├─ ✓ #121 Draw the label  Closed
                       │  └─ ● #122 Ask the carrier for a test account  Active  Priya Nair
                       ├─ ○ #113 Refund to the original card  New  not estimated
                       ├─ ○ #114 Tell the customer where the parcel is  New  not estimated
                       └─ × #115 Fax the return form  Removed  13 points, not counted

      ████░░░░░░  40%  ● #102 Carrier onboarding  Active  2 of 5 points
                       ├─ ● #131 Sign the carrier contract  Active  Priya Nair  3 points
                       └─ ✓ #132 Compare offers  Closed  2 points

      ██████████ 100%  ✓ #103 Order history  Closed  Mia Chen  5 of 5 points
                       └─ ✓ #141 List past orders  Closed  5 points

      Under no feature

      ░░░░░░░░░░   0%  ● #90 Returns without a phone call  Active  0 of 1 point
                       └─ ○ #151 Write the returns policy  New  1 point

                       ! #161 Total is wrong | with \`two\` vouchers  Active  2 points
                         ↳ tagged Blocked

      ✓ done  ● in progress  ○ to do  ! blocked  × removed, not counted
      "
    `)
  })

  it('omits the bars in a narrow window, and the edge in a very narrow one', () => {
    expect(drawn(46)).toMatchInlineSnapshot(`
      " 38%  ● #101 Self-service returns  Active
            │ Priya Nair  5 of 13 points
            ├─ ✓ #111 Choose the items to send back
            │    Closed  Mia Chen  5 points
        0%  ├─ ! #112 Print the return label  Active
            │  │ Mia Chen  0 of 8 points
            │  │ ↳ waits for #131 Sign the carrier
            │  │   contract
            │  ├─ ✓ #121 Draw the label  Closed
            │  └─ ● #122 Ask the carrier for a test
            │       account  Active  Priya Nair
            ├─ ○ #113 Refund to the original card
            │    New  not estimated
            ├─ ○ #114 Tell the customer where the
            │    parcel is  New  not estimated
            └─ × #115 Fax the return form  Removed
                 13 points, not counted

       40%  ● #102 Carrier onboarding  Active  2 of
            │ 5 points
            ├─ ● #131 Sign the carrier contract
            │    Active  Priya Nair  3 points
            └─ ✓ #132 Compare offers  Closed  2
                 points

      100%  ✓ #103 Order history  Closed  Mia Chen
            │ 5 of 5 points
            └─ ✓ #141 List past orders  Closed  5
                 points

      Under no feature

        0%  ● #90 Returns without a phone call
            │ Active  0 of 1 point
            └─ ○ #151 Write the returns policy  New
                 1 point

            ! #161 Total is wrong | with \`two\`
              vouchers  Active  2 points
              ↳ tagged Blocked

      ✓ done  ● in progress  ○ to do  ! blocked
      × removed, not counted
      "
    `)
  })

  it('fits any window and shows the complete text of all items', () => {
    const widths = fc.integer({ min: 36, max: 160 })
    fc.assert(
      fc.property(anyLinks, widths, (items, width) => {
        fc.pre(items.length > 0)
        const titled = items.map((one) => ({
          ...one,
          title: `An item with the number ${one.id} 漢字 and-a-very-long-word-${'x'.repeat(30)}`,
        }))
        const text = drawn(width, titled)
        for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width)
        for (const { id } of items) expect(text).toContain(`#${id} `)
      }),
      { numRuns: 60 },
    )
  })

  it('fits a window of few columns at any depth of the tree', () => {
    const chain = Array.from({ length: 200 }, (_, i) => item(i + 1, { level: i === 0 ? 2 : 1, parentId: i || null }))
    for (const width of [20, 40, 80]) {
      const lines = drawn(width, chain).split('\n')
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(Math.max(width, 24))
    }
  })

  it('truncates nothing in a pipe', () => {
    const long = `${'word '.repeat(100)}end`
    const text = drawn(null, [item(1, { level: 2, title: long })])
    expect(text.split('\n')[0]).toContain(long)
  })

  it('explains how to start if nothing was imported', () => {
    expect(drawn(80, [])).toBe('Nothing is imported yet: studio import <featureId>\n')
  })
})
