import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDiagram } from '../../../src/assistant/rules/check-diagram'

const drawn = [
  'flowchart LR\n  A --> B',
  'flowchart TD\n  A[Truck at the gate] --> B{Booked?}\n  B -->|yes| C([Door 1])\n  B -->|no| D((Wait))\n  D -.-> B',
  'graph TB\n  A["Gate (north)"] ==> B[[Check in]]\n  B -- by hand --> C[(Store)]\n  C & D --> E{{Done}}',
  'flowchart LR\n  subgraph yard [The yard]\n    direction TB\n    A --> B\n  end\n  B --> C\n  %% a remark',
  'sequenceDiagram\n  participant D as Driver\n  actor G\n  D->>+G: I am here, door 5?\n  G-->>-D: Yes\n  Note over D,G: both know',
  'sequenceDiagram\n  autonumber\n  alt late\n    A->>B: sorry\n  else in time\n    A->>B: hello\n  end\n  loop each day\n    B-xA: no\n  end',
  'stateDiagram-v2\n  [*] --> Booked\n  Booked --> Done: truck leaves\n  Done --> [*]\n  state "At the door" as AtDoor\n  Booked : waits for its truck',
  'stateDiagram-v2\n  state Open {\n    [*] --> Free\n    Free --> Busy\n  }\n  note right of Open: a door\n  state pick <<choice>>',
  'flowchart LR\n  A["Gate<br>north<br/>door"] <--> B{"x < 3"}',
  'flowchart LR\n  link --> details\n  details -.-> B',
  'stateDiagram-v2\n  state pick <<fork>>\n  A : a<br />b',
]

const refused: [string, string, RegExp][] = [
  ['nothing', '', /no diagram/],
  ['a header alone', 'flowchart LR', /empty/],
  ['no direction', 'flowchart\n A --> B', /first line/],
  ['another kind', 'pie title Pets\n "Dogs" : 386', /first line/],
  ['prose around it', 'Here is your diagram:\nflowchart LR\n A --> B', /first line/],
  ['a bracket in a bare label', 'flowchart LR\n A[Gate (north)] --> B', /bracket|double quotes/],
  ['a link that runs a script', 'flowchart LR\n A --> B\n click A call go()', /click/],
  ['a directive', '%%{init: {"theme":"x"}}%%\nflowchart LR\n A --> B', /first line/],
  ['a script behind a semicolon', 'flowchart LR\n A --> B; click B call go()', /click/],
  ['a script after a carriage return', 'flowchart LR\n A --> B\rclick A call go()', /click/],
  ['a script of a node with another letter', 'flowchart LR\n é --> B\n click é call go()', /click/],
  ['a script of a node with a hyphen', 'flowchart LR\n -x --> B\n click -x call go()', /click/],
  ['a script behind the end of a group', 'flowchart LR\n subgraph x\n A\n end click A call go()', /click/],
  ['a script behind a direction', 'flowchart LR\n direction TB click A call go()', /click/],
  ['a script behind a description', 'flowchart LR\n accDescr { x } click A call go()', /click/],
  [
    'a link behind the end of a group',
    'sequenceDiagram\n alt x\n A->>B: x\n end link A: x @ https://x.example',
    /link/,
  ],
  ['a link behind a group of states', 'stateDiagram-v2\n state C {\n A\n } click A "https://x.example"', /click/],
  ['a link behind a state', 'stateDiagram-v2\n A --> B click A href "https://x.example"', /click/],
  ['the end of its block', 'flowchart LR\n A --> B\n```\n![](https://x.example/a.png)', /end the block/],
  ['a link in capital letters', 'sequenceDiagram\n Link A: Site @ https://x.example', /Link/],
  ['an image of a node', 'flowchart LR\n A@{ img: "https://x.example/a.png" } --> B', /image/],
  ['an entity', 'flowchart LR\n A["#lt;img src=x#gt;"] --> B', /HTML/],
  ['styles', 'flowchart LR\n A --> B\n style A fill:#f9f', /style/],
  ['a script in a label', 'flowchart LR\n A["<script>alert(1)</script>"] --> B', /HTML/],
  ['an image in a message', 'sequenceDiagram\n A->>B: <img src=x onerror=alert(1)>', /HTML/],
  ['a tag in a state', 'stateDiagram-v2\n A: <b onclick=alert(1)>x</b>', /HTML/],
  ['a tag in place of a kind of state', 'stateDiagram-v2\n A: <<script>alert(1)', /HTML/],
  ['a directive in a label', 'flowchart LR\n A["%%{init: {}}%%"] --> B', /directive/],
  ['a directive in a remark', 'flowchart LR\n %% so %%{init: {}}%%\n A --> B', /directive/],
]

describe('a diagram', () => {
  it.each(drawn)('is accepted: %s', (source) => {
    expect(checkDiagram(source)).toBeNull()
  })

  it.each(refused)('is rejected for %s', (_, source, message) => {
    expect(checkDiagram(source)?.message).toMatch(message)
  })

  it('is rejected with the number of the wrong line', () => {
    expect(checkDiagram('flowchart LR\n\n%% remark\n A --> B\n click B go()')?.line).toBe(5)
  })

  it('is rejected if it has too many lines', () => {
    expect(checkDiagram(`flowchart LR\n${'A --> B\n'.repeat(600)}`)?.message).toMatch(/500 lines/)
  })

  it('never causes an exception', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('A --> B', 'subgraph x', 'end', 'A->>B: x', 'state A {', '}', 'loop', '[*] --> A'),
    )
    const header = fc.constantFrom('flowchart LR', 'sequenceDiagram', 'stateDiagram-v2')
    fc.assert(
      fc.property(header, fc.array(line), (first, lines) => {
        const source = [first, ...lines].join('\n')
        const problem = checkDiagram(source)
        if (problem) expect(problem.line).toBeLessThanOrEqual(source.split(/\r\n?|\n/).length)
      }),
      { numRuns: 1000 },
    )
  })
})
