import { environmentVariables } from '../src/config/services/environment-variables'
import { type ErrorCode, EXIT_PARTIAL, exitCodeOf, type Family, families, narrowCodes } from '../src/kernel/errors'

interface Topic {
  summary: string
  text(): string
}

/** `studio help <topic>` */
export const helpTopics: Record<string, Topic> = {
  'exit-codes': { summary: 'Exit codes of commands', text: exitCodes },
  environment: { summary: 'Environment variables and settings files', text: environment },
  output: { summary: 'Tables, JSON, colors and pipes', text: () => OUTPUT },
  'search-syntax': { summary: 'Search queries', text: () => SEARCH },
  dates: { summary: 'Dates, times and durations', text: () => DATES },
}

/** Null where there is no such topic. */
export function topicText(name: string): string | null {
  return Object.hasOwn(helpTopics, name) ? helpTopics[name]!.text() : null
}

const meanings: Record<Family, string> = {
  internal: 'an error in studio itself',
  invalid: 'invalid input, or a rule rejected it',
  not_found: 'the requested object does not exist',
  unauthenticated: 'a credential is missing or invalid',
  forbidden: 'the credential does not allow this',
  conflict: 'the object changed meanwhile, or its state does not allow this',
  limited: 'too many requests',
  unavailable: 'the tracker, the language model or the database cannot be reached',
  timeout: 'the tracker, the language model or the database did not answer in time',
  interrupted: 'interrupted, for example by Ctrl-C',
}

function exitCodes(): string {
  const rows = (Object.keys(families) as Family[]).map((family) => {
    const codes: ErrorCode[] = [family, ...narrowCodes(family)]
    return `${String(exitCodeOf(family)).padStart(5)}  ${meanings[family]}\n         ${codes.join(', ')}\n`
  })
  return [
    '    0  success\n',
    ...rows.slice(0, -1),
    `${String(EXIT_PARTIAL).padStart(5)}  a batch was applied in part; the result says which part\n`,
    rows.at(-1)!,
    '\nWith --json an error is a JSON object on standard error, as the HTTP API returns it: `code` is one of the words above, and `hint` says how to fix the error.\n',
  ].join('')
}

function environment(): string {
  const width = Math.max(...environmentVariables.map(({ name }) => name.length))
  const rows = environmentVariables.map(
    (one) =>
      `  ${one.name.padEnd(width)}  ${one.description}${one.default === null ? '' : ` (default: ${one.default})`}\n`,
  )
  return [
    'A setting is taken from the first of these that has it: a flag, a STUDIO_* variable, studio.config.json in this folder or the nearest one above it, config.json in the settings folder. A relative path in a settings file is relative to that file. Secrets cannot be given as flags.\n\n',
    ...rows,
    '\nHTTPS_PROXY, HTTP_PROXY and NO_PROXY apply to a tracker on another machine.\n',
    'NO_COLOR, FORCE_COLOR, PAGER, VISUAL and EDITOR have their usual meaning.\n',
    'Compiled code is cached in your cache folder (XDG_CACHE_HOME), or in NODE_COMPILE_CACHE. NODE_DISABLE_COMPILE_CACHE=1 disables this cache.\n',
  ].join('')
}

const OUTPUT = `Results go to standard output. Errors, notices and progress go to standard error.

On a terminal: tables that fit the window, colors, progress and prompts.
In a pipe: plain text without colors, nothing is cut, nothing is asked.

  --json             the result as JSON, as the HTTP API returns it
  --fields id,title  with --json, only these fields; in a list, of each entry
  --format <name>    another format, if the command has one: md, csv, html, ics
  --out <file>       write to a file, which is replaced as a whole or not at all
  --limit, --sort    for lists; without --limit a list is complete
  --quiet            no notices, no progress
  --no-input         never prompt; a command that needs an answer exits with 2
                     and names the flag that gives it
  --yes              answer yes to every confirmation

--no-color overrides FORCE_COLOR, and FORCE_COLOR overrides NO_COLOR.
Control characters in texts written by other people are shown as symbols.
With --json, output that arrives in parts is printed as JSON lines.
`

const SEARCH = `A query is searched in titles, tags, acceptance criteria and descriptions.
Results that match more words, and rarer words, come first.

  dock door            either word; both are better
  "dock door"          these words in this order
  -paper, -"no show"   results without this word or phrase
  doo                  the last word may be incomplete
  #204, 204            the item or draft with this ID

  state:active  type:bug  assignee:@me  no:assignee  tag:gate  area:harbor
  iteration:@current   the iteration of today, or a part of the path
  in:title             search titles only
  -state:closed        exclude these

A word without any match is treated as a typo. A word that occurs in only one result also finds a frequent word that differs by one letter.
Accents and case are ignored; checkIn finds check-in.

  studio search "dock door" state:active -type:task --type devops --limit 5
`

const DATES = `  2026-11-20             a date, in the time zone of the facility if it is about one
  2026-11-20T06:00:00Z   an instant
  06:00-18:00            hours of a day; an end at or before the start is on the next day
  mon-fri                days of the week: mon tue wed thu fri sat sun
  90                     a duration in minutes
  30d                    an expiry, counted from now

Results give instants in UTC with milliseconds.
The duration of an appointment is elapsed time, also on days when the clocks change.
`
