import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderBriefingPlain } from '../../../commands/views/reports/briefing-plain'
import {
  renderHierarchyCsv,
  renderHierarchyMarkdown,
  renderHierarchyTable,
} from '../../../commands/views/reports/hierarchy-formats'
import { renderHierarchyPage } from '../../../commands/views/reports/hierarchy-page'
import { renderPriorities } from '../../../commands/views/reports/priorities'
import { renderSummary } from '../../../commands/views/reports/summary'
import { renderSummaryCsv } from '../../../commands/views/reports/summary-csv'
import { renderSummaryMarkdown } from '../../../commands/views/reports/summary-markdown'
import { renderSummaryPage } from '../../../commands/views/reports/summary-page'
import { NOW } from '../report-context'
import { item, shop } from '../sample-workspace'
import { buildShopHistory } from '../shop-history'
import { createBriefingAnswer, createCanvas, createHierarchyAnswer, createSummaryAnswer } from './view-answers'

describe('the hierarchy', () => {
  it('has one CSV line per item', () => {
    const lines = renderHierarchyCsv(createHierarchyAnswer(shop)).split('\r\n')
    expect(lines).toHaveLength(shop.length + 2)
    expect(lines[0]).toBe(
      'id,parentId,group,rootId,depth,type,title,state,stateCategory,assignedTo,points,totalPoints,donePoints,totalItems,doneItems,unestimated,blockers,completion,blockedBy,tracker,reference',
    )
    expect(lines[3]).toBe(
      '112,101,feature,101,1,User Story,Print the return label,Active,InProgress,Mia Chen,8,8,0,3,1,0,1,0,waits for #131 Sign the carrier contract,default,#112',
    )
  })

  it('is nested lists in Markdown', () => {
    expect(renderHierarchyMarkdown(createHierarchyAnswer(shop.slice(1, 8)))).toMatchInlineSnapshot(`
      "# Features, 20 Nov 2026

      - **#101 Self-service returns** (Feature, Active, Priya Nair, 40 points): 38%, 5 of 13 points, 2 of 6 items
        - **#111 Choose the items to send back** (User Story, Closed, Mia Chen, 5 points)
        - **#112 Print the return label** (User Story, Active, Mia Chen, 8 points): 0%, 0 of 8 points, 1 of 2 items; **blocked:** waits for #131 Sign the carrier contract
          - **#121 Draw the label** (Task, Closed)
        - **#113 Refund to the original card** (User Story, New)
        - **#114 Tell the customer where the parcel is** (User Story, New)
        - ~~#115 Fax the return form~~ (User Story, Removed)
      "
    `)
  })

  it('is indented by depth in a table', () => {
    expect(renderHierarchyTable(createHierarchyAnswer(shop.slice(1, 8)), createCanvas())).toMatchInlineSnapshot(`
      "  ID  TITLE                                    TYPE        STATE      ASSIGNED TO  DONE  POINTS  BLOCKERS
      #101  Self-service returns                     Feature     ● Active   Priya Nair    38%    5/13         1
      #111  · Choose the items to send back          User Story  ✓ Closed   Mia Chen     100%     5/5         0
      #112  · Print the return label                 User Story  ! Active   Mia Chen       0%     0/8         1
      #121  · · Draw the label                       Task        ✓ Closed   -            100%     0/0         0
      #113  · Refund to the original card            User Story  ○ New      -              0%     0/0         0
      #114  · Tell the customer where the parcel is  User Story  ○ New      -              0%     0/0         0
      #115  · Fax the return form                    User Story  × Removed  -               -     0/0         0
      "
    `)
  })

  it('names levels, removed items and unknown states in words in HTML', () => {
    const page = renderHierarchyPage(createHierarchyAnswer([...shop, item(171, { stateCategory: null, state: 'Odd' })]))
    expect(page).toContain('<span class="hidden">Level 2: </span>#112 Print the return label')
    expect(page).toContain('<s>#115 Fax the return form</s> (removed)')
    expect(page).toContain('Odd <span class="faint">(category unknown)</span>')
    expect(page).toContain('<span class="held">Blocked: waits for #131 Sign the carrier contract</span>')
    expect(page.match(/<th scope="col"/g)).toHaveLength(16)
    expect(page.match(/<th scope="row"/g)).toHaveLength(shop.length + 1)
  })
})

describe('the summary', () => {
  it('matches this example', () => {
    expect(renderSummary({ ...buildShopHistory(), generatedAt: NOW }, createCanvas(90))).toMatchInlineSnapshot(`
      "As of             18 Nov 2026, 09:30 UTC
      Done              ███████░░░ 71%
      Points            35 of 49
      Items             10 of 21
      Features at risk  3 of 4
      Blockers          2
      Not estimated     2

      FEATURE                    STATE   DONE  POINTS  BLOCKERS  RISK
      #201 Pick-up points        Active  100%   23/23         0  at risk
      #101 Self-service returns  Active   38%    5/13         1  at risk
      #102 Carrier onboarding    Active   40%     2/5         0  at risk
      #103 Order history         Closed  100%     5/5         0  -

      At risk
      ! #201 Pick-up points
        - #201 is still open after the iteration planned for it ended
      ! #101 Self-service returns
        - #112 is held up in part
        - #112, #113 and #114 are still open after the iteration planned for them ended
        - 2 of 3 open backlog items have no estimate
      ! #102 Carrier onboarding
        - #131 is still open after the iteration planned for it ended
      A feature is at risk when at least 30% of its open points are in trouble, or when it is
      closed while work below it is open. An open backlog item counts in full when it is blocked
      by a tag or a field, or when its iteration has ended; half when it is in progress and
      neither it nor anything below it has changed for 14 days; and a quarter for each
      predecessor that it waits for, for each blocked item below it, and, once the feature has
      started, for a missing estimate; never more than in full. An item without an estimate
      counts as the average of the estimated backlog items of the feature. What blocks the
      feature itself blocks all of its open work.

      Blockers
      - #112 Print the return label: waits for #131 Sign the carrier contract
      - #161 Total is wrong | with \`two\` vouchers: tagged Blocked

      Flow
      - Throughput: 0.8 items and 4.2 points a week, the mean of 5 whole weeks
      - Cycle time: median of 4 days over 5 items
      - 3 completed items are left out: it is not known when they were completed.
      WEEK OF              DONE          POINTS  ITEMS LEFT  POINTS LEFT
      12 Oct 2026          ██████████ 2       8           9           29
      19 Oct 2026          █████░░░░░ 1       5           8           24
      26 Oct 2026          ░░░░░░░░░░ 0       0           8           24
      2 Nov 2026           ░░░░░░░░░░ 0       0           8           24
      9 Nov 2026           █████░░░░░ 1       8           7           16
      16 Nov 2026, so far  █████░░░░░ 1       2           6           14

      Completed lately
      - #215 Step 215 (User Story), 17 Nov 2026
      - #214 Step 214 (User Story), 10 Nov 2026
      - #111 Choose the items to send back (User Story, Mia Chen), 10 Nov 2026
      - #121 Draw the label (Task), 10 Nov 2026

      Not moving
      - #122 Ask the carrier for a test account (Task, Priya Nair): no change since 20 Oct 2026,
        29 days

      Not estimated
      - #113 Refund to the original card (User Story)
      - #114 Tell the customer where the parcel is (User Story)

      STATE   ITEMS  POINTS  DONE
      Closed     10      35  100%
      Active      8      13    0%
      New         3       1    0%

      TYPE        ITEMS  POINTS  DONE
      User Story     13      47   74%
      Feature         4       0   25%
      Task            2       0   50%
      Bug             1       2    0%
      Epic            1       0    0%

      ITERATION      ITEMS  POINTS  DONE
      Shop\\Sprint 7     21      49   71%

      ASSIGNEE    ITEMS  POINTS  DONE
      (none)         15      33   91%
      Mia Chen        3      13   38%
      Priya Nair      3       3    0%
      "
    `)
  })

  it('wraps at the width of the window', () => {
    const text = renderSummary({ ...buildShopHistory(), generatedAt: NOW }, createCanvas(60))
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(60)
  })

  it('lists everything in a pipe, and one screen on a terminal', () => {
    const stories = Array.from({ length: 30 }, (_, i) => item(i + 10, { parentId: 1 }))
    const answer = createSummaryAnswer([item(1, { level: 2 }), ...stories])
    expect(renderSummary(answer, createCanvas(null))).toContain('#39 Item 39')
    expect(renderSummary(answer, createCanvas(80))).not.toContain('#39 Item 39')
    expect(renderSummary(answer, createCanvas(80))).toContain('and 20 more: studio report summary | less')
  })
})

describe('the summary to forward', () => {
  const answer = { ...buildShopHistory(), generatedAt: NOW }
  const many = createSummaryAnswer([
    item(1, { level: 2 }),
    ...Array.from({ length: 90 }, (_, i) => item(i + 10, { parentId: 1 })),
  ])

  it('matches this example in Markdown', () => {
    expect(renderSummaryMarkdown(answer)).toMatchInlineSnapshot(`
      "# Leadership summary, 18 Nov 2026

      - **As of:** 18 Nov 2026, 09:30 UTC
      - **Done:** \`███████░░░\` 71%
      - **Points:** 35 of 49
      - **Items:** 10 of 21
      - **Features at risk:** 3 of 4
      - **Blockers:** 2
      - **Not estimated:** 2

      ## Features

      | Feature | State | Done | Points done | Items done | Blockers | Risk |
      | --- | --- | --- | --- | --- | --- | --- |
      | #201 Pick-up points | Active | \`██████████\` 100% | 23 of 23 | 5 of 6 | 0 | **at risk** |
      | #101 Self-service returns | Active | \`████░░░░░░\` 38% | 5 of 13 | 2 of 7 | 1 | **at risk** |
      | #102 Carrier onboarding | Active | \`████░░░░░░\` 40% | 2 of 5 | 1 of 3 | 0 | **at risk** |
      | #103 Order history | Closed | \`██████████\` 100% | 5 of 5 | 2 of 2 | 0 | - |

      ## At risk

      - **#201 Pick-up points**: #201 is still open after the iteration planned for it ended
      - **#101 Self-service returns**: #112 is held up in part; #112, #113 and #114 are still open after the iteration planned for them ended; 2 of 3 open backlog items have no estimate
      - **#102 Carrier onboarding**: #131 is still open after the iteration planned for it ended

      ## Blockers

      - #112 Print the return label: waits for #131 Sign the carrier contract
      - #161 Total is wrong \\| with \\\`two\\\` vouchers: tagged Blocked

      ## Flow

      - Throughput: 0.8 items and 4.2 points a week, the mean of 5 whole weeks
      - Cycle time: median of 4 days over 5 items
      - 3 completed items are left out: it is not known when they were completed.

      | Week of | Items done | Points done | Items left | Points left |
      | --- | --- | --- | --- | --- |
      | 12 Oct 2026 | 2 | 8 | 9 | 29 |
      | 19 Oct 2026 | 1 | 5 | 8 | 24 |
      | 26 Oct 2026 | 0 | 0 | 8 | 24 |
      | 2 Nov 2026 | 0 | 0 | 8 | 24 |
      | 9 Nov 2026 | 1 | 8 | 7 | 16 |
      | 16 Nov 2026, so far | 1 | 2 | 6 | 14 |

      ## Completed lately

      - #215 Step 215 (User Story), 17 Nov 2026
      - #214 Step 214 (User Story), 10 Nov 2026
      - #111 Choose the items to send back (User Story, Mia Chen), 10 Nov 2026
      - #121 Draw the label (Task), 10 Nov 2026

      ## Not moving

      - #122 Ask the carrier for a test account (Task, Priya Nair): no change since 20 Oct 2026, 29 days

      ## Not estimated

      - #113 Refund to the original card (User Story)
      - #114 Tell the customer where the parcel is (User Story)

      ## By state

      | State | Items | Points | Done |
      | --- | --- | --- | --- |
      | Closed | 10 | 35 | 100% |
      | Active | 8 | 13 | 0% |
      | New | 3 | 1 | 0% |

      ## By type

      | Type | Items | Points | Done |
      | --- | --- | --- | --- |
      | User Story | 13 | 47 | 74% |
      | Feature | 4 | 0 | 25% |
      | Task | 2 | 0 | 50% |
      | Bug | 1 | 2 | 0% |
      | Epic | 1 | 0 | 0% |

      ## By iteration

      | Iteration | Items | Points | Done |
      | --- | --- | --- | --- |
      | Shop\\\\Sprint 7 | 21 | 49 | 71% |

      ## By assignee

      | Assignee | Items | Points | Done |
      | --- | --- | --- | --- |
      | (none) | 15 | 33 | 91% |
      | Mia Chen | 3 | 13 | 38% |
      | Priya Nair | 3 | 3 | 0% |

      ## How the figures are made

      - A feature is an item of the lowest backlog level above requirements that the workspace has; where it has none, a root that has children. A feature below another feature is part of it. Items above the features, and items below none, belong to no feature. Features with a priority come first, in their order; then those at risk, the open ones and the completed ones, by ID within each.
      - Totals cover an item and its descendants, without removed items. Each backlog item counts its own estimate, and so does a bug where the process plans bugs on the backlog; tasks and other items below a backlog item add no points; a feature or an epic counts its own estimate only while none of its descendants is estimated.
      - A feature is at risk when at least 30% of its open points are in trouble, or when it is closed while work below it is open. An open backlog item counts in full when it is blocked by a tag or a field, or when its iteration has ended; half when it is in progress and neither it nor anything below it has changed for 14 days; and a quarter for each predecessor that it waits for, for each blocked item below it, and, once the feature has started, for a missing estimate; never more than in full. An item without an estimate counts as the average of the estimated backlog items of the feature. What blocks the feature itself blocks all of its open work.
      - Completed within 14 days before \`asOf\`, by the tracker's closing date, or else the snapshots; if neither says, last changed within them. The newest first.
      - In progress, and neither it nor anything below it has changed for 14 days before \`asOf\`; the oldest first.
      - Backlog items that were completed, started or created after a date: the requested one, or else 14 days before \`asOf\`. The time comes from the tracker's own dates, or else from the snapshots; if neither says, the item is left out. An item is listed once, by its latest change.
      - Covers completed items at requirement level, over the last 12 whole weeks (Monday to Sunday, UTC) and the current one, from the first week with a completion. The completion time is the tracker's closing date, or else the change that the snapshots show; points are those of its own estimate. Throughput is the mean of the whole weeks. Cycle time runs from the first work on an item to its completion, in days of 24 hours; percentiles use the nearest rank and are given from 10 items on; with fewer, only the median is given. Remaining work at the end of a week counts today's items: items that were added or removed since are not included.
      "
    `)
  })

  it('has each part in HTML, with accessible tables', () => {
    const page = renderSummaryPage(answer)
    for (const part of [
      'Features',
      'At risk',
      'Blockers',
      'Flow',
      'Week by week',
      'Completed lately',
      'Not moving',
      'Not estimated',
      'By state',
      'By type',
      'By iteration',
      'By assignee',
      'How the figures are made',
    ])
      expect(page).toContain(`<h2>${part}</h2>`)
    expect(page).toContain('<th scope="row">#101 Self-service returns</th>')
    expect(page).toContain('<i style="width:38%"></i></span>38%')
    expect(page).toContain('<td><span class="held">at risk</span></td>')
    expect(page).toContain('<tr><th scope="row">16 Nov 2026, so far</th>')
  })

  it('has one CSV line per figure, with the names of the JSON fields', () => {
    const lines = renderSummaryCsv(answer).split('\r\n')
    const of = (section: string) => lines.filter((line) => line.startsWith(`${section},`))
    expect(lines[0]).toBe(
      'section,id,name,type,state,stateCategory,assignedTo,iterationPath,featureId,priority,points,donePoints,items,doneItems,unestimated,blockers,completion,remainingPoints,remainingItems,days,date,atRisk,riskWeight,evidence,tracker,reference',
    )
    expect(lines[1]).toMatch(/^totals,,,,,,,,,,49,35,21,10,2,2,0\.71\d*,,,,2026-11-18T09:30:00\.000Z,,,,,$/)
    expect(of('features')).toHaveLength(4)
    expect(of('features')[1]).toBe(
      'features,101,Self-service returns,Feature,Active,InProgress,Priya Nair,,,,13,5,7,2,2,1,0.38461538461538464,,,,,yes,1,"#112 is held up in part; #112, #113 and #114 are still open after the iteration planned for them ended; 2 of 3 open backlog items have no estimate",default,#101',
    )
    expect(of('blockers')).toHaveLength(2)
    expect(of('flow.weeks').at(-1)).toBe('flow.weeks,,so far,,,,,,,,,2,,1,,,,14,6,,2026-11-16,,,,,')
    expect(of('flow.cycleTime')).toEqual(['flow.cycleTime,,p50,,,,,,,,,,,5,,,,,,4,,,,,,'])
    expect(of('staleItems')).toEqual([
      'staleItems,122,Ask the carrier for a test account,Task,Active,,Priya Nair,Shop\\Sprint 7,101,,,,,,,,,,,29,2026-10-20T08:00:00.000Z,,,,default,#122',
    ])
    expect(of('byState')[0]).toMatch(/^byState,,Closed,/)
  })

  it('leaves nothing out', () => {
    for (const text of [renderSummaryMarkdown(many), renderSummaryPage(many), renderSummaryCsv(many)])
      expect(text).toContain('Item 99')
  })

  it('says that an empty workspace has nothing to report', () => {
    const empty = createSummaryAnswer([])
    expect(renderSummaryMarkdown(empty)).toContain('`studio import <featureId>`')
    expect(renderSummaryPage(empty)).toContain('studio import &lt;featureId&gt;')
    expect(renderSummaryCsv(empty).split('\r\n')[1]).toMatch(/^totals,,,,,,,,,,0,0,0,0,0,0,,/)
  })
})

describe('the briefing as plain text', () => {
  it('matches this example', () => {
    expect(renderBriefingPlain(createBriefingAnswer(shop))).toMatchInlineSnapshot(`
      "Status briefing, 18 Nov 2026
      ============================

      None of the 3 features is at risk; 12 of 26 points are done (46%).

      2 items are blocked or waiting. 1 item in progress has not changed for 14 days
      or more. 2 open backlog items have no estimate, so more work is left than the
      points show.

      Decisions needed
      ----------------

      None.

      Changes since 4 Nov 2026
      ------------------------

      - No backlog item was completed, started or added.

      Progress
      --------

      Feature                    State   Progress         Points done  Items done  Blockers
      -------------------------  ------  ---------------  -----------  ----------  --------
      #101 Self-service returns  Active  ████░░░░░░ 38%   5 of 13      2 of 7      1
      #102 Carrier onboarding    Active  ████░░░░░░ 40%   2 of 5       1 of 3      0
      #103 Order history         Closed  ██████████ 100%  5 of 5       2 of 2      0
      Outside the features               ░░░░░░░░░░ 0%    0 of 3       0 of 3      1
      Total                              █████░░░░░ 46%   12 of 26     5 of 15     2

      Blockers
      --------

      - #112 Print the return label (User Story, Active, in #101): waits for #131
        Sign the carrier contract
      - #161 Total is wrong | with \`two\` vouchers (Bug, Active): tagged Blocked

      Pace
      ----

      - The history is too short for a throughput: at least 3 whole weeks since the
        first known completion are needed, and there are none.
      - The history is too short for cycle times: at least 5 completed items with a
        known start and end are needed, and there are none.
      - 3 completed items are left out: it is not known when they were completed.

      Not estimated
      -------------

      - #113 Refund to the original card (User Story)
      - #114 Tell the customer where the parcel is (User Story)

      Not moving
      ----------

      - #122 Ask the carrier for a test account (Task, Priya Nair): no change since
        20 Oct 2026 (29 days)

      ------------------------------------------------------------------------------

      As of 18 Nov 2026, 09:30 UTC, from 15 work items read from the tracker between
      17 Nov 2026, 16:00 UTC and 18 Nov 2026, 09:30 UTC. How the figures are made:
        studio brief --explain
      "
    `)
  })
})

describe('priorities', () => {
  const available = [
    { id: 103, tracker: 'default', reference: '#103', title: 'Order history', state: 'Closed', completion: 1 },
    {
      id: 101,
      tracker: 'default',
      reference: '#101',
      title: 'Self-service returns',
      state: 'Active',
      completion: null,
    },
  ]

  it('show the position of each feature', () => {
    expect(renderPriorities({ designated: [103], available, gone: [] }, createCanvas())).toMatchInlineSnapshot(`
      "PRIORITY  FEATURE                    STATE   DONE
             1  #103 Order history         Closed  100%
             -  #101 Self-service returns  Active     -
      "
    `)
  })

  it('name IDs that are no longer features', () => {
    expect(
      renderPriorities({ designated: [7], available, gone: [{ id: 7, reference: '#7' }] }, createCanvas()),
    ).toContain('#7 has a priority but is no longer a feature.')
  })
})

describe('the summary in a window', () => {
  it.each([40, 59, 60, 80, 120])('is no wider than its %i columns', (width) => {
    const drawn = renderSummary({ ...buildShopHistory(), generatedAt: NOW }, createCanvas(width))
    expect(drawn).toContain('FEATURE')
    expect(drawn).toContain('WEEK OF')
    for (const line of drawn.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width)
  })
})
