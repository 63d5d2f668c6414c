import { environmentVariables } from '../src/config/services/environment-variables'
import { type ErrorCode, EXIT_PARTIAL, exitCodeOf, type Family, families, narrowCodes } from '../src/kernel/errors'

interface Topic {
  summary: string
  text(): string
}

/** `studio help <topic>`: what concerns more than one command. */
export const helpTopics: Record<string, Topic> = {
  'exit-codes': { summary: 'What a command’s exit code says', text: exitCodes },
  environment: { summary: 'Variables, settings files, and which of them wins', text: environment },
  output: { summary: 'Tables, --json, --fields, colour, pipes', text: () => OUTPUT },
  'search-syntax': { summary: 'What a query may hold', text: () => SEARCH },
  dates: { summary: 'How days, times and lengths are written', text: () => DATES },
}

/** Null where there is no such topic. */
export function topicText(name: string): string | null {
  return Object.hasOwn(helpTopics, name) ? helpTopics[name]!.text() : null
}

const said: Record<Family, string> = {
  internal: 'a fault of studio itself',
  invalid: 'wrong use, or a rule refused it',
  not_found: 'there is no such thing',
  unauthenticated: 'a credential is missing or wrong',
  forbidden: 'a credential is not enough',
  conflict: 'something has changed meanwhile, or its state does not allow it',
  limited: 'too many requests',
  unavailable: 'the tracker, the language model or the database is out of reach',
  timeout: 'one of them did not answer in time',
  interrupted: 'interrupted, as by Ctrl-C',
}

function exitCodes(): string {
  const rows = (Object.keys(families) as Family[]).map((family) => {
    const codes: ErrorCode[] = [family, ...narrowCodes(family)]
    return `${String(exitCodeOf(family)).padStart(5)}  ${said[family]}\n         ${codes.join(', ')}\n`
  })
  return [
    '    0  done\n',
    ...rows.slice(0, -1),
    `${String(EXIT_PARTIAL).padStart(5)}  a batch was applied in part; the result says which\n`,
    rows.at(-1)!,
    '\nWith --json an error is one JSON object on standard error, the same that the HTTP API answers: `code` is one of the words above, and `hint` the next command that fixes it.\n',
  ].join('')
}

function environment(): string {
  const width = Math.max(...environmentVariables.map(({ name }) => name.length))
  const rows = environmentVariables.map(
    (one) =>
      `  ${one.name.padEnd(width)}  ${one.description}${one.default === null ? '' : ` (default: ${one.default})`}\n`,
  )
  return [
    'A setting comes from the first of: a flag, a STUDIO_* variable, studio.config.json in this folder or the nearest above it, config.json in the settings folder. A relative path in a settings file is relative to that file. A secret is never taken as a flag.\n\n',
    ...rows,
    '\nHTTPS_PROXY, HTTP_PROXY and NO_PROXY hold on the way to a tracker on another machine.\n',
    'NO_COLOR, FORCE_COLOR, PAGER, VISUAL and EDITOR mean what they mean elsewhere.\n',
  ].join('')
}

const OUTPUT = `Results go to standard output, all else to standard error.

On a terminal: tables that fit the window, colour, progress, questions.
In a pipe: plain text, no colour, nothing cut, no question.

  --json             one JSON value, the same that the HTTP API answers
  --fields id,title  with --json, keeps these fields; of a list, in each of its entries
  --format <name>    another form, where a command has one: md, csv, html, ics
  --out <file>       into a file, which is replaced whole or not at all
  --limit, --sort    of a list; without --limit a list is whole
  --quiet            no notices, no progress
  --no-input         never ask; what would ask exits 2 and names the flag that answers
  --yes              answer yes to what a command would ask

--no-color beats FORCE_COLOR, FORCE_COLOR beats NO_COLOR.
Control characters in texts from elsewhere are shown, not obeyed.
What lasts and comes piece by piece is printed with --json as it comes, an object a line.
`

const SEARCH = `Words are looked for in title, tags, criteria and description.
The more of them fit, and the rarer they are, the higher a result stands.

  dock door            either word, both are better
  "dock door"          these words in this order
  -paper, -"no show"   not where this stands
  doo                  the last word may be unfinished
  #204, 204            the item or draft of this ID

  state:active  type:bug  assignee:@me  no:assignee  tag:gate  area:harbor  iteration:2
  in:title             look at titles alone
  -state:closed        not these

A word that is found nowhere is treated as a typo. A word of a single entity also finds a frequent word that is one edit away.
Accents and case do not matter; checkIn finds check-in.

  studio search "dock door" state:active -type:task --type devops --limit 5
`

const DATES = `  2026-11-20             a day, in the time zone of the facility where one is concerned
  2026-11-20T06:00:00Z   an instant
  06:00-18:00            a window of the wall clock; one that ends at or before its start ends on the next day
  mon-fri                days of the week: mon tue wed thu fri sat sun
  90                     minutes, where a length is asked for
  30d                    from now on, where an expiry is asked for

Answers carry instants in UTC with milliseconds.
An appointment lasts the minutes that pass: on the day the clocks change, too.
`
