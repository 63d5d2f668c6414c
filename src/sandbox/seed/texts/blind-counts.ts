/** Story 210, in Markdown. */
export const blindCounts = `## Blind counts

As a **shift lead** I want the expected quantity hidden while a bin is counted, so that people count what is there and not what the system hopes for.

| Count | Expected shown | Deviation found |
| --- | --- | ---: |
| September, open | yes | 1.1 % |
| October trial, blind | no | 4.8 % |

What changes on the handheld:

1. the line shows article and bin, *no* quantity
2. after the second wrong entry the shift lead is asked
   - not the counter again
   - see [the trial](https://wiki.example.com/harbor/blind-count-trial)

\`\`\`json
{ "bin": "F-12-034", "counted": 46, "expected": null }
\`\`\`
`

export const blindCountsCriteria = `- **Given** a blind count, **when** the line opens, **then** no quantity is shown
- **Given** a deviation of more than 5 %, **when** it is saved, **then** the line goes to the shift lead
- **Given** the role \`auditor\`, **when** the line opens, **then** the expected quantity is shown
`
